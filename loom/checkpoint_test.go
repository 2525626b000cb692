//go:build loom

package loom_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// longProgram is what the tests of this file explore: 13,824 traces.
func longProgram() { adds(4, 3) }

// TestExploredInAnotherProcess is run by the tests of this file.
func TestExploredInAnotherProcess(t *testing.T) {
	file := os.Getenv("LOOM_TEST_CHECKPOINT")
	if file == "" {
		return // not run by one of them
	}
	n := 0
	r, err := loom.Explore(func() {
		if n++; n%100 == 0 {
			fmt.Println("alive", n)
		}
		longProgram()
	}, loom.Checkpoint(file))
	require.NoError(t, err)
	text, err := json.Marshal(r)
	require.NoError(t, err)
	fmt.Println("report", string(text))
}

// another runs TestExploredInAnotherProcess, and kills it after the given number
// of lines of output. It returns the report of one that was not killed.
func another(t *testing.T, file string, lines int) (r loom.Report, ended bool) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestExploredInAnotherProcess$", "-test.v")
	cmd.Env = append(os.Environ(), "LOOM_TEST_CHECKPOINT="+file, "LOOM_CHECKPOINT_EVERY=1ms")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	killed, text := false, ""
	for s := bufio.NewScanner(out); s.Scan(); {
		text += s.Text() + "\n"
		if report, ok := strings.CutPrefix(s.Text(), "report "); ok {
			require.NoError(t, json.Unmarshal([]byte(report), &r))
			ended = true
		}
		if lines--; lines == 0 {
			killed = true
			require.NoError(t, cmd.Process.Kill())
		}
	}
	if err := cmd.Wait(); !killed {
		require.NoError(t, err, text)
	}
	return r, ended
}

// TestKilledSearchGoesOn kills a search at random moments, until it comes to its
// end, ten times over: the totals are those of one that nobody disturbs.
func TestKilledSearchGoesOn(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	whole, err := loom.Explore(longProgram)
	require.NoError(t, err)
	for range 10 {
		file := filepath.Join(t.TempDir(), "saved")
		kills := 0
		for {
			r, ended := another(t, file, 1+random.IntN(60))
			if !ended {
				kills++
				require.Less(t, kills, 200, "it does not get on")
				continue
			}
			require.Equal(t, whole.Traces, r.Traces)
			require.Equal(t, whole.Executions, r.Executions)
			require.Equal(t, whole.Steps, r.Steps)
			require.True(t, r.Exhausted)
			break
		}
		t.Logf("%d kills", kills)
	}
}

// TestSavedSearchOfAnotherIsRefused: neither of another exploration nor of a body
// that has changed.
func TestSavedSearchOfAnotherIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved")
	explore := func() error {
		_, err := loom.Explore(longProgram, loom.Checkpoint(file))
		return err
	}
	require.NoError(t, os.WriteFile(file, []byte("{"), 0o600))
	require.ErrorContains(t, explore(), "is not a saved search")
	require.NoError(t, os.WriteFile(file, []byte(`{"Form":7}`), 0o600))
	require.ErrorContains(t, explore(), "is a saved search of form 7")
	require.NoError(t, os.WriteFile(file, []byte(`{"Form":2,"Tag":"TestOther by optimal"}`), 0o600))
	require.ErrorContains(t, explore(), "is a saved search of TestOther by optimal, not of")
}

// TestSavedSearchOfAChangedBodyIsRefused: the beginning of the path does not fit.
func TestSavedSearchOfAChangedBodyIsRefused(t *testing.T) {
	t.Setenv("LOOM_CHECKPOINT_EVERY", "1ns")
	file := filepath.Join(t.TempDir(), "saved")
	changed := false
	explore := func() (loom.Report, error) {
		runs := 0
		return loom.Explore(func() {
			if runs++; runs == 1000 && !changed {
				panic("stop here")
			}
			if changed {
				x := make([]atomic.Int64, 3)
				each(4, func(int) {
					for w := range x {
						x[w].Store(1)
					}
				})
			} else {
				longProgram()
			}
		}, loom.Checkpoint(file), loom.Deadline(time.Hour))
	}
	_, err := explore()
	require.ErrorContains(t, err, "stop here")
	require.FileExists(t, file)
	changed = true
	_, err = explore()
	require.ErrorContains(t, err, "does not fit the body")
}

// TestSavedSearchThatHasEndedIsNotRunAgain: its file has the report.
func TestSavedSearchThatHasEndedIsNotRunAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved")
	runs := 0
	explore := func() loom.Report {
		r, err := loom.Explore(func() { runs++; readers(4) }, loom.Checkpoint(file))
		require.NoError(t, err)
		return r
	}
	first := explore()
	n := runs
	second := explore()
	require.Equal(t, n, runs, "the body was run again")
	require.True(t, second.Exhausted)
	require.Equal(t, first.Traces, second.Traces)
}
