package fuzz

import (
	"slices"

	"github.com/filch-sched/filch/model"
)

// generated is the name of scenarios that are made here.
const generated = "generated"

// The tables. The first entries are the simplest.
var (
	targets = []model.Target{model.Ring, model.Inject, model.Park, model.Idle, model.Sched, model.Tracker}
	// names are of threads, but for those of rings and deques.
	names       = []string{"first", "second", "third", "fourth"}
	threadNames = map[model.Target][]string{
		model.Ring: {"owner", "thief", "other", "last"}, model.Inject: names, model.Park: names,
		model.Idle: names, model.Sched: names, model.Tracker: names, model.Deque: {"owner", "thief", "other", "last"},
	}
	capacities = []int{2, 4, 8, 16, 32}
	// starts are at 0, just below the wrap, and where narrower or signed
	// arithmetic would wrap.
	starts = []int32{0, -1, -2, -3, -4, -5, -6, -7, -8, -12, -16, -33,
		1<<31 - 1, -1 << 31, 1<<31 - 3, 1<<16 - 1, -1 << 16}
	// sizes are numbers of tasks of a batch; the last is more than one block of
	// an Inject holds.
	sizes = []int{1, 2, 3, 4, 5, 8, 130}
	// maxima are numbers of tasks asked for.
	maxima = []int{1, 2, 3, 4, 8, 130, 1 << 10}
)

// The kinds of operations and how often each comes: on rings for the first
// thread, for the others, and before they start.
var (
	ringOwner = kinds(model.Push, 8, model.Pop, 4, model.Batch, 2, model.Steal, 2, model.Len, 1, model.Free, 1,
		model.InjectPop, 1, model.InjectClose, 1, model.Peek, 1, model.Vacant, 1, model.InjectPush, 1,
		model.InjectBatch, 1, model.InjectPopN, 1, model.InjectLen, 1)
	ringOther = kinds(model.Steal, 8, model.Push, 3, model.Pop, 3, model.Batch, 1, model.Peek, 1, model.Vacant, 1,
		model.Len, 1, model.Free, 1, model.InjectPush, 1, model.InjectBatch, 1, model.InjectPop, 1,
		model.InjectPopN, 1, model.InjectLen, 1, model.InjectClose, 1)
	ringSetup = kinds(model.Push, 12, model.Pop, 3, model.Batch, 2, model.Steal, 3, model.InjectPush, 1,
		model.InjectBatch, 1, model.InjectClose, 1, model.Len, 1, model.Free, 1, model.Peek, 1, model.Vacant, 1,
		model.InjectPop, 1, model.InjectPopN, 1, model.InjectLen, 1)
	injectAny = kinds(model.InjectPush, 5, model.InjectPop, 4, model.InjectBatch, 4, model.InjectPopN, 2,
		model.InjectLen, 2, model.InjectClose, 2)
	trackAny = kinds(model.TrySearch, 5, model.StopSearch, 4, model.Sleep, 3, model.SleepBusy, 4, model.Resume, 4,
		model.Wake, 5, model.WakeWorker, 1, model.WakeAll, 1, model.Counts, 2, model.Sleepers, 1)
	idleAny  = kinds(model.Submit, 6, model.WakeAll, 1, model.WakeWorker, 1, model.Nudge, 1)
	schedAny = kinds(model.Submit, 6, model.Await, 2, model.Close, 2)
	parkAny  = kinds(model.Unpark, 6, model.ParkToken, 5, model.ParkTimed, 2, model.Write, 2, model.Read, 2, model.ClosePark, 3)
)

// kinds spells out a list of kinds and their weights.
func kinds(pairs ...any) []model.Kind {
	var out []model.Kind
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, slices.Repeat([]model.Kind{pairs[i].(model.Kind)}, pairs[i+1].(int))...)
	}
	return out
}

// grammar walks once through a program, choosing or taking down what is in it,
// in the order of its text and then in its order. It is the one description of
// what the generator makes and of what bytes mean.
type grammar struct {
	coder
	shape Shape
	p     *Program
	tasks model.Task // given so far
	// wrote says that there is a Write already. A second one could race with
	// the first, or with a Read of it: the fault of the program.
	wrote bool
	// closes says that there may be a Close. In half of the programs there is
	// none, since in a long one little happens after it.
	closes bool
	// closed says that there is a Close already.
	closed bool
	// mine are the tasks that the setup and this thread have brought.
	mine []model.Task
}

func newGrammar(c coder, sh Shape, p *Program) *grammar { return &grammar{coder: c, shape: sh, p: p} }

// entry chooses an entry of a table.
func entry[E comparable](g *grammar, table []E, have E, what string) E {
	return table[g.choose(len(table), slices.Index(table, have), what)]
}

func (g *grammar) program() {
	g.head()
	g.operations()
	g.laws()
	if !g.writing() && !g.shape.InOrder {
		settle(&g.p.Scenario, g.shape.untimed)
	}
	g.p.Scenario.Claims = guards(g.p.Scenario)
	g.order()
}

// head chooses all that comes before the operations.
func (g *grammar) head() {
	s := &g.p.Scenario
	s.Name = generated
	if g.shape.Target != 0 {
		s.Target = g.shape.Target
	} else {
		s.Target = entry(g, targets, s.Target, "target")
	}
	if s.Target == model.Ring {
		s.Capacity = entry(g, capacities[:g.shape.Capacities], s.Capacity, "capacity")
		s.Start = entry(g, starts, s.Start, "start")
	}
	least, most := g.shape.MinThreads, g.shape.MaxThreads
	if manned(s.Target) {
		g.crew()
		least, most = 1, crewThreads // the workers are threads, too
	}
	n := least + g.choose(most-least+1, len(s.Threads)-least, "number of threads")
	s.Threads = sized(s.Threads, n)
	for t := range s.Threads {
		s.Threads[t].Name = threadNames[s.Target][t]
	}
	if s.Target == model.Tracker { // every thread is a worker, and there may be one more
		s.Workers = n + g.choose(2, s.Workers-n, "workers")
		s.Asleep = g.choose(s.Workers+1, s.Asleep, "asleep")
	}
	has := 0
	if hasClose(*s) {
		has = 1
	}
	g.closes = g.choose(2, has, "close") == 1
}

// operations chooses the setup and what the threads do.
func (g *grammar) operations() {
	s := &g.p.Scenario
	before, most := g.shape.Setup, g.shape.Ops
	switch {
	case manned(s.Target):
		before, most = min(before, crewSetup), min(most, crewOps)
	case s.Target == model.Park:
		most = g.shape.ParkOps
	}
	s.Setup = sized(s.Setup, g.choose(before+1, len(s.Setup), "length of the setup"))
	for i := range s.Setup {
		st := &s.Setup[i]
		st.Thread = g.choose(len(s.Threads), st.Thread, "thread")
		g.op(&st.Op, st.Thread, true)
	}
	shared := slices.Clone(g.mine)
	for t := range s.Threads {
		g.mine = slices.Clone(shared)
		ops := &s.Threads[t].Ops
		*ops = sized(*ops, 1+g.choose(most, len(*ops)-1, "number of operations"))
		for i := range *ops {
			g.op(&(*ops)[i], t, false)
		}
	}
}

// sized is list with n elements, nil if that is none.
func sized[E any](list []E, n int) []E {
	if n == 0 {
		return nil
	}
	return append(list, make([]E, max(0, n-len(list)))...)[:n]
}

// op chooses one operation of a thread.
func (g *grammar) op(o *model.Op, thread int, setup bool) {
	threads := len(g.p.Scenario.Threads)
	o.Kind = entry(g, g.kindsOf(thread, setup), o.Kind, "operation")
	g.closed = g.closed || isClose(o.Kind)
	n := 0
	switch o.Kind {
	case model.Steal: // from any ring but its own
		on := o.On
		if on > thread {
			on--
		}
		if on = g.choose(threads-1, on, "victim"); on >= thread {
			on++
		}
		o.On = on
	case model.Peek, model.Vacant, model.Unpark, model.ClosePark:
		o.On = g.choose(threads, o.On, "thread")
	case model.WakeWorker, model.Nudge:
		o.On = g.choose(g.p.Scenario.Workers, o.On, "worker")
	case model.Await: // for one that this thread, or the setup, has brought
		i := g.choose(len(g.mine), slices.Index(g.mine, first(o.Args)), "task")
		o.Args = []model.Task{g.mine[i]}
		return
	case model.Push, model.InjectPush, model.Submit, model.DequePush:
		n = 1
	case model.Write:
		n, g.wrote = 1, true
	case model.Batch, model.InjectBatch:
		n = entry(g, sizes[:g.shape.Sizes], len(o.Args), "size")
	case model.InjectPopN:
		o.Max = entry(g, maxima[:g.shape.Sizes], o.Max, "maximum")
	}
	o.Args = nil
	for range n {
		g.tasks++
		o.Args = append(o.Args, g.tasks)
	}
	if o.Kind == model.Submit {
		g.mine = append(g.mine, g.tasks)
	}
}

// first is the first of ts, if there is one.
func first(ts []model.Task) model.Task {
	if len(ts) == 0 {
		return 0
	}
	return ts[0]
}

// kindsOf returns the kinds that a thread may choose from.
func (g *grammar) kindsOf(thread int, setup bool) []model.Kind {
	s := g.p.Scenario
	var all []model.Kind
	switch {
	case g.shape.kinds != nil:
		all = g.shape.kinds(len(s.Threads), thread, setup)
	case s.Target == model.Inject:
		all = injectAny
	case s.Target == model.Idle:
		all = idleAny
	case s.Target == model.Tracker:
		all = trackAny
	case s.Target == model.Sched:
		all = schedAny
	case s.Target == model.Park:
		all = parkAny
	case setup:
		all = ringSetup
	case thread == 0:
		all = ringOwner
	default:
		all = ringOther
	}
	return slices.DeleteFunc(slices.Clone(all), func(k model.Kind) bool {
		return setup && (k == model.ParkToken || k == model.Await || k == model.Close) ||
			// Whoever awaits a task that is refused waits for ever.
			k == model.Await && (g.closes || len(g.mine) == 0) ||
			len(s.Threads) == 1 && k == model.Steal ||
			g.wrote && k == model.Write ||
			(!g.closes || g.closed && g.shape.once) && isClose(k)
	})
}

// order chooses whose operation is next, among the threads that would not wait.
func (g *grammar) order() {
	have := g.p.Order
	g.p.Order = nil
	if manned(g.p.Scenario.Target) {
		return // its workers go on by themselves
	}
	for at := newRun(g.p.Scenario); ; {
		able := at.able()
		if len(able) == 0 {
			return
		}
		old := -1
		if i := len(g.p.Order); i < len(have) {
			old = slices.Index(able, have[i])
		}
		t := able[g.choose(len(able), old, "turn of thread")]
		at.step(t)
		g.p.Order = append(g.p.Order, t)
	}
}
