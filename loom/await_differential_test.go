//go:build loom

package loom_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// till are conditions that a thread waits for. A round that has not seen what it
// waits for has left everything as it was.
var till = map[string]func(d *den) bool{
	"x is set":         func(d *den) bool { return d.x.Load() != 0 },
	"x or y is set":    func(d *den) bool { return d.x.Load() != 0 || d.y.Load() != 0 },
	"x and y are set":  func(d *den) bool { return d.x.Load() != 0 && d.y.Load() != 0 },
	"x is 2":           func(d *den) bool { return d.x.CompareAndSwap(2, 3) },
	"lock":             func(d *den) bool { return d.mu.TryLock() },
	"read lock":        func(d *den) bool { return d.rw.TryRLock() },
	"guarded, is set":  func(d *den) bool { d.mu.Lock(); defer d.mu.Unlock(); return d.c.Load() != 0 },
	"shared, is set":   func(d *den) bool { d.rw.RLock(); defer d.rw.RUnlock(); return d.s.Load() != 0 },
	"the group is up":  func(d *den) bool { return d.up.Load() == 2 },
	"y set, z too":     func(d *den) bool { return d.y.Swap(d.y.Load()) != 0 },
	"both locks, x":    func(d *den) bool { d.mu.Lock(); defer d.mu.Unlock(); return d.x.Load() != 0 },
	"two sections, x":  func(d *den) bool { d.mu.Lock(); d.mu.Unlock(); d.rw.Lock(); d.rw.Unlock(); return d.x.Load() != 0 },
	"x or the guarded": func(d *den) bool { d.mu.Lock(); defer d.mu.Unlock(); return d.x.Load()+int32(d.c.Load()) != 0 },
}

// deeds are what other threads do meanwhile.
var deeds = map[string]func(d *den) string{
	"set x":        func(d *den) string { d.x.Store(1); return "" },
	"clear x":      func(d *den) string { d.x.Store(0); return "" },
	"add to x":     func(d *den) string { return fmt.Sprint(d.x.Add(1)) },
	"set y":        func(d *den) string { return fmt.Sprint(d.y.Swap(1)) },
	"set guarded":  func(d *den) string { d.mu.Lock(); d.c.Store(1); d.mu.Unlock(); return "" },
	"set shared":   func(d *den) string { d.rw.Lock(); d.s.Store(1); d.rw.Unlock(); return "" },
	"section":      func(d *den) string { d.mu.Lock(); d.y.Load(); d.mu.Unlock(); return "" },
	"look at x":    func(d *den) string { return fmt.Sprint(d.x.Load()) },
	"try":          func(d *den) string { return tried(d.mu.TryLock, d.mu.Unlock) },
	"try to read":  func(d *den) string { return tried(d.rw.TryRLock, d.rw.RUnlock) },
	"try to write": func(d *den) string { return tried(d.rw.TryLock, d.rw.Unlock) },
	"up":           func(d *den) string { return fmt.Sprint(d.up.Add(1)) },
}

func tried(try func() bool, unlock func()) string {
	ok := try()
	if ok {
		unlock()
	}
	return fmt.Sprint(ok)
}

// den is what the programs share.
type den struct {
	x, y, up atomic.Int32
	mu       sync.Mutex
	rw       sync.RWMutex
	c        cell.Cell[int] // guarded by mu
	s        cell.Cell[int] // guarded by rw
}

// release undoes a condition that takes something.
var release = map[string]func(d *den){
	"lock":      func(d *den) { d.mu.Unlock() },
	"read lock": func(d *den) { d.rw.RUnlock() },
}

// endings explores a program and returns what its threads have seen in the
// executions that come to an end. With rounds 0, waiting is Yield; else a thread
// that has not seen what it waits for after so many rounds gives up, and nothing
// that comes of that counts.
func endings(t *testing.T, threads [][]string, rounds int, algorithm string) []string {
	t.Helper()
	set := map[string]bool{}
	r, err := loom.Explore(func() {
		d := &den{}
		saw := make([]string, len(threads))
		gaveUp := false
		var started []*loom.Thread
		for i, names := range threads {
			started = append(started, loom.Go(func() {
				for _, name := range names {
					if deed := deeds[name]; deed != nil {
						saw[i] += deed(d) + ";"
						continue
					}
					n := 1
					for !till[name](d) {
						if n++; n == rounds+1 {
							gaveUp = true
							return
						}
						if rounds == 0 {
							loom.Yield()
						}
					}
					if f := release[name]; f != nil {
						f(d)
					}
				}
			}))
		}
		for _, th := range started {
			th.Join()
		}
		if !gaveUp {
			set[fmt.Sprint(saw, d.x.Load(), d.y.Load(), d.up.Load())] = true
		}
	}, loom.KeepGoing(), loom.Algorithm(algorithm), loom.MaxSteps(2000))
	if err != nil && rounds > 0 {
		require.NoError(t, err)
	}
	require.True(t, r.Exhausted, "%v", err)
	return slices.Sorted(maps.Keys(set))
}

// TestYieldHasTheEndsOfGoingRound compares, on random programs, loops that wait in
// Yield to loops that go round and round: what can come of them is the same.
func TestYieldHasTheEndsOfGoingRound(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 150)
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d go test -tags loom -run '^%s$' ./loom", seed, programs, t.Name())
	r := rand.New(rand.NewPCG(seed, 3))
	waiting, doing := slices.Sorted(maps.Keys(till)), slices.Sorted(maps.Keys(deeds))
	ends := 0
	for range programs {
		p := [][]string{{waiting[r.IntN(len(waiting))]}, nil}
		for range 1 + r.IntN(3) {
			p[1] = append(p[1], doing[r.IntN(len(doing))])
		}
		if r.IntN(3) == 0 {
			p = append(p, []string{doing[r.IntN(len(doing))]})
		}
		if r.IntN(3) == 0 {
			p[0] = append(p[0], doing[r.IntN(len(doing))])
		}
		want := endings(t, p, 4, "sleep")
		ends += len(want)
		for _, algorithm := range []string{"sleep", "optimal"} {
			require.Equal(t, want, endings(t, p, 0, algorithm), "%s: %s", algorithm, strings.Join(slices.Concat(p...), ", "))
		}
	}
	require.Greater(t, ends, int(programs)/5)
}
