package explore

import (
	"github.com/filch-sched/filch/loom/internal/machine"
)

// probe is the controller of an execution that is run only as far as an order
// of steps that is about to be added to a tree goes, to see what the machine
// makes of it. It is needed only where the execution at hand cannot tell.
type probe struct {
	o      *optimal
	names  roster
	prefix int // this many decisions of the path, then do
	done   int
	do     []branch
	look   func(m *machine.Machine, i int) bool // called before do[i], and at the end; true: seen enough
}

// run runs the body by the probe.
func (o *optimal) runProbe(prefix int, do []branch, look func(m *machine.Machine, i int) bool) {
	pr := &o.probe
	pr.o, pr.prefix, pr.done, pr.do, pr.look = o, prefix, 0, do, look
	if pr.names.kinship == nil {
		pr.names.kinship = o.names.kinship
	}
	pr.names.reset()
	o.p.res.Probes++
	o.p.probe = pr
	o.p.m.Run(o.p.body)
	o.p.probe = nil
	if o.p.m.Err != nil && o.p.err == nil {
		o.p.err = o.p.m.Err
	}
}

func (pr *probe) step(m *machine.Machine) *machine.Thread {
	if i := pr.done; i < pr.prefix {
		pr.done++
		pt := &pr.o.p.points[i]
		if pt.n > 0 || pt.thread >= m.Threads() || !m.Thread(pt.thread).CanStep() {
			pr.o.bug("a step is not repeated")
			return nil
		}
		return m.Thread(pt.thread)
	}
	pr.names.meet(m)
	i := min(pr.done-pr.prefix, len(pr.do)) // the last of them may have made a choice, too
	if pr.look(m, i) || i == len(pr.do) {
		return nil
	}
	pr.done++
	id := pr.names.number(pr.do[i].name)
	if pr.do[i].choice >= 0 || id < 0 || !m.Thread(id).CanStep() {
		pr.o.bug("an order that was to be run cannot be")
		return nil
	}
	return m.Thread(id)
}

func (pr *probe) choose(t *machine.Thread, n int) int {
	i := pr.done
	pr.done++
	if i < pr.prefix {
		return min(pr.o.p.points[i].value, n-1)
	}
	if i -= pr.prefix; i < len(pr.do) {
		return max(0, min(int(pr.do[i].choice), n-1))
	}
	return 0
}

// steps appends what is left of s to list.
func (o *optimal) steps(s *sequence, list []branch) []branch {
	o.each(s, func(b branch) { list = append(list, b) })
	return list
}

// ask finds out how the last step of s touches its object there, and reports
// whether that is less than was assumed.
func (o *optimal) ask(s *sequence) bool {
	f := &s.last
	s.moved = false
	do := o.steps(s, nil)
	s.moved = true
	name, before := o.names.of[f.thread], f.mode
	o.runProbe(s.i, do, func(m *machine.Machine, i int) bool {
		if i == len(do) {
			id := o.probe.names.number(name)
			if id < 0 || !m.Thread(id).CanStep() || m.Thread(id).Pending().Code != f.code {
				o.bug("a step cannot be tried earlier")
				return true
			}
			f.mode = m.Thread(id).Effect().Mode
		}
		return false
	})
	return f.mode != before
}

// askBranch finds out whether the step of b, coming after the branches that were
// followed, conflicts with a step of what is left of s.
func (o *optimal) askBranch(s *sequence, b *branch) bool {
	do := o.steps(s, append([]branch(nil), s.walked...))
	name, conflict := b.name, false
	o.runProbe(s.i, do, func(m *machine.Machine, i int) bool {
		if i < len(s.walked) || i == len(do) {
			return false
		}
		t, u := o.probe.names.number(name), o.probe.names.number(do[i].name)
		if t < 0 || u < 0 || !m.Thread(t).CanStep() || !m.Thread(u).CanStep() {
			o.bug("an order that was to be tried cannot be")
			return true
		}
		conflict = !m.Thread(t).Effect().Independent(m.Thread(u).Effect())
		return conflict
	})
	return conflict
}
