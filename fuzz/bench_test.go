package fuzz_test

import (
	"math/rand/v2"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// BenchmarkOnce is the cost of one random input of a fuzz target, without that of
// the fuzzer.
func BenchmarkOnce(b *testing.B) {
	for _, target := range []model.Target{model.Ring, model.Inject, model.Park, model.Tracker, model.Idle, model.Sched} {
		b.Run(target.String(), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, uint64(target)))
			bytes := func(n int) []byte {
				out := make([]byte, n)
				for i := range out {
					out[i] = byte(rng.Uint32())
				}
				return out
			}
			var programs []fuzz.Program
			for range 500 {
				p := on(target).Decode(bytes(rng.IntN(120)))
				p.Schedule = bytes(rng.IntN(20))
				programs = append(programs, p)
			}
			for i := 0; b.Loop(); i++ {
				require.NoError(b, fuzz.Once(programs[i%len(programs)]))
			}
		})
	}
}
