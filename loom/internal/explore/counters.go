package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// This file is about the two counters of package sync: that of a WaitGroup and
// that of the readers of an RWMutex. Additions to one commute, and n threads that
// call Done give one trace and not n!. But only as long as it matters to nobody in
// which order they come. It does if, in some order, one of them takes the counter
// below zero, which panics, or if an Add finds it at zero while a Wait is not
// ordered with it, which is misuse. What such a step depends on is then that any of
// several others has come before, and there is no order of steps that says so.
//
// So each execution is asked whether there is such an order of its steps
// (disputed). If none is ever found, additions commute in all that the program can
// do: let a counter go below zero without a sound, and have nobody look for
// misuse; then additions do commute, the search has seen a linearization of each
// trace, and the first panic or misuse in another linearization of it would be one
// of its orders. If one is found, the search begins again and takes additions in
// order: each then conflicts with each (machine.Machine.Ordered).
//
// Wait is a second reason to ask. It can go on when the counter is zero, and
// before which of the additions that is so depends on which others have come. But
// suppose it could go on earlier than it did, after the steps P. Take the first
// addition, in any order of the steps after P, that is not in P and is above zero:
// it finds the counter at zero, and is not ordered with the Wait. So that is misuse
// by the same rule.
//
// What is asked has the same answer for all executions of a trace.

// use is a step that changes a counter.
type use struct {
	at     int // the decision
	amount int64
}

// tally is what is worked out of an execution to see whether it is disputed: the
// order of its decisions, as in order, which only the optimal search has and which
// leaves out what it need not look at.
type tally struct {
	p             *path // memory of an earlier execution is used again
	width         int
	local         []int32 // by decision: its number among those of its thread, from 1
	clocks, pasts []int32 // by decision, a row: what it depends on, and that without its conflicts
	knows, have   []int32 // by thread: a row of what its next decision depends on, and how many it has
	touched       []int32 // by object and mode, a row: what the steps like that so far depend on
	uses          [][]use // by object
	waits         []groupWait
}

// groupWait is a Wait of a WaitGroup: its decision, or -1 if it still waits at the
// end, and what it knows of by other ways than the group.
type groupWait struct {
	at, object int
	past       []int32
}

// asleepIn is a thread that waits for a WaitGroup when the execution has ended.
type asleepIn struct{ thread, object int }

// notes marks the program as one with counters, if the step of a point is one that
// can be disputed.
func (p *path) notes(pt *point) {
	if !p.counts && pt.code >= machine.Lock && (pt.amount() < 0 || pt.code == machine.GroupWait) {
		p.counts = true
	}
}

// stuck notes who waits for a group when no thread can take a step.
func (p *path) stuck() {
	for t := range p.m.Threads() {
		if op := p.m.Thread(t).Pending(); !p.m.Thread(t).Ended() && op.Code == machine.GroupWait && op.Object() >= 0 {
			p.asleep = append(p.asleep, asleepIn{t, int(op.Object())})
			p.counts = true
		}
	}
}

// disputed reports whether some order of the steps of the execution that has just
// ended takes a counter below zero, or has an Add find it at zero that is not
// ordered with a Wait.
func (p *path) disputed() bool {
	if !p.counts || p.m.Ordered || p.blocked {
		return false
	}
	a := &p.tally
	a.p = p
	a.order()
	for _, uses := range a.uses {
		if a.underflows(uses, -1) {
			return true
		}
	}
	for _, w := range a.waits {
		for _, u := range a.uses[w.object] {
			if p.expired(len(a.uses[w.object])) {
				return false
			}
			if u.amount > 0 && a.concurrent(u.at, w) && a.underflows(a.uses[w.object], u.at) {
				return true
			}
		}
	}
	return false
}

// order works out the order of the decisions.
func (a *tally) order() {
	p := a.p
	n, w, objects := p.depth, p.m.Threads(), p.m.Objects()
	a.width = w
	a.local, a.clocks, a.pasts = resize(a.local, n, 0), resize(a.clocks, n*w, 0), resize(a.pasts, n*w, 0)
	a.have, a.knows, a.touched = resize(a.have, w, 0), resize(a.knows, w*w, 0), resize(a.touched, objects*machine.Modes*w, 0)
	clear(a.have)
	clear(a.knows)
	clear(a.touched)
	for len(a.uses) < objects {
		a.uses = append(a.uses, nil)
	}
	for i := range a.uses {
		a.uses[i] = a.uses[i][:0]
	}
	a.waits = a.waits[:0]
	links := p.links
	for j := range p.points[:n] {
		for ; len(links) > 0 && links[0].before <= j; links = links[1:] {
			a.follow(&links[0])
		}
		a.decide(j)
	}
	for i := range links {
		a.follow(&links[i])
	}
	for _, s := range p.asleep {
		a.waits = append(a.waits, groupWait{-1, s.object, a.row(a.knows, s.thread)})
	}
}

func (a *tally) row(table []int32, i int) []int32 { return table[i*a.width : (i+1)*a.width] }

func (a *tally) follow(l *link) {
	know := a.row(a.knows, l.to)
	if l.decisions < 0 {
		join(know, a.row(a.knows, l.from))
	} else {
		join(know, a.row(a.clocks, l.decisions-1))
	}
}

// decide gives decision j its place.
func (a *tally) decide(j int) {
	pt := &a.p.points[j]
	know := a.row(a.knows, pt.thread)
	copy(a.row(a.pasts, j), know)
	if pt.n == 0 {
		a.conflicts(pt.effect, know)
	}
	a.have[pt.thread]++
	a.local[j] = a.have[pt.thread]
	know[pt.thread] = a.local[j]
	copy(a.row(a.clocks, j), know)
	if pt.n == 0 {
		a.touch(j, pt)
	}
}

// conflicts makes know include the steps that conflict with one of effect e.
func (a *tally) conflicts(e machine.Effect, know []int32) {
	for m := range machine.Modes {
		if !e.Independent(machine.Effect{Object: e.Object, Mode: machine.Mode(m)}) {
			join(know, a.row(a.touched, int(e.Object)*machine.Modes+m))
		}
	}
}

// touch notes what step j does to its object.
func (a *tally) touch(j int, pt *point) {
	object := int(pt.effect.Object)
	join(a.row(a.touched, object*machine.Modes+int(pt.effect.Mode)), a.row(a.clocks, j))
	if n := pt.amount(); n != 0 {
		a.uses[object] = append(a.uses[object], use{j, n})
	}
	if pt.code == machine.GroupWait {
		a.waits = append(a.waits, groupWait{j, object, a.row(a.pasts, j)})
	}
}

// has reports whether decision i is among those of a row.
func (a *tally) has(row []int32, i int) bool {
	return a.local[i] <= row[a.p.points[i].thread]
}

// concurrent reports whether an addition and a Wait of the same group have no
// order but, perhaps, that of the group.
func (a *tally) concurrent(add int, w groupWait) bool {
	return !a.has(w.past, add) && (w.at < 0 || !a.has(a.row(a.pasts, add), w.at))
}
