//go:build loom

package loom_test

import (
	"runtime"
	"strings"
	stdsync "sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// stock is one object of each type.
type stock struct {
	b     atomic.Bool
	i     atomic.Int64
	v     atomic.Value
	p     atomic.Pointer[int]
	plain uint32
	c     cell.Cell[int]
	mu    sync.Mutex
	rw    sync.RWMutex
	cond  *sync.Cond
	group sync.WaitGroup
	once  sync.Once
	timer *time.Timer
	m     sync.Map
}

func newStock() *stock {
	s := &stock{timer: time.AfterFunc(1<<60, func() {})}
	s.cond = sync.NewCond(&s.mu)
	return s
}

// uses are operations on each of them, all of which return.
var uses = map[string]func(s *stock){
	"Bool":                   func(s *stock) { s.b.Load() },
	"Bool, store":            func(s *stock) { s.b.Store(true) },
	"Bool, compare and swap": func(s *stock) { s.b.CompareAndSwap(true, false) },
	"Int64":                  func(s *stock) { s.i.Add(1) },
	"Int64, store":           func(s *stock) { s.i.Store(1) },
	"Value":                  func(s *stock) { s.v.Store(1) },
	"Value, swap":            func(s *stock) { s.v.Swap(2) },
	"Pointer":                func(s *stock) { s.p.Load() },
	"Pointer, store":         func(s *stock) { s.p.Store(nil) },
	"function":               func(s *stock) { atomic.AddUint32(&s.plain, 1) },
	"cell":                   func(s *stock) { s.c.Load() },
	"cell, store":            func(s *stock) { s.c.Store(1) },
	"Mutex":                  func(s *stock) { s.mu.Lock(); s.mu.Unlock() },
	"RWMutex":                func(s *stock) { s.rw.RLock(); s.rw.RUnlock() },
	"RWMutex, write":         func(s *stock) { s.rw.Lock(); s.rw.Unlock() },
	"Cond":                   func(s *stock) { s.cond.Signal() },
	"WaitGroup":              func(s *stock) { s.group.Wait() },
	"Once":                   func(s *stock) { s.once.Do(func() {}) },
	"Timer":                  func(s *stock) { s.timer.Stop() },
	"Map":                    func(s *stock) { s.m.Load(1) },
}

// TestPlainGoroutineIsNamed: a goroutine that a go statement starts is no thread
// of the exploration. It can do what it likes, but not with the objects of the
// execution, whether it comes before their first use there or after.
func TestPlainGoroutineIsNamed(t *testing.T) {
	for name, use := range uses {
		for _, when := range []string{"before", "after"} {
			t.Run(name+" "+when, func(t *testing.T) {
				_, err := loom.Explore(func() {
					s := newStock()
					if when == "after" {
						use(s)
					}
					done := make(chan bool)
					go func() { use(s); close(done) }()
					<-done
					if when == "before" {
						use(s)
					}
				})
				require.ErrorContains(t, err, "by a goroutine that is no thread of it")
				require.ErrorContains(t, err, "threads are started by loom.Go or WaitGroup.Go of loom/sync, not by a go statement or iter.Pull")
				require.ErrorContains(t, err, "identity_test.go:")
				if when == "after" {
					require.ErrorContains(t, err, "started by github.com/filch-sched/filch/loom_test.TestPlainGoroutineIsNamed")
				}
			})
		}
	}
}

// TestOthersGoOn: goroutines that are no threads of the exploration use the same
// types meanwhile, as they are outside of it.
func TestOthersGoOn(t *testing.T) {
	var inside int
	var rounds [2]int
	others := newStock()
	var group sync.WaitGroup
	stop := make(chan struct{})
	for i := range rounds {
		group.Go(func() {
			for ; ; rounds[i]++ {
				select {
				case <-stop:
					return
				default:
					for name, use := range uses {
						if !strings.HasPrefix(name, "cell") { // which is guarded
							use(others)
						}
					}
					others.mu.Lock()
					others.c.Store(others.c.Load() + 1)
					inside++
					others.mu.Unlock()
				}
			}
		})
	}
	before := newStock()
	before.i.Store(40)
	for range 20 {
		r := holds(t, func() {
			if before.i.Load() != 40 {
				loom.Failf("Value", "%d", before.i.Load())
			}
			all(func() { before.mu.Lock(); before.mu.Unlock() }, func() { before.mu.Lock(); before.mu.Unlock() })
		})
		require.Equal(t, 2, r.Traces)
	}
	close(stop)
	group.Wait()
	require.Equal(t, rounds[0]+rounds[1], inside, "the lock keeps others out")
}

// TestUseOutsideAndInside: words keep their values, and what is held outside may
// not be used inside.
func TestUseOutsideAndInside(t *testing.T) {
	s := newStock()
	runs := 0
	s.once.Do(func() { runs++ })
	holds(t, func() {
		s.once.Do(func() { loom.Failf("Once", "done twice") })
		new(sync.Once).Do(func() { runs++ })
	})
	require.Equal(t, 2, runs)

	taken := map[string]struct{ take, use func(s *stock) }{
		"Mutex":           {func(s *stock) { s.mu.Lock() }, func(s *stock) { s.mu.TryLock() }},
		"RWMutex":         {func(s *stock) { s.rw.Lock() }, func(s *stock) { s.rw.RLock() }},
		"RWMutex to read": {func(s *stock) { s.rw.RLock() }, func(s *stock) { s.rw.RLock() }},
		"WaitGroup":       {func(s *stock) { s.group.Add(1) }, func(s *stock) { s.group.Wait() }},
		"Cond": {func(s *stock) {
			entered := make(chan bool)
			go func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				close(entered)
				s.cond.Wait()
			}()
			<-entered
			s.mu.Lock()
			s.mu.Unlock()
		}, func(s *stock) { s.cond.Signal() }},
	}
	for name, c := range taken {
		t.Run(name, func(t *testing.T) {
			s := newStock()
			c.take(s)
			_, err := loom.Explore(func() { c.use(s) })
			require.ErrorContains(t, err, "that a goroutine outside of the exploration holds or waits for")
			require.ErrorContains(t, err, "identity_test.go:")
			s.cond.Signal()
		})
	}
}

func dup[T any](p *T) T { return *p }

// TestCopies: a copy has no state of its own.
func TestCopies(t *testing.T) {
	for name, f := range map[string]func(){
		"Int32":     func() { var x atomic.Int32; x.Store(1); y := dup(&x); y.Load() },
		"Mutex":     func() { var x sync.Mutex; x.Lock(); y := dup(&x); y.Lock() },
		"WaitGroup": func() { var x sync.WaitGroup; x.Add(1); y := dup(&x); y.Done() },
		"cell":      func() { var x cell.Cell[int]; x.Store(1); y := dup(&x); y.Load() },
		"a slice that grows": func() {
			s := make([]atomic.Int32, 1)
			s[0].Store(1)
			s = append(s, atomic.Int32{})
			s[0].Load()
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loom.Explore(f)
			require.ErrorContains(t, err, "loom: a copy of ")
			require.ErrorContains(t, err, " is used at identity_test.go:")
		})
	}
	holds(t, func() {
		var mu sync.Mutex
		mu.Lock()
		mu = sync.Mutex{} // a new one
		mu.Lock()
	})
}

// TestHandlesOfOthers: a thread is joined by those of its own execution.
func TestHandlesOfOthers(t *testing.T) {
	var kept *loom.Thread
	_, err := loom.Explore(func() {
		if kept != nil {
			kept.Join()
		}
		kept = loom.Go(func() {})
		loom.Choose(2)
	})
	require.ErrorContains(t, err, "loom: Join of a thread of another execution, at identity_test.go:")
	require.PanicsWithValue(t, "loom: Join outside the exploration that the thread belongs to", kept.Join)

	release := make(chan bool)
	outside := loom.Go(func() { <-release })
	_, err = loom.Explore(func() { outside.Join() })
	require.ErrorContains(t, err, "loom: Join of a goroutine that was started outside of the exploration and runs, at identity_test.go:")
	close(release)
	outside.Join()
	holds(t, func() { outside.Join() })
}

// TestObjectsOfAnotherExploration: an object may go from one to the next.
func TestObjectsOfAnotherExploration(t *testing.T) {
	s := newStock()
	for range 2 {
		r := holds(t, func() {
			s.mu.Lock() // and keep it
			s.i.Add(1)
		})
		require.Equal(t, 1, r.Traces, "in each execution the lock is free")
	}
	require.EqualValues(t, 2, s.i.Load())
	require.True(t, s.mu.TryLock())
}

func TestExplorationInsideAnother(t *testing.T) {
	holds(t, func() {
		_, err := loom.Explore(func() {})
		if err == nil {
			loom.Failf("Nested", "not refused")
		}
	})
}

// TestParallelExplorationsTakeTurns: tests that run in parallel do not mix.
func TestParallelExplorationsTakeTurns(t *testing.T) {
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			require.Equal(t, 36, loom.Check(t, func() { adds(3, 2) }).Traces)
		})
	}
}

// TestExplorationsOfGoroutines: explorations that goroutines start at once take
// turns, and none sees the threads of another.
func TestExplorationsOfGoroutines(t *testing.T) {
	var group stdsync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				r, err := loom.Explore(func() { adds(3, 2) })
				if err != nil || r.Traces != 36 {
					t.Errorf("%v, %v", r, err)
				}
				runtime.Gosched()
			}
		})
	}
	group.Wait()
}
