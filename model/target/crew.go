package target

import (
	"fmt"
	"slices"
	stdatomic "sync/atomic"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/park"
	"github.com/filch-sched/filch/queue"
)

// crewCapacity is the capacity of a worker's ring.
const crewCapacity = 4

// crew is a number of workers that keep the law of package idle and run tasks
// that only wait for and publish one another. It is the smallest scheduler that
// can lose a wakeup.
type crew struct {
	s       model.Scenario
	tracker *idle.Tracker
	parkers []*park.Parker
	rings   []*queue.Ring[model.Task] // none if no task spawns
	inject  queue.Inject[model.Task]
	// left is how many tasks have not run to their end. Whoever brings it to 0
	// sends the workers home.
	left atomic.Int32

	gate gate

	ran   log // what the workers ran and published
	clock stdatomic.Int64
	// inFlight counts wakes for work whose worker has not resumed. No step of
	// the exploration: it changes in the same breath as the tracker's own state.
	inFlight stdatomic.Int32
	claims   map[model.Claim]bool
}

func newCrew(s model.Scenario) *crew {
	c := &crew{s: s, gate: newGate(), claims: map[model.Claim]bool{}}
	for _, claim := range s.Claims {
		c.claims[claim] = true
	}
	for range s.Workers {
		c.parkers = append(c.parkers, park.New())
	}
	for w := 0; w < s.Workers && spawns(s); w++ {
		r, err := queue.NewRing[model.Task](crewCapacity)
		if err != nil {
			panic(err)
		}
		c.rings = append(c.rings, r)
	}
	var err error
	if c.tracker, err = idle.New(s.Workers, c.unpark); err != nil {
		panic(fmt.Sprintf("target: scenario %q: %v", s.Name, err))
	}
	c.left.Store(int32(brought(s)))
	for w := range s.Asleep {
		c.tracker.Park(w, false, func() bool { return false })
	}
	return c
}

// spawns reports whether a task of s puts others into a ring.
func spawns(s model.Scenario) bool {
	return slices.ContainsFunc(s.Tasks, func(l model.Law) bool { return len(l.Spawns) > 0 })
}

// brought counts the tasks that come in during a run of s.
func brought(s model.Scenario) int {
	n := 0
	for _, l := range s.Tasks {
		n += len(l.Spawns)
	}
	for _, st := range s.Setup {
		n += len(st.Args)
	}
	for _, th := range s.Threads {
		for _, op := range th.Ops {
			n += len(op.Args)
		}
	}
	return n
}

// do is an operation from outside the crew.
func (c *crew) do(_ int, op model.Op, _ int64) model.Result {
	defer trip()
	switch op.Kind {
	case model.Submit:
		c.inject.Push(op.Args[0])
		c.tracker.Wake(idle.Publish)
	case model.WakeAll:
		c.tracker.WakeAll(idle.Call)
	case model.WakeWorker:
		c.tracker.WakeWorker(op.On, idle.Call)
	case model.Nudge:
		c.parkers[op.On].Unpark()
	case model.End:
	default:
		panic(fmt.Sprintf("target: %v on a crew", op))
	}
	return model.Result{Outcome: model.Done}
}

// start starts the workers; the first Asleep of them are listed as sleepers.
func (c *crew) start() []*loom.Thread {
	var out []*loom.Thread
	for w := range c.s.Workers {
		out = append(out, loom.Go(func() { c.work(w, w < c.s.Asleep) }))
	}
	return out
}

// work is a worker's life: take and run, or search and run, or sleep.
func (c *crew) work(w int, asleep bool) {
	defer trip()
	counted := false
	for {
		if asleep {
			if counted = c.sleep(w); c.left.Load() == 0 {
				return
			}
			asleep = false
		}
		t, ok := model.Task(0), false
		if !counted {
			t, ok = c.take(w)
		}
		if !ok {
			if !counted {
				counted = c.tracker.TrySearch()
			}
			if counted {
				c.bounded()
				t, ok = c.search(w)
			}
		}
		if !ok {
			c.park(w, counted)
			asleep = true
			continue
		}
		if counted {
			c.tracker.StopSearch()
			counted = false
		}
		if c.run(w, t) {
			return
		}
	}
}

// sleep waits until the worker is woken, or all tasks are over. It reports
// whether the worker is then counted as searching.
func (c *crew) sleep(w int) (counted bool) {
	for {
		c.parkers[w].Park()
		var up bool
		if up, counted = c.tracker.Resume(w); counted {
			c.inFlight.Add(-1)
		}
		if up || c.left.Load() == 0 {
			return counted
		}
	}
}

// take takes from the worker's own ring, else from inject.
func (c *crew) take(w int) (model.Task, bool) {
	if len(c.rings) > 0 {
		if t, ok := c.rings[w].Pop(); ok {
			return t, true
		}
	}
	return c.inject.Pop()
}

// search looks everywhere else, for a worker that is counted as searching.
func (c *crew) search(w int) (model.Task, bool) {
	for v := range c.rings {
		if v == w {
			continue
		}
		if t, _, out := c.rings[v].Stealer().StealInto(c.rings[w]); out == queue.Stole {
			return t, true
		}
	}
	return c.inject.Pop()
}

// pending looks at every source of work, one after the other.
func (c *crew) pending() bool {
	if c.inject.Len() > 0 {
		return true
	}
	for _, r := range c.rings {
		if !r.Stealer().Empty() {
			return true
		}
	}
	return false
}

// run runs one task on a worker. It reports whether that was the last task.
func (c *crew) run(w int, t model.Task) (last bool) {
	c.note(w, model.Run, t, c.now())
	law := c.s.LawOf(t)
	for _, child := range law.Spawns {
		call := c.now()
		c.rings[w].Push(child, &c.inject)
		c.note(w, model.Spawned, child, call)
		c.tracker.Wake(idle.Publish)
	}
	if len(c.s.Tasks) > 0 {
		c.gate.pass(t, law.Waits)
	}
	if c.left.Add(-1) != 0 {
		return false
	}
	for v, p := range c.parkers {
		if v != w {
			p.Unpark() // one token is enough: whoever takes it looks at left
		}
	}
	return true
}

// now is a stamp of the crew's clock.
func (c *crew) now() int64 { return c.clock.Add(1) }

// note records what a worker does, from call on.
func (c *crew) note(w int, k model.Kind, t model.Task, call int64) {
	c.ran.add(len(c.s.Threads)+w, k, t, model.Result{Outcome: model.Done}, call, c.now)
}

func (c *crew) history() model.History { return c.ran.all() }
