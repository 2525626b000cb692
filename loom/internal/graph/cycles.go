package graph

import (
	"math/bits"
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// A Lasso is a run without an end: a path from the first state, and then a cycle
// for ever.
type Lasso struct{ Path, Cycle []Edge }

// subgraph is a Graph without some of its states or edges.
type subgraph struct {
	*Graph
	state func(n int32) bool // nil: all
	wants func(e Edge) bool  // nil: all
}

// pass is an edge and where it begins.
type pass struct{ from, edge int32 }

func (v *subgraph) has(n int32) bool { return v.state == nil || v.state(n) }

// follow reports whether the subgraph has an edge, whose source it has.
func (v *subgraph) follow(e int32) bool {
	return (v.wants == nil || v.wants(v.edge(e))) && v.has(*v.to.at(e))
}

// Stalled returns a run in which, from some moment on, one of a set of threads takes
// steps and no operation is ever completed; nil if there is none.
func (g *Graph) Stalled(threads uint64) *Lasso {
	v := &subgraph{Graph: g, wants: func(e Edge) bool { return e.Ends&completes == 0 }}
	return v.round(func(e Edge) bool { return threads>>e.Thread&1 != 0 })
}

// Starved returns a run in which, from some moment on, one of a set of threads, none
// of them interchangeable, takes steps and completes no operation, whatever others
// do; nil if there is none.
func (g *Graph) Starved(threads uint64) *Lasso {
	for ; threads != 0; threads &= threads - 1 {
		t := uint8(bits.TrailingZeros64(threads))
		v := &subgraph{Graph: g, wants: func(e Edge) bool { return e.Thread != t || e.Ends&completes == 0 }}
		if l := v.round(func(e Edge) bool { return e.Thread == t }); l != nil {
			return l
		}
	}
	return nil
}

// round returns a run that goes through an edge that is wanted for ever, nil if there
// is none.
func (v *subgraph) round(wanted func(e Edge) bool) (found *Lasso) {
	v.components(func(states, id []int32) bool {
		if p := v.inner(states, id, wanted); p.edge >= 0 {
			found = v.lasso(states, id, []pass{p})
		}
		return found == nil
	})
	return found
}

// ForEver returns a run in which, from some moment on, condition i of NotForEver
// holds, and which is fair: a thread that can take a step from some moment on
// does take steps. It returns nil if there is none.
func (g *Graph) ForEver(i int) *Lasso {
	v := &subgraph{Graph: g, state: func(n int32) bool { return g.holds(n)>>i&1 != 0 }}
	var found *Lasso
	v.components(func(states, id []int32) bool {
		if through, fair := v.fair(states, id); fair {
			found = v.lasso(states, id, through)
		}
		return found == nil
	})
	return found
}

// fair reports whether a component can be stayed in for ever while every thread
// takes steps or cannot, again and again; and edges that show it.
func (v *subgraph) fair(states, id []int32) (through []pass, fair bool) {
	if v.inner(states, id, nil).edge < 0 {
		return nil, false
	}
	always, some := ^uint64(0), uint64(0) // threads that can take a step in every state, in some
	for _, n := range states {
		always &= v.may(n)
		some |= v.may(n)
	}
	for t := range machine.MaxThreads {
		if always>>t&1 == 0 {
			continue
		}
		p := v.inner(states, id, func(e Edge) bool { return int(e.Thread) == t })
		if p.edge < 0 {
			return nil, false
		}
		through = append(through, p)
	}
	for t := range machine.MaxThreads { // and through a state in which the others cannot
		if (some&^always)>>t&1 == 0 || v.passes(through, t) {
			continue
		}
		for _, n := range states {
			if v.may(n)>>t&1 == 0 {
				if p := v.into(n, states, id); p.edge >= 0 {
					through = append(through, p)
				}
				break
			}
		}
	}
	return through, true
}

// passes reports whether one of some edges begins or ends where a thread cannot take
// a step.
func (v *subgraph) passes(through []pass, thread int) bool {
	for _, p := range through {
		if (v.may(p.from)&v.may(*v.to.at(p.edge)))>>thread&1 == 0 {
			return true
		}
	}
	return false
}

// inner returns an edge between two of the states, which are one component, that
// is wanted; -1 if there is none.
func (v *subgraph) inner(states, id []int32, wanted func(e Edge) bool) pass {
	for _, n := range states {
		for e := v.from(n); e >= 0; e = v.rest(e) {
			if v.follow(e) && id[*v.to.at(e)] == id[n] && (wanted == nil || wanted(v.edge(e))) {
				return pass{n, e}
			}
		}
	}
	return pass{-1, -1}
}

// into returns an edge to state n from one of the states, which are its component.
func (v *subgraph) into(to int32, states, id []int32) pass {
	for _, n := range states {
		for e := v.from(n); e >= 0; e = v.rest(e) {
			if *v.to.at(e) == to && v.follow(e) {
				return pass{n, e}
			}
		}
	}
	return pass{-1, -1}
}

// lasso returns a run that leads into a component and goes round through the
// given edges of it for ever. Paths are those of root.
func (v *subgraph) lasso(states, id []int32, through []pass) *Lasso {
	if v.dense {
		v.root()
	}
	first := states[0]
	for _, n := range states { // the state that is reached soonest
		if *v.depth.at(n) < *v.depth.at(first) {
			first = n
		}
	}
	var cycle []Edge
	at := first
	for _, p := range through {
		cycle = append(append(cycle, v.shortest(at, p.from, id)...), v.edge(p.edge))
		at = *v.to.at(p.edge)
	}
	cycle = append(cycle, v.shortest(at, first, id)...)
	l := &Lasso{}
	_, path := v.lead(first)
	path, begin := unroll(path, v.frame)
	l.Path = path
	// The threads may have changed places once round; after some rounds all are
	// where they were.
	for frame := begin; ; {
		round, next := unroll(cycle, frame)
		l.Cycle = append(l.Cycle, round...)
		if frame = next; slices.Equal(frame, begin) {
			return l
		}
	}
}

// shortest returns the shortest way from one state to another of its component.
func (v *subgraph) shortest(from, to int32, id []int32) (way []Edge) {
	if from == to {
		return nil
	}
	by := map[int32]pass{from: {-1, -1}} // by state, what it is reached by
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for e := v.from(n); e >= 0; e = v.rest(e) {
			m := *v.to.at(e)
			if _, seen := by[m]; seen || !v.follow(e) || id[m] != id[n] {
				continue
			}
			by[m] = pass{n, e}
			if m != to {
				queue = append(queue, m)
				continue
			}
			for p := by[m]; p.edge >= 0; p = by[p.from] {
				way = append(way, v.edge(p.edge))
			}
			slices.Reverse(way)
			return way
		}
	}
	panic("graph: two states of one component without a way between them")
}
