package fuzz

import (
	"hash/fnv"
	"math/rand/v2"
)

// drawsOf is where the random choices for p come from, always the same.
func drawsOf(p Program) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(p.String()))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// scheduleMost is how many stretches a schedule has at most that is drawn.
const scheduleMost = 12

// few draws a schedule: stretches of which many are short.
func few(rng *rand.Rand) []byte { return small(rng, rng.IntN(scheduleMost)) }

// small draws n bytes, more of them small than large.
func small(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32()) >> (rng.Uint32() % 4)
	}
	return b
}
