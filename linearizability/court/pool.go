package court

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// PoolOps is one pool of goroutines, or a scheduler.
type PoolOps struct {
	// Submit gives the pool a task and reports whether it was accepted. It may
	// wait for a worker.
	Submit func(task func()) bool
	// Close returns when every task that was accepted has run.
	Close func()
	// Late says that Submit may be called while Close is, and after it, and then
	// reports false.
	Late bool
	// Nested says that tasks may submit tasks.
	Nested bool
}

// Pool is a pool that make makes. It panics if make is nil.
func Pool(make func() PoolOps) Subject {
	if make == nil {
		panic("court: Pool(nil): want a function that makes a pool")
	}
	return subject(func() driver { return &pool{make: make} })
}

// pool drives pools in one audit. It makes none that is not closed.
type pool struct {
	make func() PoolOps
	late bool // of the last that was made
}

func (*pool) threads(most int) int        { return max(2, most) }
func (*pool) logs(threads int) (int, int) { return threads, lifeOps + 8 }

// poolLife is one life of a pool.
type poolLife struct {
	PoolOps
	*life
	mu   sync.Mutex
	runs []model.Operation // ended
	ids  atomic.Int64
}

func (p *pool) play(l *life) {
	g := &poolLife{PoolOps: p.make(), life: l}
	if g.Submit == nil || g.Close == nil {
		panic("court: no pool: Submit or Close is nil")
	}
	p.late = g.Late
	closer, at := l.rng.IntN(l.threads), l.rng.IntN(lifeOps/2)
	l.run(func(t int, rng *rand.Rand) {
		for i := range lifeOps / 2 {
			if g.Late && t == closer && i == at {
				g.close(t)
			}
			g.submit(t, rng)
			g.load.pause(rng)
		}
	})
	l.alone(0, func() {
		if !g.Late {
			g.close(0)
		}
	})
	l.end(model.Sched, l.threads+1, 0)
	g.merge()
}

// merge puts the runs among the operations, in the order of the calls. A run that
// comes later than this is one that Close did not wait for, which the judge finds
// missing.
func (g *poolLife) merge() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.h.Ops = append(g.h.Ops, g.runs...)
	slices.SortFunc(g.h.Ops, func(a, b model.Operation) int { return cmp.Compare(a.Call, b.Call) })
}

func (g *poolLife) submit(t int, rng *rand.Rand) {
	log := g.logs[t]
	id := model.Task(g.ids.Add(1))
	work, child := rng.IntN(200), g.Nested && rng.IntN(4) == 0
	args := log.Tasks(id)
	log.Begin(model.Op{Kind: model.Submit, Args: args})
	accepted := g.Submit(func() { g.task(id, work, child) })
	log.End(model.Result{Outcome: model.Closed})
	if accepted {
		log.Amend(model.Result{Outcome: model.Kept})
	}
}

// task is what a task does, recorded by itself.
func (g *poolLife) task(id model.Task, work int, child bool) {
	o := model.Operation{Thread: g.threads, Op: model.Op{Kind: model.Run, Args: []model.Task{id}},
		Result: model.Result{Outcome: model.Done}, Call: g.clock.Call()}
	for i := range work {
		if i%64 == 63 {
			runtime.Gosched()
		}
	}
	var inner *model.Operation
	if child {
		inner = g.nested()
	}
	o.Return = g.clock.Return()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.runs = append(g.runs, o)
	if inner != nil {
		g.runs = append(g.runs, *inner)
	}
}

// nested submits a task from inside of one.
func (g *poolLife) nested() *model.Operation {
	id := model.Task(g.ids.Add(1))
	o := &model.Operation{Thread: g.threads, Op: model.Op{Kind: model.Spawned, Args: []model.Task{id}}, Call: g.clock.Call()}
	o.Outcome = model.Closed
	if g.Submit(func() { g.task(id, 0, false) }) {
		o.Outcome = model.Kept
	}
	o.Return = g.clock.Return()
	return o
}

func (g *poolLife) close(t int) {
	log := g.logs[t]
	log.Begin(model.Op{Kind: model.Close})
	g.Close()
	log.End(model.Result{Outcome: model.Done})
}

func (p *pool) hints() words.Hints { return words.PoolHints(p.late) }

func (*pool) words() words.Words { return words.Pool }

func (p *pool) needs(r *Report) []need {
	out := []need{{"operations called while another was under way", r.Overlap, 1000},
		{"tasks run", r.of(model.Run, model.Done), 1000}, {"closes", r.of(model.Close, model.Done), 10}}
	if p.late {
		out = append(out, need{"submits refused after a close", r.of(model.Submit, model.Closed), 10})
	}
	return out
}
