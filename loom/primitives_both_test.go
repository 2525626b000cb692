package loom_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// promises are what each primitive of the shim promises: bodies for Check in both
// builds, that also hold on goroutines outside of an exploration. They return what
// is wrong, or "".
var promises = map[string]func() string{
	"a Mutex lets one in": func() string {
		var mu sync.Mutex
		return exclusive(2, &mu)
	},
	"so does TryLock": func() string {
		var mu sync.Mutex
		return exclusive(2, spinner{mu.TryLock, mu.Unlock})
	},
	"a writer keeps readers out": func() string {
		var rw sync.RWMutex
		var in, both atomic.Int32
		read := func() {
			rw.RLock()
			if in.Load() != 0 {
				both.Store(1)
			}
			rw.RUnlock()
		}
		join(read, read, func() {
			rw.Lock()
			in.Store(1)
			in.Store(0)
			rw.Unlock()
		})
		return unless(both.Load() == 0, "a reader met a writer")
	},
	"a signal wakes a waiter": func() string {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		left, taken := 0, 0
		take := func() {
			mu.Lock()
			for left == 0 {
				c.Wait()
			}
			left--
			taken++
			mu.Unlock()
		}
		join(take, take, func() {
			for range 2 {
				mu.Lock()
				left++
				mu.Unlock()
				c.Signal()
			}
		})
		return unless(taken == 2, "taken: ", taken)
	},
	"a broadcast wakes all": func() string {
		var rw sync.RWMutex
		c := sync.NewCond(rw.RLocker())
		var ready, awake atomic.Int32
		wait := func() {
			c.L.Lock()
			for ready.Load() == 0 {
				c.Wait()
			}
			awake.Add(1)
			c.L.Unlock()
		}
		join(wait, wait, func() {
			rw.Lock()
			ready.Store(1)
			rw.Unlock()
			c.Broadcast()
		})
		return unless(awake.Load() == 2, "awake: ", awake.Load())
	},
	"a WaitGroup waits for all, twice": func() string {
		var group sync.WaitGroup
		var done atomic.Int32
		for round := range int32(2) {
			for range 2 {
				group.Go(func() { done.Add(1) })
			}
			if group.Wait(); done.Load() != 2*round+2 {
				return fmt.Sprint("ended: ", done.Load())
			}
		}
		return ""
	},
	"a Once runs once, before anybody comes back": func() string {
		var once sync.Once
		var runs, early atomic.Int32
		do := func() {
			once.Do(func() { runs.Add(1) })
			if runs.Load() != 1 {
				early.Store(1)
			}
		}
		join(do, do)
		return unless(early.Load() == 0 && runs.Load() == 1, "runs: ", runs.Load())
	},
	"OnceValue gives all the same": func() string {
		var runs atomic.Int32
		get := sync.OnceValue(func() int32 { return runs.Add(1) })
		var other atomic.Int32
		look := func() {
			if get() != 1 {
				other.Store(1)
			}
		}
		join(look, look)
		return unless(other.Load() == 0, "it ran twice")
	},
	"a Map stores each key once": func() string {
		var m sync.Map
		var stored atomic.Int32
		put := func() {
			if _, loaded := m.LoadOrStore("k", 1); !loaded {
				stored.Add(1)
			}
		}
		join(put, put)
		return unless(stored.Load() == 1, "stored: ", stored.Load())
	},
	"a compare-and-swap has one winner": func() string {
		var x, won atomic.Int32
		try := func() {
			if x.CompareAndSwap(0, 1) {
				won.Add(1)
			}
		}
		join(try, try, try)
		return unless(won.Load() == 1, "won: ", won.Load())
	},
	"Yield ends with the wait": func() string {
		var x atomic.Int32
		join(func() { x.Store(1) }, func() {
			for x.Load() == 0 {
				loom.Yield()
			}
		})
		return ""
	},
}

// spinner is a lock that is taken by trying.
type spinner struct {
	try    func() bool
	unlock func()
}

func (s spinner) Lock() {
	for !s.try() {
		loom.Yield()
	}
}

func (s spinner) Unlock() { s.unlock() }

// exclusive has n threads in a section behind a lock and returns what is wrong if
// more than one are in it at once.
func exclusive(n int, l sync.Locker) string {
	var inside, worst atomic.Int32
	enter := func() {
		l.Lock()
		if in := inside.Add(1); in > 1 {
			worst.Store(in)
		}
		inside.Add(-1)
		l.Unlock()
	}
	join(slices.Repeat([]func(){enter}, n)...)
	return unless(worst.Load() == 0, "inside: ", worst.Load())
}

// join runs functions on threads, or goroutines, and waits for them.
func join(fs ...func()) {
	var threads []*loom.Thread
	for _, f := range fs {
		threads = append(threads, loom.Go(f))
	}
	for _, t := range threads {
		t.Join()
	}
}

func unless(ok bool, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprint(args...)
}

// TestPromises explores each promise, or stresses it in the ordinary build, and
// tries it on goroutines.
func TestPromises(t *testing.T) {
	for name, f := range promises {
		t.Run(name, func(t *testing.T) {
			r := loom.Check(t, func() {
				if wrong := f(); wrong != "" {
					loom.Failf("Promise", "%s: %s", name, wrong)
				}
			})
			if loom.Enabled && !r.Exhausted {
				t.Error("not explored to the end")
			}
			for range 200 {
				if wrong := f(); wrong != "" {
					t.Fatalf("on goroutines: %s", wrong)
				}
			}
		})
	}
}
