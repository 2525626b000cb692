package closed

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/park"
	"github.com/filch-sched/filch/sched"
)

// Sched is a driver of package sched itself: the workers that it starts, and somebody
// outside who spawns. Any number of tasks come, at most Tasks at a time; a task spawns
// others, runs for ever or ends.
type Sched struct {
	Workers, Tasks int
	// Interval is after how many tasks a worker looks at inject first.
	Interval int
	// Begun is how many tasks have come at the beginning, when all workers are awake. If
	// it is not 0 no others come from outside.
	Begun int
	// Most is how many tasks there may be in all, 0 for any number.
	Most int
	// Slots has workers keep a task that a task spawns in a slot of its own.
	Slots bool
	// Still has tasks run for ever and spawn nothing: all come from outside.
	Still bool
	// Told has tasks from outside told from those that tasks spawn.
	Told bool
	// Endless leaves out what must hold in every state: what violates that would end
	// the search before it can look for what must not hold for ever.
	Endless bool
}

// String says how many of what there are.
func (by Sched) String() string {
	s := fmt.Sprintf("workers %d, tasks %d, interval %d", by.Workers, by.Tasks, by.Interval)
	if by.Begun > 0 {
		s += fmt.Sprintf(", begun %d", by.Begun)
	}
	if by.Most > 0 {
		s += fmt.Sprintf(", most %d", by.Most)
	}
	if by.Slots {
		s += ", slots"
	}
	if by.Still {
		s += ", still"
	}
	if by.Told {
		s += ", told"
	}
	if by.Endless {
		s += ", for ever"
	}
	return s
}

// shop is a Sched at work.
type shop struct {
	Sched
	s       *sched.Scheduler
	tracker *idle.Tracker
	workers []*loom.Thread
	outside *loom.Thread // nil: nobody is there
	// All tasks that come from tasks, and all from outside, unless these are told apart.
	inner, outer *task

	lengths []func() uint64 // of inject and late
	rings   []relative
	slots   []func() uint64
	warm    []func() uint64 // by worker, how many tasks it has taken from its slot
	seen    []uint64        // that number when its last task began: no state, only the difference is

	flight int          // tasks that have begun to come and have not ended
	all    int          // tasks that have begun to come, if there may be so many
	passed int          // see begin
	row    []int        // by worker, how many tasks in a row it has taken from its slot
	pulse  atomic.Int32 // for steps that do nothing
}

// Body returns the driver.
func (by Sched) Body() func() {
	return func() {
		d, c := loom.Drive(), &shop{Sched: by}
		c.inner, c.outer = &task{shop: c}, &task{shop: c}
		if by.Told {
			c.outer.outside = true
		} else {
			c.outer = c.inner
		}
		opts := []sched.Option{
			sched.Workers(by.Workers), sched.RingCapacity(4), sched.GlobalInterval(by.Interval), sched.Seed(1),
			sched.OnPanic(func(*sched.PanicError) {}), // the explorer ends threads by panics
		}
		if !by.Slots {
			opts = append(opts, sched.NoLIFOSlot())
		}
		var err error
		if c.s, err = sched.New(opts...); err != nil {
			panic(err)
		}
		c.workers = d.Threads()
		c.roots(d)
		for range by.Begun {
			c.come()
		}
		if by.Begun == 0 {
			c.outside = loom.Go(c.submit)
		}
		c.endless(d)
		if !by.Endless {
			c.always(d)
		}
	}
}

// roots names what the scheduler is made of and says how it is used.
//
// Tasks are one task, so a task is told by where it is. Statistics, and what is drawn
// of random numbers with one victim, and which free header a task is given, make no
// difference to what the code does, nor does who a worker's goroutine is, as nobody
// asks; functions and contexts do not change.
func (c *shop) roots(d *loom.Driver) {
	c.tracker = part(c.s, "idle").(*idle.Tracker)
	d.Root("tracker", c.tracker)
	d.Ignore(c.tracker, "wakes")
	d.Guards(c.tracker, "mu", "tracker")
	for _, name := range []string{"inject", "late"} {
		q := part(c.s, name)
		d.Root(name, q)
		d.Guards(q, "mu", name)
		d.Ignore(q, "spare")
		c.lengths = append(c.lengths, loom.Peek(q, "n"))
	}
	for i := range c.Workers {
		w := part(c.s, fmt.Sprintf("workers.%d", i))
		p := part(w, "parker").(*park.Parker)
		name := fmt.Sprintf("parker %d", i)
		d.Root(name, p)
		d.Guards(p, "mu", name)
		q := part(w, "ring")
		c.rings = append(c.rings, newRelativeOf(d, q, 4))
		d.Root(fmt.Sprintf("ring %d", i), q)
		c.slots, c.warm = append(c.slots, loom.Peek(w, "lifo")), append(c.warm, loom.Peek(w, "counts.LIFO"))
		d.Guards(w, "mu")
		for _, field := range []string{"random", "pending", "free", "kept", "counts", "published", "g"} {
			d.Ignore(w, field)
		}
	}
	for _, field := range []string{"opts.onPanic", "ctx", "cancel", "headers"} {
		d.Ignore(c.s, field)
	}
	d.View(c.s, "spawned", func(uint64) uint64 { return 0 })
	c.seen, c.row = make([]uint64, c.Workers), make([]int, c.Workers)
	d.Root("scheduler", c.s)
	for _, t := range []*task{c.inner, c.outer} {
		d.Ignore(t, "shop")
	}
	d.Root("flight", &c.flight)
	d.Root("all", &c.all)
	d.Root("passed", &c.passed)
	d.Root("row", &c.row)
	d.Root("pulse", &c.pulse)
}

// part returns a pointer to a part of what p points to: fields, elements and what
// pointers point to, with dots between.
func part(p any, path string) any {
	v := reflect.ValueOf(p).Elem()
	for name := range strings.SplitSeq(path, ".") {
		if i, err := strconv.Atoi(name); err == nil {
			v = v.Index(i)
		} else {
			v = v.FieldByName(name)
		}
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
	}
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface()
}

// Options are the loops of a scheduler, and where its workers remember nothing but
// where they are:
//
//   - publish, Pop, Len and TrySearch are called before anything was found, and what
//     comes after goes by what these then see; that a place is empty is not remembered;
//   - serve and sleep load flags when all else is over, and in between sleep calls Park,
//     which takes what it is given from the worker's memory, ready and Resume;
//   - StopSearch and Wake are called by one that has a task in hand or has put it where
//     it belongs. Tasks are one task, or, if they are told apart, these are no heads;
//   - Unpark has a parker, of which nothing is remembered afterwards.
//
// PopN is none: refill remembers how many it wants. Nor is anything in a steal, whose
// caller remembers in which pass it is.
func (by Sched) Options() []loom.Option {
	all := RingOptions()
	for _, f := range []string{"Tracker.choose", "Tracker.TrySearch", "Parker.Park"} {
		all = append(all, loom.RetryAt(f, "CompareAndSwap"))
	}
	for _, at := range []struct {
		function, op string
		told         bool // also if tasks are told apart
	}{
		{"worker.publish", "Lock", true},
		{"Ring.Pop", "Load", true},
		{"Inject.Len", "Load", true},
		{"Tracker.TrySearch", "Load", true},
		{"worker.serve", "Load", true},
		{"worker.sleep", "Load", true},
		{"Tracker.Park", "Lock", true},
		{"Parker.ready", "CompareAndSwap", true},
		{"Tracker.Resume", "Lock", true},
		{"Tracker.StopSearch", "Add", false},
		{"Tracker.Wake", "Load", false},
		{"Parker.Unpark", "Swap", false},
	} {
		if !by.Told || at.told {
			all = append(all, loom.HeadAt(at.function, at.op))
		}
	}
	return all
}

// task is what the scheduler runs: any that a task spawns, or any from outside.
type task struct {
	*shop
	outside bool
}

// Run is a task.
func (t *task) Run(c sched.Ctx) {
	t.begin(t.outside)
	t.warmed(c.Worker())
	for loom.Boundary(working); ; loom.Boundary(working) {
		choice := 0
		if !t.Still {
			choice = loom.Choose(3)
		}
		switch {
		case choice == 0:
			t.pulse.Load()
		case choice == 1:
			t.flight--
			return
		case !t.full():
			t.count()
			if err := c.GoTask(t.inner); err != nil {
				panic(err)
			}
		}
	}
}

// begin counts how many tasks in a row have begun that came from tasks, while one from
// outside was queued.
func (c *shop) begin(outside bool) {
	switch {
	case !c.Told:
	case outside || c.lengths[0]() == 0:
		c.passed = 0
	case c.passed == c.Interval:
		loom.Failf("InjectBounded", "the worker has run %d tasks in a row, and not looked at inject", c.passed+1)
	default:
		c.passed++
	}
}

// warmed counts how many tasks in a row a worker has begun that were in its slot.
func (c *shop) warmed(worker int) {
	taken := c.warm[worker]()
	if taken == c.seen[worker] {
		c.row[worker] = 0
		return
	}
	c.seen[worker] = taken
	if c.row[worker]++; c.row[worker] > 3 {
		loom.Failf("LIFOBounded", "a worker has begun %d tasks in a row from its slot", c.row[worker])
	}
}

// submit is whoever is outside.
func (c *shop) submit() {
	for {
		loom.Boundary(0)
		if c.full() || loom.Choose(2) == 0 {
			c.pulse.Load() // a step of one who goes on with something else
			continue
		}
		c.come()
	}
}

// full reports whether there may be no more tasks now.
func (c *shop) full() bool { return c.flight == c.Tasks || c.Most > 0 && c.all == c.Most }

// count counts one more task.
func (c *shop) count() {
	c.flight++
	if c.Most > 0 {
		c.all++
	}
}

// come spawns a task from outside.
func (c *shop) come() {
	c.count()
	if err := c.s.GoTask(c.outer); err != nil {
		panic(err)
	}
}
