package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// insert adds s to the tree of its point, unless the tree has a compatible
// order that ends before s could say otherwise.
//
// It follows the first branch that could be the first step of s, or commutes
// with all of s, and goes on below it with what is left of s. If that leads to a
// leaf, what follows there is free and includes s. If no branch fits, s becomes
// a new one, after the others.
func (o *optimal) insert(s *sequence) {
	o.descend(s, &o.p.points[s.i].tree, 0)
}

// outcomes are the branches of the tree of a choice, by outcome, 0 for none, and
// the last of them.
type outcomes struct {
	at   []int32
	last int32
}

func (o *optimal) outcomes(pt *point) outcomes {
	in := outcomes{at: make([]int32, pt.n)}
	for b := pt.tree; b != 0; b = o.forest.all[b].next {
		in.at[o.forest.all[b].choice], in.last = b, b
	}
	return in
}

// insertOutcome is insert for an outcome of a choice, followed by s. Only
// branches of that choice can be in the tree. It reports whether what follows the
// outcome is free.
func (o *optimal) insertOutcome(s *sequence, pt *point, v int, in *outcomes) bool {
	f := &o.forest
	at := in.at[v]
	switch {
	case at == 0:
		at = f.addAfter(in.last, &pt.tree, branch{name: o.names.of[pt.thread], choice: int32(v), object: -1, code: machine.Choose})
		in.at[v], in.last = at, at
		o.plant(s, nil, at)
	case f.all[at].below != 0:
		s.walked = append(s.walked, f.all[at])
		o.descend(s, nil, at)
	}
	return f.all[at].below == 0
}

// descend inserts s below branch at, or if that is 0 in the list at root.
func (o *optimal) descend(s *sequence, root *int32, at int32) {
	f := &o.forest
	for !s.empty() {
		var b int32
		if at == 0 {
			b = *root
		} else {
			b = f.all[at].below
		}
		for b != 0 && !o.fits(s, b) {
			b = f.all[b].next
		}
		if o.p.err != nil {
			return
		}
		if b == 0 {
			o.plant(s, root, at)
			return
		}
		if f.all[b].below == 0 {
			return
		}
		s.walked = append(s.walked, f.all[b])
		at = b
	}
}

func (s *sequence) empty() bool {
	if s.moved {
		return false
	}
	for t := range s.from {
		if s.has(t) {
			return false
		}
	}
	return true
}

// fits reports whether the step of branch n could come before all of s, and
// takes it out of s if it is there.
func (o *optimal) fits(s *sequence, n int32) bool {
	b := &o.forest.all[n]
	t := o.names.number(b.name)
	if t >= 0 && s.has(t) {
		k := s.next(o, t)
		pt := &o.p.points[k]
		if (pt.n > 0) != (b.choice >= 0) || pt.n > 0 && pt.value != int(b.choice) || !o.first(s, k) {
			return false
		}
		s.from[t]++
		return true
	}
	if t >= 0 && s.moved && s.last.thread == t {
		if b.choice >= 0 || !o.lastFirst(s) {
			return false
		}
		s.moved = false
		s.beyond |= 1 << t
		return true
	}
	if b.choice < 0 && o.meetsBranch(s, n, t) {
		return false
	}
	if t >= 0 {
		s.beyond |= 1 << t
	}
	return true
}

// meetsBranch reports whether the step of branch n, whose thread t has none in s,
// conflicts with one of s.
//
// Its object may have a number that means nothing in this execution. If the
// steps that have been followed so far include none of t, or only such as the
// execution has in the same place, then t is about to do the same here, and it is
// known what to. Otherwise the order is run to find out.
func (o *optimal) meetsBranch(s *sequence, n int32, t int) bool {
	b := &o.forest.all[n]
	object := b.object
	if object == unknown && t >= 0 && s.beyond&(1<<t) == 0 {
		object = o.order.objectOf(t, int(s.from[t]))
	}
	for i := 0; object == unknown && i < len(s.seen); i++ {
		if s.seen[i].branch == n {
			object = s.seen[i].object
		}
	}
	if object == unknown {
		object = o.askBranch(s, n)
	}
	if object == elsewhere {
		return false
	}
	return o.meets(s, machine.Effect{Object: object, Mode: b.mode})
}

// objectOf returns the object of the decision of thread t after its first n.
func (r *order) objectOf(t, n int) int32 {
	if n < len(r.of[t]) {
		if pt := &r.o.p.points[r.of[t][n]]; pt.n == 0 {
			return pt.effect.Object
		}
		return unknown
	}
	if r.ends[t].code != machine.None {
		return r.ends[t].object
	}
	return unknown
}

// plant adds all of s below branch at, or if that is 0 to the list at root.
func (o *optimal) plant(s *sequence, root *int32, at int32) {
	if s.moved && !s.sure {
		o.ask(s)
	}
	objects := o.p.points[s.i].objects
	o.each(s, func(b branch) {
		if b.object >= objects {
			b.object = unknown
		}
		at = o.forest.add(root, at, b)
	})
}

// each calls f for what is left of s, in the order of the execution, but that
// what the last step that was followed has chosen comes first.
func (o *optimal) each(s *sequence, f func(b branch)) {
	r := &o.order
	due := o.due(s)
	if due >= 0 {
		f(o.branch(due))
	}
	for k := s.i; k < r.n; k++ {
		if t := o.p.points[k].thread; k != due && r.local[k] > s.from[t] && r.local[k] <= s.to[t] {
			f(o.branch(k))
		}
	}
	if s.moved {
		l := &s.last
		f(branch{name: o.names.of[l.thread], choice: -1, object: l.object, mode: l.mode, code: l.code})
	}
}

// due returns the choice in s that is part of the last step that was followed,
// -1 if there is none.
func (o *optimal) due(s *sequence) int {
	n := len(s.walked)
	if n == 0 || s.walked[n-1].choice >= 0 {
		return -1
	}
	if t := o.names.number(s.walked[n-1].name); t >= 0 && s.has(t) {
		if k := s.next(o, t); o.p.points[k].n > 0 {
			return k
		}
	}
	return -1
}

// branch returns decision k as a branch.
func (o *optimal) branch(k int) branch {
	pt := &o.p.points[k]
	b := branch{name: o.names.of[pt.thread], choice: -1, object: pt.effect.Object, mode: pt.effect.Mode, code: pt.code}
	if pt.n > 0 {
		b.choice, b.object, b.code = int32(pt.value), -1, machine.Choose
	}
	return b
}
