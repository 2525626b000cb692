package court

import (
	"fmt"
	"math/rand/v2"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// QueueOps is one queue, first in first out. Its functions must not block.
type QueueOps struct {
	Put  func(v int) bool           // reports false if the queue was full
	Take func() (v int, found bool) // the oldest
	// Capacity is how many values there is room for, any number; 0 is no bound, and
	// then Put must not report false. It may differ from life to life.
	Capacity int
	// Putters and Takers are how many goroutines may do that at a time; 0 is any
	// number.
	Putters, Takers int
	// MayRefuse says that Put may report false though there is room, and MayMiss
	// that Take may find nothing though something is there: as queues do whose
	// operations give up when another is half done.
	MayRefuse, MayMiss bool
}

// check panics if the adapter is none.
func (o QueueOps) check() {
	if o.Put == nil || o.Take == nil {
		panic("court: no queue: Put or Take is nil")
	}
	if o.Putters < 0 || o.Takers < 0 || o.Capacity < 0 {
		panic(fmt.Sprintf("court: no queue: capacity %d, %d putters, %d takers", o.Capacity, o.Putters, o.Takers))
	}
}

// Queue is a queue that make makes. It panics if make is nil.
func Queue(make func() QueueOps) Subject {
	if make == nil {
		panic("court: Queue(nil): want a function that makes a queue")
	}
	return subject(func() driver { return &queue{make: make} })
}

// queue drives queues in one audit.
type queue struct {
	make func() QueueOps
	ops  QueueOps // the last that was made
	made bool     // and not played yet
}

func (q *queue) next() QueueOps {
	if !q.made {
		q.ops = q.make()
		q.ops.check()
	}
	q.made = false
	return q.ops
}

func (q *queue) threads(most int) int {
	ops := q.next()
	q.made = true
	if ops.Putters > 0 && ops.Takers > 0 {
		// No more than there are, which may be so many that their sum is too large.
		return max(2, min(most, min(most, ops.Putters)+min(most, ops.Takers)))
	}
	return max(2, most)
}

func (q *queue) logs(threads int) (int, int) { return threads, 2*lifeOps*threads + 1000 }

// queueLife is one life of a queue.
type queueLife struct {
	QueueOps
	*life
	next []model.Task
	keep int // of a queue without a bound: no storm makes it longer
}

func (q *queue) play(l *life) {
	g := &queueLife{QueueOps: q.next(), life: l, next: make([]model.Task, l.threads)}
	l.run(g.live)
	l.alone(l.threads-1, g.drain)
	l.end(model.Inject, l.threads, g.Capacity)
}

// live: the first threads put and the last take, as many as may; where any number
// may, all do.
func (g *queueLife) live(t int, rng *rand.Rand) {
	mayPut := g.Putters == 0 || t < g.Putters
	mayTake := g.Takers == 0 || t >= g.threads-g.Takers
	if mayPut && mayTake && g.Putters+g.Takers > 0 && g.threads > 1 {
		mayPut = g.Takers == 0 || t < g.threads-g.Takers // who takes alone does nothing else
	}
	for done := 0; done < lifeOps; {
		puts, n := g.load.turn(rng)
		if !mayTake || !mayPut {
			puts = mayPut
		}
		for range min(n, lifeOps-done) {
			if puts {
				g.put(t)
			} else if mayTake {
				g.take(t)
			}
			done++
			g.load.pause(rng)
		}
	}
}

// drain takes until nothing is found, so that what is lost is missed.
func (g *queueLife) drain() {
	misses := 1
	if g.MayMiss {
		misses = 1000
	}
	for i := 0; i < misses; i++ {
		for g.logs[g.threads-1].Room() > 1 && g.take(g.threads-1) {
			i = 0
		}
	}
}

func (g *queueLife) put(t int) {
	log := g.logs[t]
	g.next[t] += model.Task(g.threads)
	v := g.next[t] - model.Task(t)
	args := log.Tasks(v)
	log.Begin(model.Op{Kind: model.InjectPush, Args: args})
	kept := g.Put(int(v))
	log.End(model.Result{Outcome: model.NoRoom})
	switch {
	case kept:
		log.Amend(model.Result{Outcome: model.Kept})
	case g.MayRefuse:
		log.Drop()
		g.refused.Add(1)
	case g.Capacity == 0:
		log.Drop()
	}
	if !kept && g.Capacity == 0 && !g.MayRefuse {
		g.disagree("Put reports false, and the adapter says that the queue has no capacity, so that it is never full")
	}
}

func (g *queueLife) take(t int) bool {
	log := g.logs[t]
	log.Begin(model.Op{Kind: model.InjectPop})
	v, found := g.Take()
	log.End(model.Result{Outcome: model.Empty})
	switch {
	case found:
		log.Amend(model.Result{Outcome: model.Took, Tasks: log.Tasks(model.Task(v))})
	case g.MayMiss:
		log.Drop()
		g.missed.Add(1)
	}
	return found
}

func (*queue) words() words.Words { return words.Queue }

func (q *queue) hints() words.Hints {
	return words.QueueHints(q.ops.Capacity > 0, q.ops.MayRefuse, q.ops.MayMiss)
}

func (q *queue) needs(r *Report) []need {
	ops := q.ops
	out := []need{{what: "no value was ever kept: each Put has reported false", had: r.of(model.InjectPush, model.Kept)},
		{what: "no value was ever given: each Take has found nothing", had: r.of(model.InjectPop, model.Took)},
		{"operations called while another was under way", r.Overlap, 1000},
		{"values taken", r.of(model.InjectPop, model.Took), 1000}}
	if !ops.MayMiss {
		out = append(out, need{"takes that found nothing", r.of(model.InjectPop, model.Empty), 10})
	}
	if ops.Capacity > 0 && ops.Capacity < lifeOps && !ops.MayRefuse {
		out = append(out, need{"puts refused as the queue was full", r.of(model.InjectPush, model.NoRoom), 10})
	}
	return out
}
