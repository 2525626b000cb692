package fuzz_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// judge runs a program in order and then concurrently.
func judge(p fuzz.Program) error {
	if _, err := fuzz.InOrder(p); err != nil {
		return err
	}
	const rounds = 4
	limit := time.Second
	if loom.Enabled {
		limit = 100 * time.Millisecond // an input of the fuzzer must not take long
	}
	_, err := fuzz.Concurrently(p, rounds, limit)
	return err
}

// FuzzScenario runs the program that the input stands for. Its corpus are the
// scenarios of package model; see TestCorpus.
func FuzzScenario(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := judge(fuzz.Decode(data)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestReplay runs the program that FUZZ_REPLAY names, by a token or as the path
// of a scenario file. Without it, it runs the corpus the same two ways.
func TestReplay(t *testing.T) {
	name := os.Getenv("FUZZ_REPLAY")
	if name != "" {
		p, err := named(name)
		require.NoError(t, err)
		t.Logf("replay of\n%s", p)
		if err := judge(p); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, s := range ordered(t) {
		file := filepath.Join(t.TempDir(), s.Name+".txt")
		require.NoError(t, os.WriteFile(file, []byte(model.Format(s)), 0o600))
		fromFile, err := named(file)
		require.NoError(t, err)
		fromToken, err := named(fromFile.Token())
		require.NoError(t, err)
		require.Equal(t, fromFile, fromToken)
		require.NoError(t, judge(fromToken))
	}
}

// named returns the program that FUZZ_REPLAY means.
func named(name string) (fuzz.Program, error) {
	if !strings.HasSuffix(name, ".txt") {
		return fuzz.Parse(name)
	}
	s, err := model.Load(name)
	if err != nil {
		return fuzz.Program{}, err
	}
	return fuzz.Of(s)
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
