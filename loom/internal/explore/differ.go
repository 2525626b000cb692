package explore

import (
	"fmt"
	"strings"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// difference is the error of a body that is not deterministic: after the same
// decisions a thread did one thing once, and now does another.
type difference struct {
	prefix  Schedule // the decisions before
	length  int      // how many these are
	thread  int
	is, was string
}

// dependOn says what a body is to do about it.
const dependOn = "it must depend on nothing but its own steps (no map order, random numbers, time, or state kept from the execution before)"

// Error says what differs, and not where: see placed.
func (d *difference) Error() string {
	return d.text(map[string]machine.Site{})
}

func (d *difference) text(places map[string]machine.Site) string {
	at := func(what string) string {
		step, rest, more := strings.Cut(what, ",")
		s := places[step]
		for what, site := range places {
			if strings.HasPrefix(step, someStep) && strings.HasSuffix(what, step[len(someStep):]) {
				s = site
			}
		}
		if s != (machine.Site{}) {
			step = fmt.Sprintf("%s at %v", step, s)
		}
		if more {
			step += "," + rest
		}
		return step
	}
	return fmt.Sprintf("loom: the body is not deterministic: after the same %d decisions %s has come to %s, and had come to %s; "+
		dependOn,
		d.length, machine.Name(d.thread), at(d.is), at(d.was))
}

// atStep, atChoice and atNothing say what a thread has come to.
func atStep(code machine.Code, object int32) string {
	name := code.String()
	if code == machine.None { // chosen, and not yet run
		name = someStep
	}
	return fmt.Sprintf("%s of object %d", name, object)
}

const someStep = "a step"

func atChoice(n int) string { return fmt.Sprintf("a choice among %d", n) }

const atNothing = "no step"

// differs ends the search: the thread of the point before depth has come to
// something else than before.
func (p *path) differs(is string) *machine.Thread {
	if p.err == nil {
		pt := &p.points[p.depth-1]
		d := &difference{length: p.depth - 1 + p.soloSteps(), thread: pt.thread, is: is, was: atStep(pt.code, pt.effect.Object)}
		if pt.n > 0 {
			d.was = atChoice(pt.n)
		}
		p.depth--
		d.prefix = *p.schedule()
		p.depth++
		p.err = d
	}
	return nil
}

// tries is how often placed runs the body to see both of two different steps.
const tries = 40

// placed adds to the error of a difference where in the source the two are. The
// search records no places, so the body is run again by the decisions before; as
// it is not deterministic, some runs come to the one and some to the other.
func placed(err error, body func()) error {
	d, ok := err.(*difference)
	if !ok {
		return err
	}
	places := map[string]machine.Site{}
	for range tries {
		if f := (&fork{d: d, left: d.prefix}); f.run(body) {
			places[f.what] = f.site
		}
		if len(places) > 1 {
			break
		}
	}
	return fmt.Errorf("%s", d.text(places))
}

// fork is the controller of a run up to the difference.
type fork struct {
	d       *difference
	left    Schedule
	reached bool
	what    string
	site    machine.Site
}

// run runs the body and reports whether the run has come to the difference.
func (f *fork) run(body func()) bool {
	m := machine.New(f)
	defer m.Close()
	m.Tracing = true
	m.Run(body)
	return f.reached
}

// Next is part of machine.Controller.
func (f *fork) Next(m *machine.Machine) *machine.Thread {
	if f.reached {
		return nil
	}
	if len(f.left.Order) == 0 {
		f.reached, f.what = true, atNothing
		if f.d.thread < m.Threads() {
			if t := m.Thread(f.d.thread); t.CanStep() {
				f.what, f.site = atStep(t.Pending().Code, t.Pending().Object()), t.Site()
			}
		}
		return nil
	}
	id := f.left.Order[0]
	f.left.Order = f.left.Order[1:]
	if id >= m.Threads() || !m.Thread(id).CanStep() {
		return nil // it differs already before
	}
	return m.Thread(id)
}

// Choose is part of machine.Controller.
func (f *fork) Choose(t *machine.Thread, n int) int {
	values := &f.left.Choices[t.ID()]
	if len(*values) == 0 {
		if t.ID() == f.d.thread && len(f.left.Order) == 0 && !f.reached {
			f.reached, f.what, f.site = true, atChoice(n), t.Here()
		}
		return 0
	}
	v := min((*values)[0], n-1)
	*values = (*values)[1:]
	return v
}
