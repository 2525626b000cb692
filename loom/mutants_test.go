//go:build loom

package loom_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// edit replaces the one occurrence of old in a file below internal.
type edit struct{ file, old, new string }

// mutants are bugs of the checker itself, and a test that notices.
var mutants = []struct {
	name   string
	killer string // must fail; may name a subtest, and after a colon be of a package below internal
	edits  []edit
}{
	{"independence compares the wrong way (dscheck f0375d2)", "TestCounts/IRIW", []edit{{"machine/op.go",
		"return e.Object != f.Object || conflicts[e.Mode]&(1<<f.Mode) == 0", "return e.Object == f.Object || conflicts[e.Mode]&(1<<f.Mode) == 0"}}},
	{"loads and stores commute", "TestCounts/IRIW", []edit{{"machine/op.go",
		"Read:     1<<Write | 1<<Adding | 1<<Sharing,", "Read:     1<<Adding | 1<<Sharing,"},
		{"machine/op.go", "Write:    1<<Read | 1<<Write |", "Write:    1<<Write |"}}},
	{"a failed compare-and-swap writes", "TestCounts", []edit{{"machine/op.go",
		"return writeIf(op.swaps())", "return Write"}}},
	{"a compare-and-swap reads", "TestCounts", []edit{{"machine/op.go",
		"return writeIf(op.swaps())", "return Read"}}},
	{"a lock can be taken twice", "TestExclusion", []edit{{"machine/op.go",
		"case Lock:\n\t\treturn !o.held", "case Lock:\n\t\treturn true"}}},
	{"a waiting writer lets readers in", "TestWaitingWriterKeepsReadersOut", []edit{{"machine/op.go",
		"case RLock:\n\t\treturn !o.held", "case RLock:\n\t\treturn !o.held || o.count > 0"}}},
	{"a signal wakes the first waiter", "TestSignalWakesAnyWaiter", []edit{{"machine/cond.go",
		"if n > 1 {", "if n > 9 {"}}},
	{"a signal without waiter is remembered (mratsim/weave#56)", "TestSignalWithoutWaiterIsNothing", []edit{
		{"machine/cond.go", "if n == 0 {\n", "if n == 0 {\n\t\to.count++\n"},
		{"machine/cond.go", "if !t.signalled {", "if t.on.count > 0 {\n\t\tt.on.count, t.waker = 0, t\n\t} else if !t.signalled {"}}},
	{"a store does not advance the clock (tokio-rs/loom#119)", "TestRace", []edit{{"machine/word.go",
		"o.clock.copyFrom(t.clock)\n\tt.clock.tick(t.id)\n}\n\n// ModifyWord", "o.clock.copyFrom(t.clock)\n}\n\n// ModifyWord"}}},
	{"a store keeps what the word knew", "TestRacingTraces", []edit{{"machine/word.go",
		"t.step(Store, o)\n\to.clock.copyFrom(t.clock)", "t.step(Store, o)\n\to.clock.join(t.clock)"}}},
	{"a store learns what the word knows", "TestRacingTraces", []edit{{"machine/word.go",
		"t.step(Store, o)\n", "t.step(Store, o)\n\tt.clock.join(o.clock)\n"}}},
	{"a load learns nothing", "TestNoRace", []edit{{"machine/word.go",
		"t.step(Load, o)\n\tt.clock.join(o.clock)", "t.step(Load, o)"}}},
	{"a failed TryLock synchronizes", "TestRace", []edit{{"machine/lock.go",
		"t.step(TryLock, o)\n", "t.step(TryLock, o)\n\tt.locked(o)\n"},
		{"machine/lock.go", "t.locks(o, locking, 1)\n\tif o.count", "t.locks(o, locking, 1)\n\to.clock.join(t.clock)\n\tif o.count"}}},
	{"unlock publishes nothing", "TestNoRace", []edit{{"machine/lock.go",
		"t.locks(o, locking, -1)\n\to.clock.join(t.clock)", "t.locks(o, locking, -1)"}}},
	{"loads are not compared with a later store", "TestRace", []edit{{"machine/cell.go",
		"if i != t.id && t.clock.at(i) < at {", "if i != t.id && at > 1<<30 {"}}},
	{"Done does not commute with Done", "TestWaitGroupWaitsForAll", []edit{{"machine/op.go",
		"return Write // it will panic\n\t\t}\n\t\treturn Adding", "return Write // it will panic\n\t\t}\n\t\treturn Write"}}},
	{"a stopped timer fires", "TestStoppedTimerDoesNotFire", []edit{{"machine/timer.go",
		"w.done, o.armed = true, nil\n\t\tt.m.live--", "o.armed = nil"}}},
	{"Call and Return commute", "TestStampsOrderOperations", []edit{{"machine/op.go",
		"Entering: 1 << Leaving,\n\tLeaving:  1 << Entering,", "Entering: 0,\n\tLeaving:  0,"}}},
	{"what unwinding threads say is reported", "TestAbandonedThreadsEnd", []edit{{"machine/failure.go",
		"if m.ending {\n\t\treturn\n\t}\n\tif m.Failure == nil {\n\t\tm.Failure = &f\n\t}", "m.Failure = &f"}}},
	{"the second run of a schedule is not compared with the first", "TestNotDeterministic", []edit{{"explore/path.go",
		"case op.Object() != pt.effect.Object || op.Code != pt.code:", "case false:"},
		{"explore/path.go", "case t.Effect() != pt.effect:", "case false:"},
		{"explore/path.go", "case t.Values() != pt.values:", "case false:"},
		{"explore/path.go", "if pt.n != n || pt.thread != t.ID() {", "if false {"}}},
}

// TestMutants plants each bug in the checker and expects a test to notice. To
// build and run them all takes minutes: without LOOM_TEST_MUTANTS, a regular
// expression, three are drawn.
func TestMutants(t *testing.T) {
	which := os.Getenv("LOOM_TEST_MUTANTS")
	chosen := map[int]bool{}
	for len(chosen) < 3 && which == "" {
		chosen[rand.IntN(len(mutants))] = true
	}
	pattern, err := regexp.Compile(which)
	require.NoError(t, err)
	planted := 0
	for i, m := range mutants {
		if which == "" && !chosen[i] || !pattern.MatchString(m.name) {
			continue
		}
		planted++
		t.Run(m.name, func(t *testing.T) {
			overlay := plant(t, m.edits)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			killer, pkg := m.killer, "."
			if below, name, ok := strings.Cut(m.killer, ":"); ok {
				killer, pkg = name, "./internal/"+below
			}
			parts := strings.Split(killer, "/")
			run := "^" + strings.Join(parts, "$/^") + "$"
			cmd := exec.CommandContext(ctx, "go", "test", "-tags", "loom", "-count=1", "-timeout=60s", "-overlay", overlay, "-run", run, pkg)
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "survived %s:\n%s", m.killer, out)
			require.Contains(t, string(out), "--- FAIL: "+parts[0], "replay: LOOM_TEST_MUTANTS='^%s$' go test -tags loom -run '^TestMutants$' ./loom", regexp.QuoteMeta(m.name))
		})
	}
	var names []string
	for _, m := range mutants {
		names = append(names, m.name)
	}
	require.Positive(t, planted, "no bug matches LOOM_TEST_MUTANTS=%s; there are\n%s", which, strings.Join(names, "\n"))
}

// TestPlantedBugsFitTheSource: what is to be replaced is there, in all of them.
func TestPlantedBugsFitTheSource(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) { plant(t, m.edits) })
	}
}

// plant writes the edited files and returns the name of an overlay for them.
func plant(t *testing.T, edits []edit) string {
	t.Helper()
	text := map[string]string{}
	for _, e := range edits {
		name, err := filepath.Abs(filepath.Join("internal", filepath.FromSlash(e.file)))
		require.NoError(t, err)
		if _, seen := text[name]; !seen {
			source, err := os.ReadFile(name)
			require.NoError(t, err)
			text[name] = string(source)
		}
		require.Equal(t, 1, strings.Count(text[name], e.old), "%s must have this once:\n%s", e.file, e.old)
		text[name] = strings.Replace(text[name], e.old, e.new, 1)
	}
	return overlayOf(t, text)
}

// overlayOf writes the given text of files and returns the name of an overlay that
// has it in their place.
func overlayOf(t *testing.T, text map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for name, source := range text {
		replace[name] = filepath.Join(dir, filepath.Base(name))
		require.NoError(t, os.WriteFile(replace[name], []byte(source), 0o644))
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, list, 0o644))
	return overlay
}
