//go:build loom

package loom_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	stdsync "sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// inMode runs a test of this package in a process with the given settings, and
// returns what it prints and whether it passed.
func inMode(t *testing.T, test string, settings ...string) (string, bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.v", "-test.count=1", "-test.run=^"+test+"$")
	cmd.Env = append(append(os.Environ(), "LOOM_TEST_CHILD=1"), settings...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func onlyAsChild(t *testing.T) {
	if os.Getenv("LOOM_TEST_CHILD") == "" {
		t.Skip("another test runs this one")
	}
}

func TestUnknownModeIsRefused(t *testing.T) {
	for setting, says := range map[string]string{
		"LOOM_MODE=fast":   "loom: LOOM_MODE=fast is not a mode: there are perturb and record",
		"LOOM_MODE=record": "loom: LOOM_MODE=record needs LOOM_RECORD=FILE",
	} {
		out, ok := inMode(t, "TestRaceOption", setting, "LOOM_RECORD=")
		require.False(t, ok)
		require.Contains(t, out, says)
	}
	out, ok := inMode(t, "TestRaceOption", "LOOM_MODE=perturb", "LOOM_SEED=x")
	require.False(t, ok)
	require.Contains(t, out, "loom: LOOM_SEED=x is not a number")
}

// TestPerturbedChild loses additions that are made in two steps.
func TestPerturbedChild(t *testing.T) {
	onlyAsChild(t)
	var x atomic.Int32
	var group stdsync.WaitGroup
	for range 2 {
		group.Go(func() {
			for range 2000 {
				x.Store(x.Load() + 1)
			}
		})
	}
	group.Wait()
	fmt.Println("lost", 4000-x.Load())
	require.Equal(t, 36, holds(t, func() { adds(3, 2) }).Traces, "explorations are as they are")
}

// TestPerturbedRunsFindMore, say which seed they use, and take it.
func TestPerturbedRunsFindMore(t *testing.T) {
	lost := func(out string) int {
		_, n, ok := strings.Cut(out, "lost ")
		require.True(t, ok, out)
		n, _, _ = strings.Cut(n, "\n")
		v, err := strconv.Atoi(n)
		require.NoError(t, err)
		return v
	}
	out, ok := inMode(t, "TestPerturbedChild", "LOOM_MODE=perturb", "LOOM_SEED=7")
	require.True(t, ok, out)
	require.Contains(t, out, "loom: delays before operations: LOOM_MODE=perturb LOOM_SEED=7\n")
	require.Positive(t, lost(out))
	out, ok = inMode(t, "TestPerturbedChild", "LOOM_MODE=perturb")
	require.True(t, ok, out)
	require.Regexp(t, `loom: delays before operations: LOOM_MODE=perturb LOOM_SEED=\d+\n`, out)
	require.Positive(t, lost(out))
}

// TestRecordedChild uses all there is, on goroutines and in an exploration.
func TestRecordedChild(t *testing.T) {
	onlyAsChild(t)
	s := newStock()
	holds(t, func() { new(stock).i.Add(1) })
	var group sync.WaitGroup
	for i := range 3 {
		group.Go(func() {
			for range 20 {
				s.i.Add(1)
				s.i.CompareAndSwap(5, 3)
				s.b.Store(s.i.Load()%2 == 0)
				atomic.AddUint32(&s.plain, 2)
				s.mu.Lock()
				s.c.Store(s.c.Load() + 1)
				s.mu.Unlock()
				if s.mu.TryLock() {
					s.mu.Unlock()
				}
				s.rw.RLock()
				s.rw.RUnlock()
				s.rw.Lock()
				s.rw.Unlock()
				s.v.Store(i)
				s.m.LoadOrStore(i, i)
			}
			s.once.Do(func() {})
			loom.Call()
			loom.Return()
		})
	}
	ready := false
	waiter := loom.Go(func() {
		s.mu.Lock()
		for !ready {
			s.cond.Wait()
		}
		s.mu.Unlock()
	})
	s.mu.Lock()
	ready = true
	s.mu.Unlock()
	s.cond.Broadcast()
	waiter.Join()
	group.Wait()
	fired := make(chan bool)
	time.AfterFunc(1, func() { close(fired) })
	<-fired
	s.timer.Stop()
}

// recorded is a line of a record.
type recorded struct {
	PID, Seq, Goroutine, Object uint64
	Kind, Op, In, Out, Place    string
}

func (e recorded) String() string { return fmt.Sprintf("%+v", struct{ recorded }{e}) }

// TestRecord: the events of a record are all that happened outside of
// explorations, in an order in which it could have happened.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events.jsonl")
	out, ok := inMode(t, "TestRecordedChild", "LOOM_MODE=record", "LOOM_RECORD="+file)
	require.True(t, ok, out)
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	ops := map[string]int{}
	state := replayed{value: map[uint64]int{}, held: map[uint64]int{}}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e recorded
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&e))
		state.seq++
		require.EqualValues(t, state.seq, e.Seq)
		require.Positive(t, e.PID)
		require.Positive(t, e.Goroutine)
		if e.Kind == "int" {
			require.Regexp(t, `^modes_test\.go:\d+$`, e.Place)
		}
		ops[e.Kind+" "+e.Op]++
		require.Empty(t, state.step(e), "%v", e)
	}
	want := map[string]int{
		"int Add": 60, "int CompareAndSwap": 60, "int Load": 60, "bool Store": 60, "uint Add": 60, "value Store": 60,
		"cell Load": 60, "cell Store": 60, "rwmutex RLock": 60, "rwmutex Lock": 60, "map LoadOrStore": 60, "mutex TryLock": 60,
		"waitgroup Add": 6, "waitgroup Wait": 1, "thread go": 4, "thread start": 4, "thread end": 4, "cond Broadcast": 1,
		"once Do": 1, "once Do returns": 2, "stamps Call": 3, "stamps Return": 3, "timer fires": 1, "timer Stop": 1,
	}
	for op, n := range want {
		require.Equal(t, n, ops[op], op)
	}
	require.Equal(t, ops["mutex Lock"]+state.tried, ops["mutex Unlock"])
}

// replayed is the state after some events of a record.
type replayed struct {
	seq   int
	value map[uint64]int
	held  map[uint64]int // by lock: -1 a writer, else readers
	tried int            // successful TryLocks
}

// step does what an event says and returns why it cannot have happened then.
func (r *replayed) step(e recorded) string {
	v, held := r.value[e.Object], r.held[e.Object]
	switch e.Kind + " " + e.Op {
	case "int Add", "uint Add":
		d, _ := strconv.Atoi(e.In)
		r.value[e.Object] = v + d
		return differs(e.Out, v+d)
	case "int Load":
		return differs(e.Out, v)
	case "int CompareAndSwap":
		if v == 5 {
			r.value[e.Object] = 3
		}
		return differs(e.Out, v == 5)
	case "cell Load":
		return differs(e.Out, v)
	case "cell Store":
		r.value[e.Object]++
		return differs(e.In, v+1)
	case "mutex Lock", "rwmutex Lock":
		r.held[e.Object] = -1
		return differs("0", held)
	case "rwmutex RLock":
		r.held[e.Object]++
		if held < 0 {
			return "a writer has it"
		}
	case "rwmutex RUnlock":
		r.held[e.Object]--
		if held <= 0 {
			return "no reader has it"
		}
	case "mutex TryLock":
		if held == 0 {
			r.held[e.Object] = -1
			r.tried++
		}
		return differs(e.Out, held == 0)
	case "mutex Unlock", "rwmutex Unlock":
		r.held[e.Object] = 0
		return differs("-1", held)
	case "waitgroup Wait":
		return differs("0", v)
	case "waitgroup Add":
		d, _ := strconv.Atoi(e.In)
		r.value[e.Object] = v + d
		return differs(e.Out, v+d)
	}
	return ""
}

func differs(is string, want any) string {
	if is == fmt.Sprint(want) {
		return ""
	}
	return fmt.Sprintf("%s, and it must be %v", is, want)
}
