package fuzz_test

import (
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parked is a failure of a program that parks once and unparks n times.
func parked(n int) *fuzz.Failure {
	unparks := make([]model.Op, n)
	for i := range unparks {
		unparks[i] = model.Op{Kind: model.Unpark}
	}
	s := model.Scenario{Target: model.Park, Claims: []model.Claim{model.TokenKept}, Threads: []model.Thread{
		{Name: "first", Ops: []model.Op{{Kind: model.ParkToken}}}, {Name: "second", Ops: unparks}}}
	return &fuzz.Failure{Program: fuzz.Program{Scenario: s}, How: "in order", Err: errors.New("planted")}
}

// TestSavedAtOnceIsSavedWhole: the processes of go test -fuzz save what they find to
// one file, the shorter over the longer, and read there what others have saved.
func TestSavedAtOnceIsSavedWhole(t *testing.T) {
	for range 10 {
		dir := t.TempDir()
		var savers sync.WaitGroup
		for range 4 {
			savers.Go(func() {
				for n := 100; n > 0; n-- {
					file, err := parked(n).Save(dir, "FuzzPark")
					if !assert.NoError(t, err) {
						return
					}
					if _, err = fuzz.Load(file); !assert.NoError(t, err) {
						return
					}
				}
			})
		}
		savers.Wait()
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 1, "what is left besides the scenario")
	}
}
