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
	// Capacity is how many values there is room for; 0 is no bound, and then Put
	// must not report false.
	Capacity int
	// Putters and Takers are how many goroutines may do that at a time; 0 is any
	// number.
	Putters, Takers int
	// MayRefuse says that Put may report false though there is room, and MayMiss
	// that Take may find nothing though something is there: as queues do whose
	// operations give up when another is half done.
	MayRefuse, MayMiss bool
}

// Queue is a queue that make makes.
func Queue(make func() QueueOps) Subject { return queue{make} }

type queue struct{ make func() QueueOps }

func (q queue) threads(most int) int {
	ops := q.make()
	if ops.Put == nil || ops.Take == nil {
		panic("court: no queue: Put or Take is nil")
	}
	if ops.Putters < 0 || ops.Takers < 0 || ops.Capacity < 0 {
		panic(fmt.Sprintf("court: no queue: capacity %d, %d putters, %d takers", ops.Capacity, ops.Putters, ops.Takers))
	}
	if ops.Putters > 0 && ops.Takers > 0 {
		return max(2, min(most, ops.Putters+ops.Takers))
	}
	return max(2, most)
}

func (q queue) logs(threads int) (int, int) { return threads, 2*lifeOps*threads + 1000 }

// queueLife is one life of a queue.
type queueLife struct {
	QueueOps
	*life
	next []model.Task
	keep int // of a queue without a bound: no storm makes it longer
}

func (q queue) play(l *life) {
	g := &queueLife{QueueOps: q.make(), life: l, next: make([]model.Task, l.threads)}
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
	case g.MayRefuse || g.Capacity == 0:
		log.Drop()
	}
	if !kept && g.Capacity == 0 && !g.MayRefuse {
		panic("court: Put reports false, of a queue without a capacity")
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
	}
	return found
}

func (queue) words() words.Words { return words.Queue }

func (q queue) needs(r *Report) []need {
	ops := q.make()
	out := []need{{"operations called while another was under way", r.Overlap, 1000},
		{"values taken", r.of(model.InjectPop, model.Took), 1000}}
	if !ops.MayMiss {
		out = append(out, need{"takes that found nothing", r.of(model.InjectPop, model.Empty), 10})
	}
	if ops.Capacity > 0 && ops.Capacity < lifeOps && !ops.MayRefuse {
		out = append(out, need{"puts refused as the queue was full", r.of(model.InjectPush, model.NoRoom), 10})
	}
	return out
}
