package graph

import "slices"

// How far a walk goes: it makes states whose paths are longer than need be, and
// to come back to them takes as many steps.
const (
	maxWalk = 4096 // edges, where there are no hubs
	maxStay = 256  // and where there are: away from them
	maxLead = 64   // deeper than where it began
	maxNear = 12   // states that are looked at for one with edges to be followed
)

// onward returns the edge that a walk takes next and whether it is one that is
// not known yet. If there is none, the execution may be homing.
func (s *Search) onward() (e Edge, open bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, g := &s.run, s.g
	r.steps++
	if r.random != nil {
		return s.astray(), false
	}
	limit := int32(maxLead)
	if r.from >= 0 {
		limit += *g.depth.at(r.from)
	}
	stay := r.steps <= maxWalk && (s.image == nil || r.steps <= maxStay)
	if stay && s.wanted(r.at) && *g.depth.at(r.at) <= limit {
		e = g.open(r.at)
		s.take(r.at)
		return e, true
	}
	if !stay {
		limit = -1 // it has been out for long: no state on the way home is of interest
	}
	if stay && s.nearest(limit) || s.homeward(limit) && len(r.plan) > 0 {
		return s.stride(), false
	}
	return Edge{Thread: nothing}, false
}

// take notes that the next edge of a state is being followed.
func (s *Search) take(at int32) {
	e := s.g.open(at)
	e.Made = begun
	*s.g.next.at(at) = s.g.name(e)
}

// astray returns a known edge that is drawn, nothing at the end of the walk.
func (s *Search) astray() Edge {
	r, g := &s.run, s.g
	drawn, n := int32(-1), 0
	for e := g.from(r.at); e >= 0; e = g.rest(e) {
		if n++; r.random.IntN(n) == 0 {
			drawn = e
		}
	}
	if drawn < 0 || r.steps == againSteps {
		return Edge{Thread: nothing}
	}
	r.plan = append(r.plan[:0], pace{g.edge(drawn), *g.to.at(drawn)})
	return s.stride()
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
// far: to begin elsewhere is a way, too.
func (s *Search) nearest(limit int32) bool {
	r, g := &s.run, s.g
	r.near = append(r.near[:0], hop{r.at, -1, -1})
	for i := 0; i < len(r.near); i++ {
		for e := g.from(r.near[i].state); e >= 0; e = g.rest(e) {
			to := *g.to.at(e)
			if s.wanted(to) && *g.depth.at(to) <= limit {
				r.plan = append(r.plan[:0], pace{g.edge(e), to})
				for ; r.near[i].by >= 0; i = int(r.near[i].from) {
					r.plan = append(r.plan, pace{g.edge(r.near[i].by), r.near[i].state})
				}
				return true
			}
			if len(r.near) < maxNear && !slices.ContainsFunc(r.near, func(h hop) bool { return h.state == to }) {
				r.near = append(r.near, hop{to, e, int32(i)})
			}
		}
	}
	return false
}

// hop is a state that nearest has come to, by which edge and from which hop.
type hop struct{ state, by, from int32 }

// other returns the edge that makes the next outcomes of the choices that the last one
// has made, nothing if there are none.
func (r *run) other(e Edge) Edge {
	for i := len(r.outcome) - 1; i >= 0; i-- {
		v := e.choice(i) + 1
		e.Choices &^= 15 << (4 * i)
		if v < r.outcome[i] {
			e.Choices |= uint32(v) << (4 * i)
			return e
		}
	}
	return Edge{Thread: nothing}
}
