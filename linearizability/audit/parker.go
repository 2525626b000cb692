package main

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/park"
)

// parkDriver drives a parker: thread 0 parks, the others unpark it, and count
// what they do before. Thread 0 parks again until it has seen enough, so that a
// lost token is one sleep too many, which never ends.
type parkDriver struct{ threads int }

func (d *parkDriver) target() model.Target { return model.Park }

func (d *parkDriver) logs() ([]int, int) { return upTo(d.threads), 4 * d.threads * parkRounds }

func (d *parkDriver) claims() []model.Claim {
	return []model.Claim{model.TokenKept, model.TokenSingle, model.UnparkPublishes, model.ShutdownWakes}
}

// parkLife is one life of a parker.
type parkLife struct {
	p      *park.Parker
	logs   []*linearizability.Log
	rounds int
	timed  int  // one in so many parks has a timeout, 0 for none
	slow   bool // the others take their time, so that a lost token is not made good for by the next
	lock   bool
	closes bool

	cell   model.Task // plain memory: written before an unpark, read after its park
	sent   atomic.Int64
	seen   atomic.Int64
	closed atomic.Bool
}

// parkRounds is how often a thread unparks in a life of a parker.
const parkRounds = 100

func (d *parkDriver) play(l *life, c *crew.Crew) {
	g := &parkLife{
		p:      park.New(),
		logs:   l.logs,
		rounds: parkRounds,
		timed:  []int{0, 0, 1, 4}[l.rng.IntN(4)],
		lock:   d.threads == 2 && l.rng.IntN(2) == 0 || l.rng.IntN(3) == 0,
		closes: l.rng.IntN(3) == 0,
	}
	if g.lock {
		// Timeouts would end the waiting for each other.
		g.timed = 0
	}
	g.slow = g.timed > 0 && l.rng.IntN(2) == 0
	switch {
	case g.closes:
		l.load = "close race"
	case g.lock:
		l.load = "idle and wake"
	case g.timed > 0:
		l.load = "timeouts"
	default:
		l.load = "storm of unparks"
	}
	seeds := l.seeds(d.threads)
	l.trouble = c.Run(func(t int) {
		rng := rand.New(rand.NewPCG(seeds[t], 3))
		switch {
		case t == 0:
			g.own(int64(d.threads-1), rng)
		case g.lock && t == 1:
			g.tell(rng)
		default:
			g.wake(t, rng)
		}
	})
}

// own parks until everything was seen that the others send.
func (g *parkLife) own(others int64, rng *rand.Rand) {
	want := others * int64(g.rounds)
	for g.sent.Load() < want && g.logs[0].Room() > int(want)+8 {
		switch {
		case g.timed > 0 && rng.IntN(g.timed) == 0:
			g.parkTimed(time.Duration(rng.IntN(3)) * time.Duration(rng.IntN(20)) * time.Microsecond)
		default:
			g.park()
		}
		if g.lock {
			g.read(others == 1)
		}
		g.seen.Store(g.sent.Load())
		pause(rng, 16)
	}
	g.seen.Store(math.MaxInt64) // nobody need wait any more
	if g.closes {
		for !g.closed.Load() {
			g.park()
		}
		g.park()
	}
}

// wake unparks at its own pace, now and then until it was noticed.
func (g *parkLife) wake(t int, rng *rand.Rand) {
	for i := range g.rounds {
		if g.slow {
			time.Sleep(time.Duration(rng.IntN(60)) * time.Microsecond)
		}
		n := g.sent.Add(1)
		g.unpark(t)
		if !g.lock && rng.IntN(4) == 0 {
			for g.seen.Load() < n {
				runtime.Gosched()
			}
		}
		pause(rng, 4)
		if t == 1 && g.closes && i == g.rounds-1 {
			g.close(t)
		}
	}
}

// tell unparks once for each round that the owner has noticed, with something
// written for it. Only thread 1 does, so that there is one writer.
func (g *parkLife) tell(rng *rand.Rand) {
	log := g.logs[1]
	for i := range g.rounds {
		v := model.Task(i + 1)
		args := log.Tasks(v)
		log.Begin(model.Op{Kind: model.Write, Args: args})
		g.cell = v
		log.End(model.Result{Outcome: model.Done})
		n := g.sent.Add(1)
		g.unpark(1)
		for g.seen.Load() < n {
			runtime.Gosched()
		}
		pause(rng, 8)
	}
	if g.closes {
		g.close(1)
	}
}

// read reads what was written before the unpark, if the park before can have
// been released by no other.
func (g *parkLife) read(sure bool) {
	if !sure {
		return
	}
	log := g.logs[0]
	log.Begin(model.Op{Kind: model.Read})
	v := g.cell
	log.End(model.Result{Outcome: model.Took})
	log.Amend(model.Result{Outcome: model.Took, Tasks: log.Tasks(v)})
}

func (g *parkLife) park() {
	log := g.logs[0]
	log.Begin(model.Op{Kind: model.ParkToken})
	g.p.Park()
	log.End(model.Result{Outcome: model.Done})
}

func (g *parkLife) parkTimed(d time.Duration) {
	log := g.logs[0]
	log.Begin(model.Op{Kind: model.ParkTimed})
	token := g.p.ParkTimeout(d)
	log.End(model.Result{Outcome: model.TimedOut})
	if token {
		log.Amend(model.Result{Outcome: model.Token})
	}
}

func (g *parkLife) unpark(t int) {
	log := g.logs[t]
	log.Begin(model.Op{Kind: model.Unpark, On: 0})
	g.p.Unpark()
	log.End(model.Result{Outcome: model.Done})
}

func (g *parkLife) close(t int) {
	log := g.logs[t]
	g.closed.Store(true)
	log.Begin(model.Op{Kind: model.ClosePark, On: 0})
	g.p.Close()
	log.End(model.Result{Outcome: model.Done})
}
