package fuzz_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// FuzzScenario runs the program that the first part of the input stands for, on
// whatever it says; under the tag loom by the schedule that is the second. Its
// corpus are the scenarios of package model; see TestCorpus.
func FuzzScenario(f *testing.F) { fuzz.Target(f, fuzz.Bytes) }

// on is the shape of quick programs on one target.
func on(t model.Target) fuzz.Shape {
	sh := fuzz.Quick
	sh.Target = t
	return sh
}

// FuzzRing is FuzzScenario for smaller programs on the ring and the queue that it
// overflows to.
func FuzzRing(f *testing.F) { fuzz.Target(f, on(model.Ring)) }

// FuzzInject is FuzzScenario for the inject queue.
func FuzzInject(f *testing.F) { fuzz.Target(f, on(model.Inject)) }

// FuzzPark is FuzzScenario for the parker.
func FuzzPark(f *testing.F) { fuzz.Target(f, on(model.Park)) }

// FuzzSleepers is FuzzScenario for the idle word and its list of sleepers.
func FuzzSleepers(f *testing.F) { fuzz.Target(f, on(model.Tracker)) }

// FuzzIdle is FuzzScenario for workers that search, sleep and wake one another.
func FuzzIdle(f *testing.F) { fuzz.Target(f, on(model.Idle)) }

// FuzzSched is FuzzScenario for the whole scheduler.
func FuzzSched(f *testing.F) { fuzz.Target(f, on(model.Sched)) }

// TestReplay runs the program that FUZZ_REPLAY names, by a token or as the path
// of a scenario file. Without it, it runs the corpus the same two ways.
func TestReplay(t *testing.T) {
	name := os.Getenv("FUZZ_REPLAY")
	if name != "" {
		p, err := programOf(name)
		require.NoError(t, err)
		t.Logf("replay of\n%s", p)
		if err := fuzz.Thoroughly(p, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, s := range programs(t) {
		file := filepath.Join(t.TempDir(), s.Name+".txt")
		require.NoError(t, os.WriteFile(file, []byte(model.Format(s)), 0o600))
		fromFile, err := programOf(file)
		require.NoError(t, err)
		fromToken, err := programOf(fromFile.Token())
		require.NoError(t, err)
		require.Equal(t, fromFile, fromToken)
		require.NoError(t, fuzz.Once(fromToken))
	}
}

// programOf returns the program that FUZZ_REPLAY means.
func programOf(name string) (fuzz.Program, error) {
	if !strings.HasSuffix(name, ".txt") {
		return fuzz.Parse(name)
	}
	return fuzz.Load(name)
}

// FuzzParse feeds the parser of scenarios. A text is refused with a position
// inside it, or it has one normal form.
func FuzzParse(f *testing.F) {
	corpus, err := model.Corpus()
	require.NoError(f, err)
	for _, s := range corpus {
		f.Add(model.Format(s))
	}
	f.Add("")
	f.Add("target: ring\ncapacity: 3\n")
	f.Add("\ufeff# Windows.\r\ntarget: inject\r\na: inject.pop\r\nclaims: BusyIsHonest\r\n")
	f.Add("target: park\nfirst: park\nclaims: TokenKept\nfirst: unpark first\n")
	f.Fuzz(func(t *testing.T, text string) { requireParses(t, text) })
}

// requireParses checks what is true of every text.
func requireParses(t require.TestingT, text string) {
	s, err := model.Parse("text", text)
	if err != nil {
		var at *model.SyntaxError
		require.True(t, errors.As(err, &at), "%v has no position", err)
		lines := strings.Split(text, "\n")
		require.GreaterOrEqual(t, at.Line, 1, "%v", err)
		require.LessOrEqual(t, at.Line, len(lines)+1, "%v", err)
		length := 0
		if at.Line <= len(lines) {
			length = len(lines[at.Line-1])
		}
		require.GreaterOrEqual(t, at.Col, 1, "%v", err)
		require.LessOrEqual(t, at.Col, length+1, "%v", err)
		require.NotEmpty(t, at.Message)
		require.Equal(t, model.Scenario{}, s, "a scenario came with an error")
		return
	}
	normal := model.Format(s)
	again, err := model.Parse("text", normal)
	require.NoError(t, err, "%s", normal)
	require.Equal(t, s, again)
	require.Equal(t, normal, model.Format(again))
}
