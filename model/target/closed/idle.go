package closed

import (
	"fmt"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/park"
)

// Crew is a driver of idle and park: workers that keep the law of package idle,
// with queues that are counts, and somebody outside who submits. Any number of
// tasks come, at most Tasks at a time; a task publishes others, runs for ever or
// ends.
type Crew struct {
	Workers, Tasks int
	Asleep         int // how many workers sleep at the beginning
	// Batch is how many tasks a worker takes from the shared queue at once, 0 for
	// one. Those that it does not run at once go to a queue of its own, of which
	// the others steal half.
	Batch int
	// Calls has somebody outside wake one worker or all for another reason than work,
	// any number of times.
	Calls bool
	// Still has tasks run for ever and publish nothing: all come from outside.
	Still bool
	// Endless leaves out what must hold in every state: what violates that would end
	// the search before it can look for what must not hold for ever.
	Endless bool

	// How the law is broken: a wake before its push, a refill that wakes nobody.
	NotifyFirst, SilentRefill bool
}

// String says how many of what there are.
func (by Crew) String() string {
	s := fmt.Sprintf("workers %d, tasks %d", by.Workers, by.Tasks)
	if by.Asleep > 0 {
		s += fmt.Sprintf(", asleep %d", by.Asleep)
	}
	if by.Batch > 0 {
		s += fmt.Sprintf(", batches %d", by.Batch)
	}
	if by.Calls {
		s += ", calls"
	}
	if by.Still {
		s += ", still"
	}
	if by.Endless {
		s += ", for ever"
	}
	return s
}

// Where a worker is, in the keys of its boundaries.
const (
	looking   = iota // takes from its own queue and the shared one
	searching        // takes from all
	refilled         // has put tasks into its own queue that it says nothing of yet
	found            // has a task, and is counted as searching still
	working          // in a task
	pushed           // has put a task into a queue and says nothing of it yet
	idling           // is about to be listed as a sleeper
	parking          // is listed
	resuming         // has been woken, or not
	counted   = 1 << 4

	// In functions that the tracker calls, where it remembers nothing else.
	atPending = 255 // looks for work before it sleeps; else the worker to be woken
)

// crew is a Crew at work.
type crew struct {
	Crew
	tracker *idle.Tracker
	parkers []*park.Parker
	shared  atomic.Int32   // tasks in the shared queue
	own     []atomic.Int32 // by worker
	threads []*loom.Thread

	// What claims are about. Each changes with the step that it counts.
	flight int // tasks that have begun to come and have not ended
	waking int // workers that have been woken and have not resumed
}

// Body returns the driver.
//
// Tasks are counts, since nothing depends on which is which. The tracker's
// statistics only grow and are read by no one. Workers have names: the tracker
// lists sleepers by number and wakes the newest.
func (by Crew) Body() func() {
	return func() {
		d, c := loom.Drive(), &crew{Crew: by, own: make([]atomic.Int32, by.Workers)}
		for range by.Workers {
			c.parkers = append(c.parkers, park.New())
		}
		var err error
		if c.tracker, err = idle.New(by.Workers, c.unpark); err != nil {
			panic(err)
		}
		d.Root("tracker", c.tracker)
		d.Ignore(c.tracker, "wakes")
		// Each lock guards its own; the counts that are the driver's are looked at
		// where the thread that changes them goes on at once.
		d.Guards(c.tracker, "mu", "tracker")
		for w, p := range c.parkers {
			name := fmt.Sprintf("parker %d", w)
			d.Root(name, p)
			d.Guards(p, "mu", name)
		}
		d.Root("shared", &c.shared)
		d.Root("own", &c.own)
		d.Root("flight", &c.flight)
		d.Root("waking", &c.waking)
		for w := range by.Asleep {
			c.tracker.Park(w, false, func() bool { return false })
		}
		for w := range by.Workers {
			c.threads = append(c.threads, loom.Go(func() { c.work(w) }))
		}
		outside := []*loom.Thread{loom.Go(c.submit)}
		if by.Calls {
			outside = append(outside, loom.Go(c.call))
		}
		c.endless(d)
		if !by.Endless {
			c.always(d, outside)
		}
	}
}

// Options are the loops of a crew whose failed rounds leave nothing behind: each
// round begins with a load, or with the compare-and-swap itself as in Park, and
// remembers nothing but what that returns.
func (by Crew) Options() []loom.Option {
	var all []loom.Option
	for _, f := range []string{"closed.take", "Tracker.choose", "Tracker.TrySearch", "Parker.Park"} {
		all = append(all, loom.RetryAt(f, "CompareAndSwap"))
	}
	return all
}

// take takes tasks from a queue, as many as share says of those there are.
func take(q *atomic.Int32, share func(n int32) int32) int32 {
	for {
		n := q.Load()
		if n == 0 {
			return 0
		}
		if got := share(n); q.CompareAndSwap(n, n-got) {
			return got
		}
	}
}

func half(n int32) int32 { return (n + 1) / 2 }
func one(int32) int32    { return 1 }

// unpark and pending are called by the tracker, which then has nothing left to do
// but to return; unless it wakes all, when it remembers whom else. A call is not for
// work, and not told from a wake here: then none are counted.
func (c *crew) unpark(w int) {
	if !c.Calls {
		c.waking++
		loom.BoundaryWithin(uint8(w))
	}
	c.parkers[w].Unpark()
}

// call is whoever wakes workers for another reason than work.
func (c *crew) call() {
	for {
		loom.Boundary(0)
		switch w := loom.Choose(c.Workers+2) - 2; w {
		case -2:
			c.shared.Load() // nothing, so that a run without an end need not have more
		case -1:
			c.tracker.WakeAll(idle.Call)
		default:
			c.tracker.WakeWorker(w, idle.Call)
		}
	}
}

// submit is whoever is outside.
func (c *crew) submit() {
	for {
		loom.Boundary(0)
		if !c.publish(&c.shared) {
			c.shared.Load() // a step of one who goes on with something else
		}
	}
}

// publish puts a task into q, or does not. It reports whether it does.
func (c *crew) publish(q *atomic.Int32) bool {
	if c.flight == c.Tasks || loom.Choose(2) == 0 {
		return false
	}
	c.flight++
	if c.NotifyFirst {
		c.tracker.Wake(idle.Publish)
		loom.Boundary(pushed)
		q.Add(1)
		return true
	}
	q.Add(1)
	loom.Boundary(pushed)
	c.tracker.Wake(idle.Publish)
	return true
}

// work is a worker.
func (c *crew) work(w int) {
	search, asleep := false, w < c.Asleep
	at := func(place uint64) {
		if search {
			place |= counted
		}
		loom.Boundary(place)
	}
	for {
		for asleep {
			search = false
			at(parking)
			c.parkers[w].Park()
			at(resuming)
			up := false
			if up, search = c.tracker.Resume(w); up {
				asleep = false
				if !c.Calls {
					c.waking--
				}
			}
		}
		at(looking)
		ok := !search && c.next(w)
		if !ok && (search || c.tracker.TrySearch()) {
			search = true
			at(searching)
			ok = c.search(w)
		}
		if !ok {
			at(idling)
			c.tracker.Park(w, search, c.pending)
			asleep = true
			continue
		}
		if search {
			at(found)
			c.tracker.StopSearch()
			search = false
		}
		for at(working); c.Still || c.publish(c.target(w)) || loom.Choose(2) == 0; at(working) {
			c.shared.Load()
		}
		c.flight--
	}
}

// target is the queue that tasks of worker w publish to.
func (c *crew) target(w int) *atomic.Int32 {
	if c.Batch > 0 {
		return &c.own[w]
	}
	return &c.shared
}

// next takes a task from where worker w looks first.
func (c *crew) next(w int) bool {
	if c.Batch == 0 {
		return take(&c.shared, one) > 0
	}
	if take(&c.own[w], one) > 0 {
		return true
	}
	n := take(&c.shared, func(n int32) int32 { return min(n, int32(c.Batch)) })
	c.keep(w, n)
	if n > 1 && !c.SilentRefill {
		loom.Boundary(refilled)
		c.tracker.Wake(idle.Publish)
	}
	return n > 0
}

// keep puts all but one of n tasks into the queue of worker w.
func (c *crew) keep(w int, n int32) {
	if n > 1 {
		c.own[w].Add(n - 1)
	}
}

// search takes a task from anywhere, for worker w that is counted as searching.
func (c *crew) search(w int) bool {
	for v := range c.own {
		if v == w || c.Batch == 0 {
			continue
		}
		if n := take(&c.own[v], half); n > 0 {
			c.keep(w, n)
			return true
		}
	}
	return take(&c.shared, one) > 0
}

// pending looks at every queue. One that is empty is not remembered.
func (c *crew) pending() bool {
	loom.BoundaryWithin(atPending)
	if c.shared.Load() > 0 {
		return true
	}
	for w := range c.own {
		if c.Batch > 0 && c.own[w].Load() > 0 {
			return true
		}
	}
	return false
}
