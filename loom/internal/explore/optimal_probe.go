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

// ask finds out how the last step of s touches its object there.
func (o *optimal) ask(s *sequence) {
	f := &s.last
	s.moved = false
	do := o.steps(s, append([]branch(nil), s.walked...))
	s.moved, s.sure = true, true
	name := o.names.of[f.thread]
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
}

// askBranch finds out the object of branch n, which comes after the branches that
// were followed: its number in the execution at hand, elsewhere if it is none of
// those that what is left of s touches.
//
// The probe runs what is left of s, noting the numbers that the objects have in
// it, and then branch n. If that commutes with s, the probe is at a place that is
// as good as the one where the branch comes first, and goes on with the branches
// below, which are likely to be asked for next.
func (o *optimal) askBranch(s *sequence, n int32) int32 {
	list := o.steps(s, append([]branch(nil), s.walked...))
	end := len(list)
	chain := o.chain(s, n)
	for _, b := range chain {
		list = append(list, o.forest.all[b])
	}
	here := map[int32]int32{} // numbers in the execution at hand, by those in the probe
	of := func(m *machine.Machine, i int) int32 {
		if id := o.probe.names.number(list[i].name); id >= 0 {
			return m.Thread(id).Pending().Object()
		}
		return -1
	}
	first := int32(-1)
	o.runProbe(s.i, list, func(m *machine.Machine, i int) bool {
		if i == len(s.walked) {
			first = of(m, end)
		}
		switch {
		case i == len(list) || i < len(s.walked):
			return false
		case i < end:
			here[of(m, i)] = list[i].object
			return false
		case i == end:
			return o.found(s, n, first, here)
		}
		id := o.probe.names.number(list[i].name)
		return id < 0 || !m.Thread(id).CanStep() || o.found(s, chain[i-end], of(m, i), here)
	})
	for _, k := range s.seen {
		if k.branch == n {
			return k.object
		}
	}
	return elsewhere // the search has failed
}

// chain returns branch n and those that are first below it, as far as their
// threads have no step in s.
func (o *optimal) chain(s *sequence, n int32) []int32 {
	var chain []int32
	for ; n != 0; n = o.forest.all[n].below {
		t := o.names.number(o.forest.all[n].name)
		if len(chain) > 0 && (o.forest.all[n].choice >= 0 || t >= 0 && (s.has(t) || s.moved && s.last.thread == t)) {
			break
		}
		chain = append(chain, n)
	}
	return chain
}

// found notes the object of branch n by its number in a probe, and reports
// whether the branch conflicts with s.
func (o *optimal) found(s *sequence, n, object int32, here map[int32]int32) bool {
	b := &o.forest.all[n]
	at, ok := here[object]
	switch {
	case object < 0:
		o.bug("a step that was to be tried is not there")
		return true
	case object < o.p.points[s.i].objects:
		at = object
	case !ok:
		at = elsewhere
	}
	s.seen = append(s.seen, seenBranch{n, at})
	return at != elsewhere && o.meetsFor(s, machine.Effect{Object: at, Mode: b.mode})
}

// meetsFor is meets while a probe runs: it asks nothing, and assumes the worst.
func (o *optimal) meetsFor(s *sequence, e machine.Effect) bool {
	return o.clashes(s, e.Object, e.Mode) || s.moved && e.Object == s.last.object
}
