package explore

import (
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// point is a decision on the path of an execution: which thread took a step, or
// how a choice went.
type point struct {
	enabled uint64
	asleep  uint64 // threads whose step from here need not be tried, or has been
	effects int    // where the effects of the enabled threads begin
	objects int32  // how many objects were known
	effect  machine.Effect
	thread  int
	code    machine.Code  // None: not known yet
	state   machine.State // of the object before the step, if it is no word
	delta   int64         // what GroupAdd adds
	gate    uint64        // threads that must not take their step yet (shard.go)
	values  uint64        // a hash of what the thread had read before the step
	solos   uint64        // and one of the steps before it that are no decisions
	n       int           // a choice of n; 0: a step
	value   int           // of the choice

	// Optimal search: what is to be run from here after the present decision,
	// and what it is to be followed by.
	tree, then int32
	tried      []uint64 // outcomes of the choice that are done or being run
}

// path is the controller of a search: it has the machine repeat the decisions of
// the last execution for as long as they are kept, checks that they lead to the
// same steps, and leaves further ones to its strategy.
type path struct {
	memory
	opts    Options
	m       *machine.Machine
	body    func()
	by      strategy
	depth   int  // points that the running execution has used
	blocked bool // the strategy ended the execution
	shut    bool // it is blocked since those that could go on must not
	err     error
	guide   guide
	fell    bool      // the optimal search cannot do it
	share   int       // which of the prefixes of a shard
	savedAt time.Time // when the search was last saved
	work    int       // since the last look at the clock
	over    bool      // the deadline has passed
	listens bool      // somebody wants to know the trail
	traced  bool      // the last execution was the end of a trace
	probe   *probe    // runs instead of the search, while it is not nil
	heard   int       // how many of the steps that are no decisions the trail has
	unlike  bool      // those have been others, after the same decisions
	res     Result

	counts bool       // some step takes from a counter, or waits for one
	asleep []asleepIn // of the running execution
	tally  tally
}

// run runs the body once.
func (p *path) run() {
	p.depth, p.blocked, p.shut, p.heard = 0, false, false, 0
	p.links, p.asleep = p.links[:0], p.asleep[:0]
	if p.opts.Watch != nil {
		p.stack.begin(len(p.points), p.res.Traces)
	}
	p.by.begin()
	p.listens = p.opts.Fingerprints || p.opts.Bounded || p.opts.Watch != nil && p.opts.Watch.Listens()
	p.m.LogSolo = p.listens
	kept := len(p.points)
	if p.listens {
		p.trail.reset()
	}
	p.m.Run(p.body)
	p.hear()
	p.unlike = p.unlike || p.depth < kept && p.m.Solo && p.err == nil // it ended before
}

// hear tells the trail of steps that are no decisions.
func (p *path) hear() {
	log := p.m.SoloLog()
	for _, s := range log[p.heard:] {
		p.trail.meet(p.m)
		p.trail.step(s.Thread, s.Effect, 0)
	}
	p.heard = len(log)
}

// schedule returns the path as a schedule.
func (p *path) schedule() *Schedule {
	sched := new(Schedule)
	solos := p.m.Solos()
	alone := func(before int) {
		for len(solos) > 0 && solos[0].Before <= before {
			for range solos[0].Steps {
				sched.step(solos[0].Thread)
			}
			solos = solos[1:]
		}
	}
	for i := range p.points[:p.depth] {
		alone(i)
		if pt := &p.points[i]; pt.n > 0 {
			sched.choose(pt.thread, pt.value)
		} else {
			sched.step(pt.thread)
		}
	}
	alone(p.depth)
	return sched
}

// soloSteps returns how many steps of the execution were no decisions.
func (p *path) soloSteps() (n int) {
	for _, s := range p.m.Solos() {
		n += s.Steps
	}
	return n
}

// Next is part of machine.Controller.
func (p *path) Next(m *machine.Machine) *machine.Thread {
	if p.probe != nil {
		return p.probe.step(m)
	}
	if p.depth == len(p.points) {
		return p.further(m)
	}
	pt := &p.points[p.depth]
	if pt.solos != m.SoloHash() {
		p.unlike = true
		return nil
	}
	p.depth++
	if pt.thread >= m.Threads() {
		return p.differs(atNothing)
	}
	t := m.Thread(pt.thread)
	op := t.Pending()
	if pt.n > 0 {
		return p.differs(atStep(op.Code, op.Object()))
	}
	if pt.code == machine.None {
		pt.meet(m, t)
		p.notes(pt)
	}
	switch {
	case !t.CanStep():
		return p.differs(atNothing)
	case op.Object() != pt.effect.Object || op.Code != pt.code:
		return p.differs(atStep(op.Code, op.Object()))
	case t.Effect() != pt.effect:
		return p.differs(atStep(op.Code, op.Object()) + ", with other values")
	case t.Values() != pt.values:
		return p.differs(atStep(op.Code, op.Object()) + ", having read other values")
	}
	if p.listens {
		p.note(pt.thread, pt.effect, 0)
	}
	return t
}

// further is Next after the path: it takes a step of its own, which can only be as
// it has just found it.
func (p *path) further(m *machine.Machine) *machine.Thread {
	if !p.extend(m) {
		return nil
	}
	pt := &p.points[p.depth]
	p.depth++
	t := m.Thread(pt.thread)
	pt.meet(m, t)
	p.notes(pt)
	if p.listens {
		p.note(pt.thread, pt.effect, 0)
	}
	return t
}

// meet fills in what the step of a point is, the first time that it is taken.
func (pt *point) meet(m *machine.Machine, t *machine.Thread) {
	op := t.Pending()
	pt.values, pt.solos = t.Values(), m.SoloHash()
	pt.code, pt.delta = op.Code, op.Delta()
	if op.Code >= machine.Lock {
		pt.state = op.State()
	}
}

// note adds a decision to the trail.
func (p *path) note(thread int, e machine.Effect, choice int) {
	p.hear()
	p.trail.meet(p.m)
	p.trail.step(thread, e, choice)
	if b, ok := p.by.(*bounded); ok {
		b.note(thread, e, choice)
	}
}

// extend adds a point for the step after the path, and reports false if there is
// none to take.
func (p *path) extend(m *machine.Machine) bool {
	pt := p.grow()
	pt.enabled, p.effects = m.Enabled(p.effects)
	pt.objects = int32(m.Objects())
	gated := pt.enabled & pt.gate
	pt.enabled &^= gated
	if pt.enabled != 0 && !p.exceeds(len(p.points)) && (p.steer(pt) || p.by.step(pt)) {
		if p.err != nil {
			return false
		}
		pt.effect = p.effects[pt.effects+pt.thread]
		return true
	}
	if pt.enabled == 0 && gated == 0 {
		p.stuck()
		p.by.stuck()
		m.Deadlock()
	} else {
		p.blocked, p.shut = true, pt.enabled == 0
	}
	p.cut(len(p.points) - 1)
	return false
}

// exceeds reports whether the deadline has passed in an execution of so many
// decisions.
func (p *path) exceeds(n int) bool { return n&(glance/4-1) == 0 && p.expired(glance/4) }

// grow adds a point to the path. What was allocated for an earlier one is kept.
func (p *path) grow() *point {
	n := len(p.points)
	if n < cap(p.points) {
		p.points = p.points[:n+1]
	} else {
		p.points = append(p.points, point{})
	}
	pt := &p.points[n]
	tried := pt.tried[:0]
	*pt = point{} // in place, which a literal that uses what was there is not
	pt.asleep, pt.gate, pt.effects, pt.tried = p.carry(n), p.gate(n), len(p.effects), tried
	return pt
}

// cut forgets all points but the first n.
func (p *path) cut(n int) {
	if n < len(p.points) {
		p.effects = p.effects[:p.points[n].effects]
		p.points = p.points[:n]
	}
}

// carry returns the threads that sleep after the first n points: those that
// slept at the last of them, or were explored there, and whose steps commute
// with the one taken.
func (p *path) carry(n int) uint64 {
	if n == 0 || p.opts.NoSleep {
		return 0
	}
	if _, ok := p.by.(*sleepSets); ok && n == p.guide.floor {
		return p.guide.asleep
	}
	pt := &p.points[n-1]
	if pt.n > 0 {
		return pt.asleep
	}
	var sleep uint64
	for q := range threads(pt.asleep) {
		if p.effects[pt.effects+q].Independent(pt.effect) {
			sleep |= 1 << q
		}
	}
	return sleep
}

// Choose is part of machine.Controller.
func (p *path) Choose(t *machine.Thread, n int) int {
	if p.probe != nil {
		return p.probe.choose(t, n)
	}
	if p.depth == len(p.points) {
		pt := p.grow()
		pt.n, pt.thread, pt.objects = n, t.ID(), int32(p.m.Objects())
		if !p.steerChoice(pt) {
			p.by.choice(pt)
		}
	}
	pt := &p.points[p.depth]
	p.depth++
	if pt.n != n || pt.thread != t.ID() {
		if pt.thread != t.ID() {
			p.differs(machine.Name(t.ID()) + " comes to a choice")
		} else {
			p.differs(atChoice(n))
		}
		return 0
	}
	if p.listens {
		p.note(pt.thread, machine.Effect{Object: -1}, pt.value+1)
	}
	return pt.value
}

// Link is part of machine.Linker.
func (p *path) Link(from, to *machine.Thread, decisions int) {
	if p.probe == nil {
		p.links = append(p.links, link{p.depth, from.ID(), to.ID(), decisions})
	}
}
