//go:build loom

package loom_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// A program is a list of operations for each of its threads, made at random.
type program struct {
	threads [][]operation
	touch   bool // the body is the first to touch the objects
}

type operation struct {
	name string
	a, b int // which object, which value
}

// operations are what a random program is made of, with the number of steps
// that each may take.
var operations = []struct {
	name  string
	steps int
	do    func(s *shared, o operation) any
}{
	{"load", 1, func(s *shared, o operation) any { return s.word[o.a].Load() }},
	{"store", 1, func(s *shared, o operation) any { s.word[o.a].Store(int32(o.b)); return nil }},
	{"add", 1, func(s *shared, o operation) any { return s.word[o.a].Add(1) }},
	{"swap", 1, func(s *shared, o operation) any { return s.word[o.a].Swap(int32(o.b)) }},
	{"cas", 1, func(s *shared, o operation) any { return s.word[o.a].CompareAndSwap(0, int32(o.b)) }},
	{"cas back", 1, func(s *shared, o operation) any { return s.word[o.a].CompareAndSwap(int32(o.b), 0) }},
	{"casloop", 3, func(s *shared, o operation) any {
		for {
			if v := s.word[o.a].Load(); s.word[o.a].CompareAndSwap(v, v+1) {
				return v
			}
		}
	}},
	{"locked add", 3, func(s *shared, o operation) any {
		s.mu[o.a].Lock()
		defer s.mu[o.a].Unlock()
		return s.word[o.b&1].Add(1)
	}},
	{"nested locks", 4, func(s *shared, o operation) any {
		s.mu[o.a].Lock()
		s.mu[1-o.a].Lock()
		s.mu[1-o.a].Unlock()
		s.mu[o.a].Unlock()
		return nil
	}},
	{"trylock", 2, func(s *shared, o operation) any {
		ok := s.mu[o.a].TryLock()
		if ok {
			s.mu[o.a].Unlock()
		}
		return ok
	}},
	{"lock and keep", 1, func(s *shared, o operation) any { s.mu[o.a].Lock(); return nil }},
	{"wait", 5, func(s *shared, o operation) any {
		s.mu[0].Lock()
		defer s.mu[0].Unlock()
		if s.word[o.a].Load() == 0 {
			s.cond.Wait()
		}
		return s.word[o.a].Load()
	}},
	{"signal", 1, func(s *shared, _ operation) any { s.cond.Signal(); return nil }},
	{"broadcast", 1, func(s *shared, _ operation) any { s.cond.Broadcast(); return nil }},
	{"rlock", 2, func(s *shared, _ operation) any { s.rw.RLock(); s.rw.RUnlock(); return nil }},
	{"read word", 3, func(s *shared, o operation) any {
		s.rw.RLock()
		defer s.rw.RUnlock()
		return s.word[o.a].Load()
	}},
	{"wlock", 3, func(s *shared, o operation) any {
		s.rw.Lock()
		defer s.rw.Unlock()
		return s.word[o.a].Add(1)
	}},
	{"tryrlock", 2, func(s *shared, _ operation) any {
		ok := s.rw.TryRLock()
		if ok {
			s.rw.RUnlock()
		}
		return ok
	}},
	{"trywlock", 2, func(s *shared, _ operation) any {
		ok := s.rw.TryLock()
		if ok {
			s.rw.Unlock()
		}
		return ok
	}},
	{"group", 2, func(s *shared, _ operation) any { s.group.Add(1); s.group.Done(); return nil }},
	{"group add", 1, func(s *shared, _ operation) any { s.group.Add(1); return nil }},
	{"group done", 1, func(s *shared, _ operation) (v any) {
		defer func() { v = recover() }()
		s.group.Done()
		return nil
	}},
	{"runlock", 1, func(s *shared, _ operation) any { s.rw.RUnlock(); return nil }},
	{"group wait", 1, func(s *shared, o operation) any { s.group.Wait(); return nil }},
	{"once", 2, func(s *shared, o operation) any {
		first := false
		s.once.Do(func() { first = true })
		return first
	}},
	{"choose", 1, func(s *shared, o operation) any {
		if v := loom.Choose(2); v == 1 {
			s.word[o.a].Store(int32(o.b))
		}
		return nil
	}},
	{"choose of 3", 2, func(s *shared, o operation) any {
		v := loom.Choose(3)
		return s.word[o.a].Add(int32(v))
	}},
	{"call", 2, func(s *shared, _ operation) any { loom.Call(); loom.Return(); return nil }},
	{"timer", 3, func(s *shared, o operation) any {
		t := time.AfterFunc(1, func() { s.word[o.a].Add(10) })
		return t.Stop()
	}},
	{"reset timer", 2, func(s *shared, _ operation) any { return s.timer.Reset(1) }},
	{"stop timer", 2, func(s *shared, _ operation) any { return s.timer.Stop() }},
	{"await", 3, func(s *shared, o operation) any {
		for s.word[o.a].Load() == 0 {
			loom.Yield()
		}
		return nil
	}},
	{"await any", 4, func(s *shared, o operation) any {
		for s.word[0].Load() == 0 && s.word[1].Load() == 0 {
			loom.Yield()
		}
		return nil
	}},
	{"spin for the lock", 4, func(s *shared, o operation) any {
		for !s.mu[o.a].TryLock() {
			loom.Yield()
		}
		defer s.mu[o.a].Unlock()
		return s.word[o.b&1].Load()
	}},
	{"spawn and go on", 2, func(s *shared, o operation) any {
		loom.Go(func() { s.word[o.a].Store(int32(o.b)) })
		return nil
	}},
	{"fail if", 1, func(s *shared, o operation) any {
		if v := s.word[o.a].Load(); int(v) == o.b {
			loom.Failf("Planted", "%d", v)
		}
		return nil
	}},
	{"spawn", 2, func(s *shared, o operation) any {
		loom.Go(func() { s.word[o.a].Add(100) }).Join()
		return nil
	}},
}

// shared is what the threads of a program share.
type shared struct {
	word  [2]atomic.Int32
	mu    [2]sync.Mutex
	cond  *sync.Cond
	rw    sync.RWMutex
	group sync.WaitGroup
	once  sync.Once
	timer *time.Timer
}

// randomProgram makes a program of 2 to 4 threads with at most 6 operations
// each, and of at most steps steps if no loop goes round.
func randomProgram(r *rand.Rand, steps int) program {
	p := program{threads: make([][]operation, 2+r.IntN(3)), touch: r.IntN(2) == 0}
	// Few kinds of operations, so that they meet.
	var kinds []int
	for range 2 + r.IntN(5) {
		kinds = append(kinds, r.IntN(len(operations)))
	}
	for tries := 0; steps > 0 && tries < 50; tries++ {
		i, k := r.IntN(len(p.threads)), kinds[r.IntN(len(kinds))]
		if o := operations[k]; o.steps <= steps && len(p.threads[i]) < 6 {
			steps -= o.steps
			p.threads[i] = append(p.threads[i], operation{o.name, r.IntN(2), 1 + r.IntN(2)})
		}
	}
	return p
}

func (p program) has(name string) bool {
	return slices.ContainsFunc(p.threads, func(ops []operation) bool {
		return slices.ContainsFunc(ops, func(o operation) bool { return o.name == name })
	})
}

// String prints p so that it can be read.
func (p program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "touch: %v\n", p.touch)
	for i, ops := range p.threads {
		fmt.Fprintf(&b, "thread %d:", i+1)
		for _, o := range ops {
			fmt.Fprintf(&b, " %s(%d,%d);", o.name, o.a, o.b)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// body returns the body that runs p and tells end, for every execution that
// ends, all that its threads have seen and left behind.
func (p program) body(end func(string)) func() { return p.watched(func([]string) {}, end) }

// watched is body that also passes to begin where the threads note what they
// have seen so far.
func (p program) watched(begin func(seen []string), end func(string)) func() {
	return func() {
		s := &shared{}
		s.cond = sync.NewCond(&s.mu[0])
		d := loom.Drive() // in a Graph
		d.Root("shared", s)
		if p.touch {
			s.touchAll()
		}
		if p.has("reset timer") || p.has("stop timer") {
			s.timer = time.AfterFunc(1, func() { s.word[0].Add(10) })
		}
		seen := make([]string, len(p.threads))
		d.Root("seen", &seen)
		begin(seen)
		threads := make([]*loom.Thread, len(p.threads))
		for i, ops := range p.threads {
			threads[i] = loom.Go(func() {
				for _, o := range ops {
					seen[i] += fmt.Sprintf(" %s=%v", o.name, s.do(o))
				}
			})
		}
		for _, t := range threads {
			t.Join()
		}
		end(fmt.Sprint(seen, s.word[0].Load(), s.word[1].Load()))
	}
}

// touchAll gives the objects their numbers.
func (s *shared) touchAll() {
	s.word[0].Load()
	s.word[1].Load()
	s.mu[0].TryLock()
	s.mu[0].Unlock()
	s.mu[1].TryLock()
	s.mu[1].Unlock()
	s.cond.Signal()
	s.rw.RLock()
	s.rw.RUnlock()
	s.group.Wait()
	loom.Call()
}

func (s *shared) do(o operation) any {
	for _, k := range operations {
		if k.name == o.name {
			return k.do(s, o)
		}
	}
	panic("loom: no operation " + o.name)
}
