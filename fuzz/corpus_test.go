package fuzz_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// programs returns the scenarios of the corpus that are programs. Those with
// workers are not, if a task waits for one that it has not spawned.
func programs(t *testing.T) []model.Scenario {
	all, err := model.Corpus()
	require.NoError(t, err)
	var out []model.Scenario
	for _, s := range all {
		p, err := fuzz.Of(s)
		require.NoError(t, err)
		if _, err = fuzz.Encode(p); err != nil {
			require.True(t, s.Target == model.Idle || s.Target == model.Sched, "%v", err)
			continue
		}
		out = append(out, s)
	}
	require.NotEmpty(t, out)
	return out
}

// corpusDir is where the committed entries of a target are.
func corpusDir(target string) string { return filepath.Join("testdata", "fuzz", target) }

// named are the targets of one kind of program, each with what it runs on.
var named = map[string]model.Target{"FuzzScenario": 0, "FuzzRing": model.Ring, "FuzzInject": model.Inject,
	"FuzzPark": model.Park, "FuzzIdle": model.Idle, "FuzzSleepers": model.Tracker, "FuzzSched": model.Sched}

// TestCorpus checks that the committed corpora of the targets that run programs
// are the scenarios of package model, each as bytes, and nothing else.
func TestCorpus(t *testing.T) {
	for target, on := range named {
		t.Run(target, func(t *testing.T) { requireCorpus(t, target, on) })
	}
}

func requireCorpus(t *testing.T, target string, of model.Target) {
	shape := fuzz.Quick
	shape.Target = of
	if of == 0 {
		shape = fuzz.Bytes
	}
	want := map[string]bool{}
	for _, s := range programs(t) {
		if of != 0 && s.Target != of {
			continue
		}
		p, err := fuzz.Of(s)
		require.NoError(t, err)
		data, err := shape.Encode(p)
		if err != nil && of != 0 {
			continue // too large: it is in the corpus of FuzzScenario
		}
		require.NoError(t, err)
		want[s.Name] = true
		require.Equal(t, p, shape.Decode(data))
		entry := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n[]byte(%q)\n", data, schedule(s.Name))
		file := filepath.Join(corpusDir(target), s.Name)
		if *update {
			require.NoError(t, os.MkdirAll(corpusDir(target), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(entry), 0o644))
		}
		have, err := os.ReadFile(file)
		require.NoError(t, err, "to add what is missing: go test ./fuzz -run '^TestCorpus$' -update")
		require.Equal(t, entry, string(have), "scenario %s has changed: go test ./fuzz -run '^TestCorpus$' -update", s.Name)
	}
	require.Greater(t, len(want), 2)
	files, err := os.ReadDir(corpusDir(target))
	require.NoError(t, err)
	for _, f := range files {
		require.True(t, want[f.Name()], "%s is no scenario: if the fuzzer has found it, put the file that it has saved "+
			"into model/scenarios under a name that says what it shows, and delete this one", filepath.Join(corpusDir(target), f.Name()))
	}
}

// schedule is some schedule of a few stretches, another one for every name.
func schedule(name string) []byte {
	sum := sha256.Sum256([]byte(name))
	return sum[:6]
}
