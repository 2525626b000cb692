package court

import (
	"fmt"
	"math/rand/v2"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// DequeOps is one deque of a work-stealing scheduler. One goroutine at a time, its
// owner, calls Push and Pop; any number call Steal. None may block.
type DequeOps struct {
	Push  func(v int) bool           // reports false if the deque was full
	Pop   func() (v int, found bool) // the newest
	Steal func() (v int, found bool) // the oldest
	// Capacity is how many values there is room for, any number; 0 is no bound, and
	// then Push must not report false.
	Capacity int
	// MayMiss says that Steal may find nothing though something is there, as when
	// it loses a race.
	MayMiss bool
}

// check panics if the adapter is none.
func (o DequeOps) check() {
	if o.Push == nil || o.Pop == nil || o.Steal == nil {
		panic("court: no deque: Push, Pop or Steal is nil")
	}
	if o.Capacity < 0 {
		panic(fmt.Sprintf("court: no deque: capacity %d", o.Capacity))
	}
}

// Deque is a deque that make makes. It panics if make is nil.
func Deque(make func() DequeOps) Subject {
	if make == nil {
		panic("court: Deque(nil): want a function that makes a deque")
	}
	return subject(func() driver { return &deque{make: make} })
}

// deque drives deques in one audit.
type deque struct {
	make func() DequeOps
	ops  DequeOps // the last that was made
}

func (*deque) threads(most int) int { return max(2, most) }

func (*deque) logs(threads int) (int, int) { return threads, lifeOps + 2000 }

// dequeLife is one life of a deque.
type dequeLife struct {
	DequeOps
	*life
	next model.Task
}

func (d *deque) play(l *life) {
	g := &dequeLife{DequeOps: d.make(), life: l}
	g.check()
	d.ops = g.DequeOps
	l.run(func(t int, rng *rand.Rand) {
		if t == 0 {
			g.own(rng)
			return
		}
		for range lifeOps {
			g.take(t, model.DequeSteal, g.Steal)
			g.load.pause(rng)
		}
	})
	l.alone(0, func() {
		for g.logs[0].Room() > 1 && g.take(0, model.DequePop, g.Pop) {
		}
	})
	l.end(model.Deque, l.threads, g.Capacity)
}

// own is what the owner does.
func (g *dequeLife) own(rng *rand.Rand) {
	for done := 0; done < lifeOps; {
		puts, n := g.load.turn(rng)
		for range min(n, lifeOps-done) {
			if puts {
				g.push()
			} else {
				g.take(0, model.DequePop, g.Pop)
			}
			done++
			g.load.pause(rng)
		}
	}
}

func (g *dequeLife) push() {
	log := g.logs[0]
	g.next++
	args := log.Tasks(g.next)
	log.Begin(model.Op{Kind: model.DequePush, Args: args})
	kept := g.Push(int(g.next))
	log.End(model.Result{Outcome: model.NoRoom})
	if kept {
		log.Amend(model.Result{Outcome: model.Kept})
	} else if g.Capacity == 0 {
		log.Drop()
		g.disagree("Push reports false, and the adapter says that the deque has no capacity, so that it is never full")
	}
}

func (g *dequeLife) take(t int, kind model.Kind, f func() (int, bool)) bool {
	log := g.logs[t]
	log.Begin(model.Op{Kind: kind})
	v, found := f()
	log.End(model.Result{Outcome: model.Empty})
	switch {
	case found:
		log.Amend(model.Result{Outcome: model.Took, Tasks: log.Tasks(model.Task(v))})
	case g.MayMiss && kind == model.DequeSteal:
		log.Drop()
		g.missed.Add(1)
	}
	return found
}

func (*deque) words() words.Words { return words.Deque }

func (d *deque) hints() words.Hints { return words.DequeHints(d.ops.Capacity > 0, d.ops.MayMiss) }

func (d *deque) needs(r *Report) []need {
	return []need{{"operations called while another was under way", r.Overlap, 1000},
		{"values stolen", r.of(model.DequeSteal, model.Took), 1000},
		{"values popped", r.of(model.DequePop, model.Took), 1000}}
}
