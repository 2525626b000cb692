package main

import (
	"math/rand/v2"
	"runtime"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// ringDriver drives rings: thread 0 pushes to one and pops from it, the others
// steal from it and from each other's, always from a lower number, so that no
// task is in one ring twice. Overflows go to an inject queue that all pop from.
type ringDriver struct{ threads int }

func (d *ringDriver) target() model.Target { return model.Ring }

// ringOps is how many operations a thread does in a life of the rings, to which
// come those that empty them at its end.
const ringOps = 2400

func (d *ringDriver) logs() ([]int, int) { return upTo(d.threads), ringOps + largeRing + drainRest }

func (d *ringDriver) claims() []model.Claim {
	return []model.Claim{model.NoLostTask, model.NoDuplicateTask, model.FIFO, model.StealHalf, model.OverflowKeepsOldest,
		model.CapacityFromSteal, model.SingleThief, model.BusyIsHonest, model.WrapSafe, model.LenHint,
		model.InjectFIFO, model.ClosedReturnsTasks}
}

// ringMix is how one life of the rings is driven.
type ringMix struct {
	load     string
	capacity int
	start    uint32
	push     int // of 16 operations of the owner that are not counts, so many push
	batch    int // and one in so many pushes is a batch
	empties  int // a thief pops on with a chance of one in so many
	yield    int // one in so many operations gives the processor away
	ops      int // of each thread
	mesh     bool
	closes   bool
	burst    int // of so many operations the owner does the same in a row, if not 0
}

// largeRing is the largest capacity that is driven.
const largeRing = 4096

func newRingMix(rng *rand.Rand) ringMix {
	// In a large ring a steal takes long enough for others to meet it.
	capacities := []int{2, 2, 4, 4, 8, 16, 64, 256, largeRing, largeRing, largeRing, largeRing}
	m := ringMix{
		capacity: capacities[rng.IntN(len(capacities))],
		push:     []int{6, 8, 12, 15, 16}[rng.IntN(5)],
		batch:    []int{1, 2, 8, 64}[rng.IntN(4)],
		ops:      ringOps,
		empties:  []int{1, 1, 2, 8}[rng.IntN(4)],
		yield:    []int{16, 64, 256}[rng.IntN(3)],
		mesh:     rng.IntN(2) == 0,
		closes:   rng.IntN(8) == 0,
	}
	if m.capacity == largeRing {
		m.push, m.batch, m.ops = 15, 4, ringOps/4
	}
	m.load = m.pattern(rng)
	// A little below the wrap, so that every life crosses it.
	m.start = -uint32(1 + rng.IntN(4*m.capacity))
	return m
}

// pattern draws the pattern of load of a life and makes it so.
func (m *ringMix) pattern(rng *rand.Rand) string {
	switch k := rng.IntN(8); {
	case m.closes:
		return "close race"
	case m.capacity == largeRing:
		return "long copies"
	case k == 0:
		m.push, m.batch = 16, 64
		return "overflow storm"
	case k == 1:
		m.burst = 2 * m.capacity
		return "bursts"
	case k == 2:
		m.push, m.yield = 8, 4
		return "idle and wake"
	case !m.mesh:
		return "one hot victim"
	}
	return "steady"
}

// ringLife is one life of the rings.
type ringLife struct {
	ringMix
	rings  []*queue.Ring[model.Task]
	inject queue.Inject[model.Task]
	logs   []*linearizability.Log
	spills []spill
	next   []model.Task // by thread, the last task made
}

func (d *ringDriver) play(l *life, c *crew.Crew) {
	g := &ringLife{ringMix: newRingMix(l.rng), logs: l.logs, spills: make([]spill, d.threads), next: make([]model.Task, d.threads)}
	l.h.Capacity = g.capacity
	for t := range d.threads {
		r, err := queue.NewRing[model.Task](g.capacity, queue.StartAt(g.start))
		if err != nil {
			panic(err) // the capacities above are right
		}
		g.rings = append(g.rings, r)
		g.spills[t].inject = &g.inject
	}
	seeds := l.seeds(d.threads)
	l.trouble = c.Run(func(t int) {
		rng := rand.New(rand.NewPCG(seeds[t], 1))
		if t == 0 {
			g.own(rng)
			return
		}
		g.thieve(t, rng)
	})
	if !l.trouble.Any() {
		l.trouble = c.Run(crew.Alone(g.drain))
	}
	l.start, l.load = g.start, g.load
}

// own is the life of thread 0.
func (g *ringLife) own(rng *rand.Rand) {
	log := g.logs[0]
	k, again := 0, 0
	for g.more(log) {
		if again--; again < 0 {
			k, again = rng.IntN(18), rng.IntN(max(1, g.burst))
		}
		switch {
		case k == 16:
			count(log, model.Len, 0, g.rings[0].Len)
		case k == 17:
			count(log, model.Free, 0, g.rings[0].Free)
		case k >= g.push:
			g.pop(0)
		case rng.IntN(g.batch) == 0:
			g.pushBatch(0, 1+rng.IntN(max(2, g.capacity/2)))
		default:
			g.push1(0)
		}
		if g.inject.Len() > 2*g.capacity {
			g.popInject(0, 16)
		}
		if g.capacity == largeRing && rng.IntN(4) == 0 {
			g.rest()
		}
		pause(rng, g.yield)
	}
}

// rest leaves the processors to the thieves for a while, if there is something
// to steal: for them to meet each other, two must run.
func (g *ringLife) rest() {
	for range 8 {
		if g.rings[0].Len() < largeRing/2 {
			return
		}
		runtime.Gosched()
	}
}

// thieve is the life of the others.
func (g *ringLife) thieve(t int, rng *rand.Rand) {
	log := g.logs[t]
	for g.more(log) {
		victim := 0
		if g.mesh {
			victim = rng.IntN(t)
		}
		s := g.rings[victim].Stealer()
		switch k := rng.IntN(16); {
		case k == 0:
			count(log, model.Peek, victim, s.Len)
		case k == 1:
			count(log, model.Vacant, victim, func() int { return boolInt(s.Empty()) })
		case k == 2:
			g.popInject(t, 1+rng.IntN(4))
		case k == 3 && g.mesh:
			g.push1(t)
		case k == 4 && g.closes && rng.IntN(64) == 0:
			closeInject(log, &g.inject)
		default:
			switch g.steal(t, victim, s) {
			case queue.Empty:
				pause(rng, 2) // let the owner go on
			case queue.Busy:
			default:
				for rng.IntN(g.empties) == 0 && g.more(log) && g.pop(t) {
				}
			}
		}
		pause(rng, g.yield)
	}
}

// drain empties everything, so that what is lost is missed.
func (g *ringLife) drain() {
	for t := range g.rings {
		for g.pop(t) {
		}
	}
	for g.popInject(0, 64) {
	}
}

// more reports whether a thread goes on.
func (g *ringLife) more(log *linearizability.Log) bool {
	return log.Room() > ringOps-g.ops+largeRing+drainRest
}

// drainRest is how much room drain needs besides one pop for each task in a
// ring: to find it empty, and to empty the inject queue.
const drainRest = 4 * largeRing / 64

func (g *ringLife) task(t int) model.Task {
	g.next[t] += model.Task(len(g.rings))
	return g.next[t] - model.Task(t)
}

func (g *ringLife) push1(t int) {
	v, log, s := g.task(t), g.logs[t], &g.spills[t]
	args := log.Tasks(v)
	s.tasks, s.batch = s.tasks[:0], false
	log.Begin(model.Op{Kind: model.Push, Args: args})
	refused := g.rings[t].Push(v, s)
	log.End(model.Result{Outcome: model.Kept})
	if refused == nil && len(s.tasks) == 0 {
		return // kept
	}
	r := model.Result{Outcome: model.Handed, Tasks: log.Tasks(s.tasks...), Refused: refused != nil}
	if s.batch {
		r.Outcome = model.Overflowed
	}
	if r.Refused {
		r.Tasks = log.Tasks(refused...) // what the caller has, whatever was offered
	}
	log.Amend(r)
}

func (g *ringLife) pushBatch(t, n int) {
	log, r := g.logs[t], g.rings[t]
	var buf [512]model.Task
	tasks := buf[:min(n, len(buf), r.Cap())]
	for i := range tasks {
		tasks[i] = g.task(t)
	}
	args := log.Tasks(tasks...)
	log.Begin(model.Op{Kind: model.Batch, Args: args})
	fits := r.Free() >= len(tasks)
	if fits {
		r.PushBatch(tasks)
	}
	log.End(model.Result{Outcome: model.NoRoom})
	if fits {
		log.Amend(model.Result{Outcome: model.Kept})
	}
}

func (g *ringLife) pop(t int) bool {
	log := g.logs[t]
	log.Begin(model.Op{Kind: model.Pop})
	v, ok := g.rings[t].Pop()
	log.End(model.Result{Outcome: model.Empty})
	if ok {
		log.Amend(model.Result{Outcome: model.Took, Tasks: log.Tasks(v)})
	}
	return ok
}

func (g *ringLife) steal(t, victim int, s queue.Stealer[model.Task]) queue.Outcome {
	log := g.logs[t]
	log.Begin(model.Op{Kind: model.Steal, On: victim})
	v, n, out := s.StealInto(g.rings[t])
	log.End(model.Result{Outcome: refusals[out]})
	if out == queue.Stole {
		log.Amend(model.Result{Outcome: model.Stole, N: n, Tasks: log.Tasks(v)})
	}
	return out
}

var refusals = map[queue.Outcome]model.Outcome{queue.Empty: model.Empty, queue.Busy: model.Busy, queue.NoRoom: model.NoRoom}

func (g *ringLife) popInject(t, n int) bool { return popInject(g.logs[t], &g.inject, n) }

// spill hands what overflows to the inject queue and keeps a copy.
type spill struct {
	inject *queue.Inject[model.Task]
	tasks  []model.Task
	batch  bool
	_      [64]byte
}

func (s *spill) Push(v model.Task) bool {
	s.tasks = append(s.tasks, v)
	return s.inject.Push(v)
}

func (s *spill) PushBatch(vs []model.Task) bool {
	s.tasks, s.batch = append(s.tasks, vs...), true
	return s.inject.PushBatch(vs)
}
