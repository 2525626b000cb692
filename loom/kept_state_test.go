//go:build loom

package loom_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// stateful are bodies that keep state from one execution to the next. What an
// exploration says of them is worth nothing.
func stateful() map[string]func() {
	var sum atomic.Int32
	var plain, before, runs int
	var flag atomic.Bool
	once := sync.OnceFunc(func() {})
	done := map[string]bool{}
	two := func(f func()) {
		a, b := loom.Go(f), loom.Go(f)
		a.Join()
		b.Join()
	}
	return map[string]func(){
		"a word that is summed up": func() {
			two(func() { sum.Add(1) })
			if n := sum.Load(); n != 2 {
				loom.Failf("Sum", "%d", n)
			}
		},
		"a word, and a message that is always the same": func() {
			two(func() { sum.Add(1) })
			if sum.Load() > 2 {
				loom.Failf("Sum", "too much")
			}
		},
		"a word, and nothing violated": func() {
			var x atomic.Int32
			loom.Go(func() { x.Store(1) })
			loom.Go(func() { x.Store(2) })
			sum.Add(1)
			x.Load()
		},
		"a flag": func() {
			if flag.Load(); flag.Swap(true) {
				loom.Failf("Flag", "set")
			}
			var x atomic.Int32
			two(func() { x.Add(1) })
		},
		"a plain variable": func() {
			var x atomic.Int32
			two(func() { x.Add(1) })
			if plain++; plain > 1 {
				loom.Failf("Plain", "again")
			}
		},
		"a plain variable in the message": func() {
			var x atomic.Int32
			runs++
			x.Store(1)
			two(func() { x.Add(1) })
			loom.Failf("Plain", "run %d", runs)
		},
		"a map": func() {
			var x atomic.Int32
			two(func() { once(); x.Add(1) })
			if before = len(done); before > 0 {
				panic("known already")
			}
			done["x"] = true
		},
	}
}

func TestStateKeptBetweenExecutionsIsRefused(t *testing.T) {
	for name := range stateful() {
		for _, algorithm := range []string{"optimal", "sleep"} {
			for _, o := range [][]loom.Option{nil, {loom.KeepGoing()}} {
				t.Run(name+" by "+algorithm, func(t *testing.T) {
					_, err := loom.Explore(stateful()[name], append(o, loom.Algorithm(algorithm))...)
					var v *loom.Violation
					require.NotErrorAs(t, err, &v)
					require.ErrorContains(t, err, "the body is not deterministic")
				})
			}
		}
	}
}

// TestAddressesInWordsAreNoState: they are others in each execution.
func TestAddressesInWordsAreNoState(t *testing.T) {
	var held []*[64]int
	r := holds(t, func() {
		var x atomic.Uintptr
		var y atomic.Int32
		kept := new([64]int)
		held = append(held, kept) // so that the next one is elsewhere
		x.Store(address(kept))
		x.Load()
		x.Load() // after the same steps, with another value read
		loom.Go(func() { y.Store(1) })
		y.Store(2)
	})
	require.Equal(t, 2, r.Traces)
	v := violation(t, func() {
		var x atomic.Uintptr
		p := new([64]int)
		loom.Go(func() { x.Store(address(p)) })
		if x.Load() != 0 {
			loom.Failf("Set", "to %p", p)
		}
	})
	require.Equal(t, "Set", v.Claim)
}

func address(p *[64]int) uintptr { return uintptr(unsafe.Pointer(p)) }
