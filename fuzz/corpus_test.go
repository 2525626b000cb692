package fuzz_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// ordered returns the scenarios of the corpus that are programs.
func ordered(t *testing.T) []model.Scenario {
	all, err := model.Corpus()
	require.NoError(t, err)
	var out []model.Scenario
	for _, s := range all {
		switch s.Target {
		case model.Ring, model.Inject, model.Park:
			out = append(out, s)
		}
	}
	require.NotEmpty(t, out)
	return out
}

// corpusDir is where the committed entries are.
var corpusDir = filepath.Join("testdata", "fuzz", "FuzzScenario")

func corpusFile(name string) string { return filepath.Join(corpusDir, name) }

// TestCorpus checks that the committed corpus of FuzzScenario is the scenarios
// of package model, each as bytes, and nothing else.
func TestCorpus(t *testing.T) {
	want := map[string]bool{}
	for _, s := range ordered(t) {
		want[s.Name] = true
		p, err := fuzz.Of(s)
		require.NoError(t, err)
		data, err := fuzz.Encode(p)
		require.NoError(t, err)
		require.Equal(t, p, fuzz.Decode(data))
		entry := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", data)
		if *update {
			require.NoError(t, os.MkdirAll(corpusDir, 0o755))
			require.NoError(t, os.WriteFile(corpusFile(s.Name), []byte(entry), 0o644))
		}
		have, err := os.ReadFile(corpusFile(s.Name))
		require.NoError(t, err, "to add what is missing: go test ./fuzz -run '^TestCorpus$' -update")
		require.Equal(t, entry, string(have), "scenario %s has changed: go test ./fuzz -run '^TestCorpus$' -update", s.Name)
	}
	files, err := os.ReadDir(corpusDir)
	require.NoError(t, err)
	for _, f := range files {
		require.True(t, want[f.Name()], "%s is no scenario: if the fuzzer has found it, put it into model/scenarios "+
			"under a name that says what it shows, and delete the file", corpusFile(f.Name()))
	}
}
