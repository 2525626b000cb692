package loom

import (
	"flag"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// replayVariable is the environment variable that asks for a replay.
const replayVariable = "LOOM_REPLAY"

// otherReplay is the error of an exploration that has not run because
// LOOM_REPLAY has the token of another one.
type otherReplay struct{ token, tag string }

func (o *otherReplay) Error() string {
	return fmt.Sprintf("loom: %s=%s replays another test, or an earlier Check of this one", replayVariable, o.token)
}

// skip ends t, unless what is to be replayed may still come in it.
func (o *otherReplay) skip(t testing.TB) {
	t.Helper()
	at, _ := checks.Load(t)
	done := at.(*atomic.Int32)
	nth := o.nthCheck(t)
	switch {
	case nth > done.Load():
		t.Logf("loom: not run: %s=%s replays Check %d of this test", replayVariable, o.token, nth)
		t.Cleanup(func() {
			if done.Load() < nth && !t.Failed() {
				t.Errorf("loom: %s=%s replays Check %d of this test, which made %d", replayVariable, o.token, nth, done.Load())
			}
		})
	case o.explores():
		t.Logf("loom: not run: %s=%s replays an Explore of this test", replayVariable, o.token)
	case subtestWanted(t.Name()):
		t.Logf("loom: not run: %s=%s replays another test", replayVariable, o.token)
	default:
		t.Skip(o.Error())
	}
}

// nthCheck returns which Check of t is to be replayed, 0 if none of the first
// thousand.
func (o *otherReplay) nthCheck(t testing.TB) int32 {
	for n := int32(1); n <= 1000; n++ {
		if (&config{name: checkName(t, n)}).tag() == o.tag {
			return n
		}
	}
	return 0
}

// explores reports whether a call of Explore that this test has yet to make is to
// be replayed, one of the first thousand.
func (o *otherReplay) explores() bool {
	w := callers{root: testPlace()}
	for n, last := w.count().Load()+1, int32(1000); n <= last; n++ {
		if (&config{name: exploreName(w.test(), n)}).tag() == o.tag {
			return true
		}
	}
	return false
}

// subtestWanted reports whether -run asks for a subtest of the test called name:
// replay commands do, and the test must get as far as starting it.
func subtestWanted(name string) bool {
	run := flag.Lookup("test.run")
	return run != nil && strings.Count(run.Value.String(), "/") > strings.Count(name, "/")
}
