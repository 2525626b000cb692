package fuzz_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// TestASavedProgramOfAnotherTargetIsRefused: it would be run on what it is not about, and
// pass. The file and the line are named.
func TestASavedProgramOfAnotherTargetIsRefused(t *testing.T) {
	inject, park, ring := on(model.Inject), on(model.Park), on(model.Ring)
	for name, c := range map[string]struct {
		shape      fuzz.Shape
		text, want string
	}{
		"right":                 {inject, "target: inject\nfirst: inject.push 1\nsecond: inject.pop\nclaims: NoLostTask\n", ""},
		"right with a setup":    {ring, "target: ring\ncapacity: 4\nsetup: push 1\nsetup thief: push 2\nowner: pop\nthief: steal owner\nclaims: NoLostTask\n", ""},
		"right for all targets": {fuzz.Bytes, "target: park\nfirst: park\nsecond: unpark first\nclaims: TokenKept\n", ""},
		"right with what waits": {on(model.Sched), "target: sched\nworkers: 2\nfirst: submit 1, await 1\nclaims: EveryTaskRuns\n", ""},
		"of another target": {inject, "# Found by FuzzX: NoLostTask violated when run in order.\ntarget: ring\ncapacity: 2\nowner: push 1\nclaims: NoLostTask\n",
			":2: a program on target ring, but this fuzz target runs programs on inject"},
		"of a deque": {fuzz.Bytes, "target: deque\nowner: deque.push 1\nthief: deque.steal\nclaims: NoLostTask\n",
			":1: target deque is none that programs run on"},
		"too many threads": {inject, "target: inject\na: inject.push 1\nb: inject.pop\nc: inject.pop\nd: inject.pop\nclaims: NoLostTask\n",
			":5: 4 threads, but programs of this fuzz target have 1 to 3"},
		"too many operations": {park, "target: park\nfirst: unpark second, unpark second, unpark second, unpark second, unpark second, unpark second\nsecond: park\nclaims: TokenKept\n",
			":1: it is no program of this fuzz target: fuzz: number of operations number 5 is not one of the 5"},
		"a capacity that is too large": {ring, "target: ring\ncapacity: 1024\nowner: push 1\nclaims: NoLostTask\n",
			":1: it is no program of this fuzz target: fuzz: capacity number -1 is not one of"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "FuzzX-claim.txt")
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
			found, err := fuzz.Found(dir, "FuzzX", c.shape)
			if c.want == "" {
				require.NoError(t, err)
				require.Contains(t, found, file)
				return
			}
			require.ErrorContains(t, err, "fuzz: "+file+c.want)
			require.Nil(t, found)
		})
	}
}

// TestTheirTargetRefusesTheProgramsOfOthers says so of targets of other people's code,
// whose threads may do some of a target's operations only.
func TestTheirTargetRefusesTheProgramsOfOthers(t *testing.T) {
	for text, want := range map[string]string{
		"target: deque\nowner: deque.push 1\nthief: deque.steal\nclaims: NoLostTask\n":                            ":1: a program on target deque, but this fuzz target runs programs on inject",
		"target: inject\nfirst: inject.push 1\nsecond: inject.close\nclaims: NoLostTask\n":                        ":3: inject.close by second, which no program of this fuzz target does",
		"target: inject\nsetup: inject.popn 3\nfirst: inject.push 1\nsecond: inject.pop\nclaims: NoLostTask\n":    ":2: inject.popn 3 before the threads start, which no program of this fuzz target does",
		"target: inject\nfirst: inject.push 1\nsecond: inject.pop\nthird: inject.batch 2 3\nclaims: NoLostTask\n": ":4: inject.batch 2 3 by third, which no program of this fuzz target does",
		"target: inject\nfirst: inject.push 1\nclaims: NoLostTask\n":                                              ":2: 1 threads, but programs of this fuzz target have 2 to 4",
	} {
		dir := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, fuzz.FoundDir), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, fuzz.FoundDir, "FuzzTheirs-x.txt"), []byte(text), 0o644))
		out, err := test(t, dir, "queue", "-test.run=^FuzzTheirs$")
		require.Error(t, err, "%s passes:\n%s", text, out)
		require.Contains(t, out, "FuzzTheirs-x.txt"+want)
	}
}

// TestLoadRefusesWhatCannotBeRun says so of what TestReplay is given.
func TestLoadRefusesWhatCannotBeRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deque.txt")
	require.NoError(t, os.WriteFile(file, []byte("# A deque.\ntarget: deque\nowner: deque.push 1\nclaims: NoLostTask\n"), 0o644))
	_, err := fuzz.Load(file)
	require.EqualError(t, err, "fuzz: "+file+":2: target deque is none that programs run on")
}
