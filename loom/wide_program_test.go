//go:build loom

package loom_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// unpaired says whether random programs may give back what they have not taken, and
// count below zero, each of which ends a thread.
const unpaired = true

// doing is a doing of operation, and how many steps it takes at least.
type doing struct {
	name  string
	steps int
	do    func(w *fair, i int, o act) any // by thread i
}

var doings = slices.Concat(onWords, onLocks, onThreads)

// act is an operation of a program: of which doing, on which object, with which
// number.
type act struct{ kind, a, b int }

// wide is a program of many doings of operations.
type wide struct {
	threads  [][]act
	touch    bool // the body uses the objects first, so that they have the same numbers in all executions
	spurious bool
	detached bool // the body does not wait for its threads
}

// fair is what the threads of a wide program share.
type fair struct {
	x     [2]atomic.Int32
	p     [2]uint32
	q     int64
	b     atomic.Bool
	v     atomic.Value
	ptr   atomic.Pointer[int]
	u     atomic.Uint64
	m     sync.Map
	pool  sync.Pool
	mu    [2]sync.Mutex
	rw    sync.RWMutex
	c, rc *sync.Cond
	g     sync.WaitGroup
	once  sync.Once
	of    func() int
	timer *time.Timer
	cell  [2]cell.Cell[int]
	th    [8]*loom.Thread
	ints  [3]int
}

func (p wide) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "touch %v, spurious %v, detached %v\n", p.touch, p.spurious, p.detached)
	for i, acts := range p.threads {
		fmt.Fprintf(&b, "thread %d:", i+1)
		for _, o := range acts {
			fmt.Fprintf(&b, " %s(%d, %d);", doings[o.kind].name, o.a, o.b)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// has reports whether an operation of p has a name with one of the beginnings.
func (p wide) has(beginnings ...string) bool {
	return slices.ContainsFunc(slices.Concat(p.threads...), func(o act) bool { return begins(o.kind, beginnings) })
}

func begins(k int, beginnings []string) bool {
	return slices.ContainsFunc(beginnings, func(s string) bool { return strings.HasPrefix(doings[k].name, s) })
}

func newFair(p wide) *fair {
	w := &fair{}
	w.c, w.rc = sync.NewCond(&w.mu[0]), sync.NewCond(w.rw.RLocker())
	w.of = sync.OnceValue(func() int {
		if w.x[0].Load() == 1 {
			panic("once")
		}
		return 7
	})
	if p.touch {
		w.x[0].Load()
		w.x[1].Load()
		atomic.LoadUint32(&w.p[0])
		w.mu[0].Lock()
		w.mu[0].Unlock()
		w.rw.RLock()
		w.rw.RUnlock()
		w.c.Signal()
		w.m.Load(0)
	}
	if p.has("timer", "await timer") {
		w.timer = time.AfterFunc(1, func() { w.x[0].Add(1) })
	}
	return w
}

// body returns p as a body, which calls begin with a list that what its threads see
// is added to.
func (p wide) body(begin func(saw []string)) func() {
	return func() {
		if p.spurious {
			machine.Current().AllowSpurious()
		}
		w := newFair(p)
		saw := make([]string, len(p.threads)+1)
		begin(saw)
		for i, acts := range p.threads {
			w.th[i] = loom.Go(func() {
				for _, o := range acts {
					saw[i] += fmt.Sprintf(" %s=%v", doings[o.kind].name, doings[o.kind].do(w, i, o))
				}
				saw[i] += "."
			})
		}
		if p.detached {
			return
		}
		for i := range p.threads {
			w.th[i].Join()
		}
		saw[len(p.threads)] = fmt.Sprint(w.x[0].Load(), w.x[1].Load(), w.p, w.q, w.v.Load(), w.b.Load())
	}
}

// families are parts of names of doings that are worth to meet each other.
var families = []string{"map", "value", "rw", "timer", "g ", "cell", "await", "once", "wait", "signal", "lock", "ptr"}

// randomWide draws a program of about so many steps, of a few doings.
func randomWide(r *rand.Rand, steps int) wide {
	p := wide{threads: make([][]act, 2+r.IntN(3)), touch: r.IntN(3) == 0, spurious: r.IntN(4) == 0, detached: r.IntN(4) == 0}
	var few []int
	allow := func(k int) {
		if unpaired || !begins(k, []string{"g done", "naked runlock"}) {
			few = append(few, k)
		}
	}
	for range 2 + r.IntN(4) {
		allow(r.IntN(len(doings)))
	}
	family := families[r.IntN(len(families))]
	for k := range doings {
		if strings.Contains(doings[k].name, family) && r.IntN(4) == 0 {
			allow(k)
		}
	}
	for tries := 0; steps > 0 && tries < 40 && len(few) > 0; tries++ {
		i, k := r.IntN(len(p.threads)), few[r.IntN(len(few))]
		if doings[k].steps <= steps && len(p.threads[i]) < 5 {
			steps -= max(1, doings[k].steps)
			p.threads[i] = append(p.threads[i], act{k, r.IntN(2), 1 + r.IntN(2)})
		}
	}
	return p
}

// smaller returns the smallest program that it finds by leaving out operations of p
// and that is still wrong.
func (p wide) smaller(wrong func(wide) string) wide {
	for again := true; again; {
		again = false
		for i, acts := range p.threads {
			for j := range acts {
				q := p
				q.threads = slices.Clone(p.threads)
				q.threads[i] = slices.Delete(slices.Clone(acts), j, j+1)
				if !again && wrong(q) != "" {
					p, again = q, true
				}
			}
			if again {
				break
			}
		}
	}
	return p
}
