package main

import (
	"math/rand/v2"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// injectDriver drives an inject queue: all threads push and pop, alone and in
// batches, and one closes it while the others go on.
type injectDriver struct{ threads int }

func (d *injectDriver) target() model.Target { return model.Inject }

func (d *injectDriver) logs() ([]int, int) { return upTo(d.threads), 4 * injectOps }

func (d *injectDriver) claims() []model.Claim {
	return []model.Claim{model.InjectFIFO, model.ClosedReturnsTasks, model.LenHint, model.BusyIsHonest,
		model.NoLostTask, model.NoDuplicateTask}
}

// injectLife is one life of an inject queue.
type injectLife struct {
	q       queue.Inject[model.Task]
	logs    []*linearizability.Log
	keep    int // above this length everybody pops
	ops     int // after so many operations of its own the closer closes
	closer  int
	yield   int
	prefill int
	next    []model.Task
}

func (d *injectDriver) play(l *life, c *crew.Crew) {
	g := &injectLife{
		logs:   l.logs,
		keep:   []int{1, 4, 16, 48}[l.rng.IntN(4)],
		ops:    l.rng.IntN(2 * injectOps),
		closer: l.rng.IntN(d.threads),
		yield:  []int{16, 64, 256}[l.rng.IntN(3)],
		next:   make([]model.Task, d.threads),
	}
	if l.rng.IntN(4) == 0 {
		// More or less than a block, so that the others cross its end.
		g.prefill = l.rng.IntN(maxBatch)
	}
	switch {
	case g.ops < injectOps:
		l.load = "close race"
	case g.prefill > 0:
		l.load = "burst"
	case g.keep == 1:
		l.load = "nearly empty"
	default:
		l.load = "steady"
	}
	seeds := l.seeds(d.threads)
	l.trouble = c.Run(crew.Alone(func() {
		if g.prefill > 0 {
			g.push(0, g.prefill)
		}
	}))
	if !l.trouble.Any() {
		l.trouble = c.Run(func(t int) { g.live(t, rand.New(rand.NewPCG(seeds[t], 2))) })
	}
	if !l.trouble.Any() {
		l.trouble = c.Run(crew.Alone(func() { g.drain(0) }))
	}
}

// injectOps is how many operations a thread does in a life of an inject queue,
// and maxBatch bounds how many tasks it pushes at once.
const (
	injectOps = 250
	maxBatch  = 300
)

func (g *injectLife) live(t int, rng *rand.Rand) {
	log := g.logs[t]
	for i := range injectOps {
		if t == g.closer && i == g.ops {
			closeInject(log, &g.q)
			// Whatever is pushed in spite of the close comes after this.
			g.drain(t)
		}
		switch k := rng.IntN(12); {
		case k == 0:
			count(log, model.InjectLen, 0, g.q.Len)
		case k < 7 && g.q.Len() <= g.keep:
			n := 1
			if rng.IntN(3) == 0 {
				n = 2 + rng.IntN(4)
			}
			g.push(t, n)
		case k < 9:
			g.pop(t)
		default:
			popInject(log, &g.q, 1+rng.IntN(8))
		}
		pause(rng, g.yield)
	}
}

func (g *injectLife) drain(t int) {
	for popInject(g.logs[t], &g.q, 8) {
	}
}

func (g *injectLife) push(t, n int) {
	log := g.logs[t]
	var buf [maxBatch]model.Task
	tasks := buf[:n]
	for i := range tasks {
		g.next[t] += model.Task(len(g.logs))
		tasks[i] = g.next[t] - model.Task(t)
	}
	args := log.Tasks(tasks...)
	kept := false
	if n == 1 {
		log.Begin(model.Op{Kind: model.InjectPush, Args: args})
		kept = g.q.Push(args[0])
	} else {
		log.Begin(model.Op{Kind: model.InjectBatch, Args: args})
		kept = g.q.PushBatch(args)
	}
	log.End(model.Result{Outcome: model.Closed})
	if kept {
		log.Amend(model.Result{Outcome: model.Kept})
	}
}

func (g *injectLife) pop(t int) {
	log := g.logs[t]
	log.Begin(model.Op{Kind: model.InjectPop})
	v, ok := g.q.Pop()
	log.End(model.Result{Outcome: model.Empty})
	if ok {
		log.Amend(model.Result{Outcome: model.Took, Tasks: log.Tasks(v)})
	}
}
