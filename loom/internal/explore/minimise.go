package explore

import (
	"math/bits"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// The limits of a minimisation: whatever comes first. The number of runs is what
// ends most of those that do not come to their end by themselves, so that the
// result does not depend on the machine.
const (
	minimiseRuns = 20_000
	minimiseTime = 2 * time.Second
)

// minimiseUntil is when a minimisation that begins now is to end. The deadline of
// the search leaves it little.
func (o *Options) minimiseUntil() time.Time {
	until := time.Now().Add(minimiseTime)
	if late := o.Deadline.Add(minimiseTime / 8); !o.Deadline.IsZero() && late.Before(until) {
		until = late
	}
	return until
}

// decision is a step of a thread, or the outcome of a choice that it made.
type decision struct {
	thread int
	choice int // -1: a step
}

func scheduleOf(list []decision) (s Schedule) {
	for _, d := range list {
		if d.choice < 0 {
			s.step(d.thread)
		} else {
			s.choose(d.thread, d.choice)
		}
	}
	return s
}

// attempt is how an execution begins: the first n decisions of another one, and
// then one that is different. key is the state and the thread that goes on, 0 if
// it is a choice.
type attempt struct {
	base []decision
	n    int
	then decision
	key  uint64
}

// minimiser looks for the schedule with the fewest switches of threads, and of
// those the fewest steps, that ends in a given failure.
//
// It explores by the number of switches: the attempts of level k begin with k
// switches, and a run goes on from there without another one for as long as it
// can; wherever it could switch it leaves an attempt for the next level. Two
// beginnings of one trace lead to the same state, so only the first of those
// that go on with the same thread is followed. All of a level come to the same
// number of switches, so the first level with a failure has the fewest.
type minimiser struct {
	opts    Options
	m       *machine.Machine
	want    *machine.Failure
	best    Schedule
	found   bool // best is of this search, not what it was given
	runs    int
	until   time.Time
	visited map[uint64]int // by state and thread that goes on from there: the level
	level   int
	here    []attempt // of this level
	next    []attempt

	// The running execution.
	run     attempt
	did     []decision
	effects []machine.Effect
	steps   []taken
	stopped [machine.MaxThreads]int // by thread: how many steps there were when it was switched away from, -1 if it was not
	trail   trail
	last    int
	gone    bool // the attempt does not fit, or leads nowhere new
}

// taken is a step of the running execution.
type taken struct {
	thread int
	effect machine.Effect
}

// minimise returns the shortest schedule that it finds within its limits that
// ends in a failure like f, as s does; exact says that there is none with fewer
// switches, nor one with as many and fewer steps.
func minimise(body func(), f *machine.Failure, s Schedule, opts Options) (short Schedule, exact bool) {
	mi := &minimiser{opts: opts, want: f, best: s, until: opts.minimiseUntil(), visited: map[uint64]int{}}
	mi.m = machine.New(mi)
	defer mi.m.Close()
	mi.m.MaxSteps = 4*len(s.Order) + 200
	if opts.MaxSteps > 0 {
		mi.m.MaxSteps = min(mi.m.MaxSteps, opts.MaxSteps)
	}
	mi.here = []attempt{{then: decision{-1, -1}}}
	for most := s.Switches(); mi.level <= most; mi.level++ {
		if !mi.drain(body) {
			return mi.best, false
		}
		if mi.found || len(mi.next) == 0 {
			break
		}
		mi.here, mi.next = mi.next, mi.here[:0]
	}
	return mi.best, true
}

// drain runs the attempts of a level and reports whether it got through.
func (mi *minimiser) drain(body func()) bool {
	for i := 0; i < len(mi.here); i++ { // a run may add to them
		mi.run = mi.here[i]
		mi.here[i].base = nil
		if mi.run.key != 0 && mi.visited[mi.run.key] < mi.level {
			continue // since then met without that switch
		}
		if mi.runs++; mi.runs > minimiseRuns || (mi.runs%16 == 0 || len(mi.steps) > 1000) && time.Now().After(mi.until) {
			return false
		}
		mi.did, mi.steps, mi.last, mi.gone = make([]decision, 0, mi.run.n+16), mi.steps[:0], -1, false
		for t := range mi.stopped {
			mi.stopped[t] = -1
		}
		mi.trail.reset()
		mi.m.Run(body)
		if mi.opts.Failed != nil && mi.opts.Failed() {
			return false // the body has told the test of something else
		}
		if !mi.gone && mi.m.Err == nil && same(mi.m.Failure, mi.want) {
			mi.keep()
		}
	}
	return true
}

// keep takes the execution that has just failed, if it is the shortest so far.
func (mi *minimiser) keep() {
	s := scheduleOf(mi.did)
	if !better(mi.best, s) && (!mi.found || better(s, mi.best)) {
		mi.best, mi.found = s, true
	}
}

// Next is part of machine.Controller.
func (mi *minimiser) Next(m *machine.Machine) *machine.Thread {
	if mi.gone {
		return nil
	}
	mi.trail.meet(m)
	enabled, effects := m.Enabled(mi.effects[:0])
	mi.effects = effects
	k := len(mi.did)
	switch {
	case enabled == 0:
		mi.gone = k < mi.run.n
		m.Deadlock()
		return nil
	case k < mi.run.n:
		return mi.take(m, mi.run.base[k], enabled)
	case k == mi.run.n && mi.run.then.choice < 0 && mi.run.then.thread >= 0:
		return mi.take(m, mi.run.then, enabled)
	}
	first := mi.last < 0
	on := !first && enabled&(1<<mi.last) != 0
	if first {
		mi.leave(&mi.here, enabled, mi.level)
	} else if mi.level < mi.best.Switches() {
		mi.leave(&mi.next, enabled&^(1<<mi.last), mi.level+1)
	}
	if !on || mi.visit(mi.last, mi.level) == 0 {
		mi.gone = true
		return nil
	}
	return mi.take(m, decision{mi.last, -1}, enabled)
}

// leave makes attempts of a level that go on from here with each of a set of
// threads.
func (mi *minimiser) leave(list *[]attempt, set uint64, level int) {
	for ; set != 0; set &= set - 1 {
		id := bits.TrailingZeros64(set)
		if mi.idle(id) {
			continue
		}
		if key := mi.visit(id, level); key != 0 {
			*list = append(*list, attempt{mi.did, len(mi.did), decision{id, -1}, key})
		}
	}
}

// idle reports whether a thread that was switched away from could as well have
// taken its next step then: nothing since then had to come before it.
func (mi *minimiser) idle(id int) bool {
	at := mi.stopped[id]
	if at < 0 {
		return false
	}
	for _, s := range mi.steps[at:] {
		if !s.effect.Independent(mi.effects[id]) {
			return false
		}
	}
	return true
}

// visit notes that an execution of a level goes on with thread id from the state
// in which this one is. It returns what stands for that, or 0 if one of this
// level or a lower one has done so before.
func (mi *minimiser) visit(id, level int) uint64 {
	key := mix(mi.trail.sum^mix(mi.trail.names[id])) | 1
	if before, seen := mi.visited[key]; seen && before <= level {
		return 0
	}
	mi.visited[key] = level
	return key
}

// take takes the step of d, if it can be taken.
func (mi *minimiser) take(m *machine.Machine, d decision, enabled uint64) *machine.Thread {
	if d.choice >= 0 || d.thread >= m.Threads() || enabled&(1<<d.thread) == 0 {
		mi.gone = true
		return nil
	}
	if mi.last >= 0 && mi.last != d.thread && enabled&(1<<mi.last) != 0 {
		mi.stopped[mi.last] = len(mi.steps)
	}
	mi.stopped[d.thread] = -1
	mi.last = d.thread
	mi.did = append(mi.did, d)
	mi.steps = append(mi.steps, taken{d.thread, mi.effects[d.thread]})
	mi.trail.step(d.thread, mi.effects[d.thread], 0)
	return m.Thread(d.thread)
}

// Choose is part of machine.Controller.
func (mi *minimiser) Choose(t *machine.Thread, n int) int {
	mi.trail.meet(mi.m)
	k := len(mi.did)
	d := decision{t.ID(), 0}
	switch {
	case k < mi.run.n:
		d = mi.run.base[k]
	case k == mi.run.n && mi.run.then.choice >= 0:
		d = mi.run.then
	default:
		for v := 1; v < n; v++ {
			mi.here = append(mi.here, attempt{mi.did, k, decision{t.ID(), v}, 0})
		}
	}
	if d.thread != t.ID() || d.choice < 0 || d.choice >= n {
		mi.gone = true
		d.choice = 0
	}
	mi.did = append(mi.did, decision{t.ID(), d.choice})
	mi.trail.step(t.ID(), machine.Effect{Object: -1}, d.choice+1)
	return d.choice
}
