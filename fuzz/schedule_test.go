//go:build loom

package fuzz_test

import (
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestBySchedule runs programs of every target, too large to be explored, each
// with its steps in some order: what the fuzz targets do, with rapid's choices.
func TestBySchedule(t *testing.T) {
	for _, target := range []model.Target{model.Ring, model.Inject, model.Park, model.Tracker, model.Idle, model.Sched} {
		t.Run(target.String(), func(t *testing.T) {
			effort(t, 1500, 30)
			begin := time.Now()
			failed := false
			rapid.Check(t, func(t *rapid.T) {
				if !failed && time.Since(begin) > 3*time.Second {
					return
				}
				p := fuzz.Programs(on(target)).Draw(t, "program")
				p.Schedule = rapid.SliceOfN(rapid.Byte(), 0, 16).Draw(t, "schedule")
				err := fuzz.Once(p)
				failed = failed || err != nil
				require.NoError(t, err)
			})
		})
	}
}
