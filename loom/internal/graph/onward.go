package graph

import "slices"

// How far a walk goes: it makes states whose paths are longer than need be, and
// to come back to them takes as many steps.
const (
	maxWalk   = 4096
	maxLead   = 64
	maxNear   = 64
	maxGuided = 60
)

// onward returns the edge that a walk takes next and whether it is one that is
// not known yet.
func (s *Search) onward() (e Edge, open bool) {
	r, g := &s.run, s.g
	if r.random != nil {
		return s.astray(), false
	}
	if r.steps > maxWalk {
		return Edge{Thread: nothing}, false
	}
	limit := int32(maxLead)
	if r.from >= 0 {
		limit += g.depth[r.from]
	}
	if s.wanted(r.at) && g.depth[r.at] <= limit {
		e = g.next[r.at]
		g.next[r.at].Made = begun
		return e, true
	}
	if s.nearest(limit) || s.guided(limit) {
		return s.stride(), false
	}
	return Edge{Thread: nothing}, false
}

// astray returns a known edge that is drawn, nothing at the end of the walk.
func (s *Search) astray() Edge {
	r, g := &s.run, s.g
	drawn, n := int32(-1), 0
	for e := g.first[r.at]; e >= 0; e = g.more[e] {
		if n++; r.random.IntN(n) == 0 {
			drawn = e
		}
	}
	if drawn < 0 || r.steps == againSteps {
		return Edge{Thread: nothing}
	}
	r.plan = append(r.plan[:0], pace{g.label[drawn], g.to[drawn]})
	return s.stride()
}

// guided makes the way that guide has found the plan, if it still leads somewhere
// and is shorter than to begin again.
func (s *Search) guided(limit int32) bool {
	r, g := &s.run, s.g
	r.plan = r.plan[:0]
	for at := r.at; int(at) < len(g.toward) && g.toward[at] >= 0 && len(r.plan) < maxGuided; {
		e := g.toward[at]
		r.plan = append(r.plan, pace{g.label[e], g.to[e]})
		if at = g.to[e]; s.wanted(at) && g.depth[at] <= limit {
			slices.Reverse(r.plan)
			return true
		}
	}
	r.plan = r.plan[:0]
	return false
}

// stride returns the next of the known edges that the walk goes along.
func (s *Search) stride() Edge {
	r := &s.run
	e := r.plan[len(r.plan)-1]
	r.plan = r.plan[:len(r.plan)-1]
	r.open, r.at = false, e.to
	return e.Edge
}

// nearest looks for the shortest way along known edges from where the walk is to
// a state with edges that are not known, and makes it the plan. It does not look
// far: to begin at the first state again is a way, too.
func (s *Search) nearest(limit int32) bool {
	r, g := &s.run, s.g
	r.near = append(r.near[:0], hop{r.at, -1, -1})
	g.round++
	g.looked[r.at] = g.round
	for i := 0; i < len(r.near); i++ {
		for e := g.first[r.near[i].state]; e >= 0; e = g.more[e] {
			to := g.to[e]
			if g.looked[to] == g.round {
				continue
			}
			g.looked[to] = g.round
			if s.wanted(to) && g.depth[to] <= limit {
				r.plan = append(r.plan[:0], pace{g.label[e], to})
				for ; r.near[i].by >= 0; i = int(r.near[i].from) {
					r.plan = append(r.plan, pace{g.label[r.near[i].by], r.near[i].state})
				}
				return true
			}
			if len(r.near) < maxNear {
				r.near = append(r.near, hop{to, e, int32(i)})
			}
		}
	}
	return false
}

// hop is a state that nearest has come to, by which edge and from which hop.
type hop struct{ state, by, from int32 }
