package graph

import (
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// A Lasso is a run without an end: a path from the first state, and then a cycle
// for ever.
type Lasso struct{ Path, Cycle []Edge }

// part is a view of a Graph that leaves out states or edges. Its edges are sorted
// by their sources.
type part struct {
	g     *Graph
	first []int32            // by state, its first edge; one more at the end
	from  []int32            // by edge
	to    []int32            // by edge
	label []Edge             // by edge
	state func(i int32) bool // nil: all
	edge  func(e *Edge) bool // nil: all
}

// part returns the whole.
func (g *Graph) part() *part {
	p := &part{g: g, first: make([]int32, 1, len(g.parent)+1)}
	for n := range g.parent {
		for e := g.first[n]; e >= 0; e = g.more[e] {
			p.from, p.to, p.label = append(p.from, int32(n)), append(p.to, g.to[e]), append(p.label, g.label[e])
		}
		p.first = append(p.first, int32(len(p.to)))
	}
	return p
}

func (p *part) has(i int32) bool { return p.state == nil || p.state(i) }

// follow reports whether the view has an edge, whose source it has.
func (p *part) follow(e int32) bool {
	return (p.edge == nil || p.edge(&p.label[e])) && p.has(p.to[e])
}

// Stalled returns a run in which, from some moment on, one of a set of threads takes
// steps and no operation is ever completed; nil if there is none.
func (g *Graph) Stalled(threads uint64) *Lasso {
	p := g.part()
	p.edge = func(e *Edge) bool { return !e.Complete }
	var found *Lasso
	p.components(func(states []int32, id []int32) bool {
		if e := p.inner(states, id, func(e *Edge) bool { return threads>>e.Thread&1 != 0 }); e >= 0 {
			found = p.lasso(states, id, []int32{e})
		}
		return found == nil
	})
	return found
}

// ForEver returns a run in which, from some moment on, condition i of NotForEver
// holds, and which is fair: a thread that can take a step from some moment on
// does take steps. It returns nil if there is none.
func (g *Graph) ForEver(i int) *Lasso {
	p := g.part()
	p.state = func(n int32) bool { return g.holds[n]>>i&1 != 0 }
	var found *Lasso
	p.components(func(states []int32, id []int32) bool {
		if through, fair := p.fair(states, id); fair {
			found = p.lasso(states, id, through)
		}
		return found == nil
	})
	return found
}

// fair reports whether a component can be stayed in for ever while every thread
// takes steps or cannot, again and again; and edges that show it.
func (p *part) fair(states, id []int32) (through []int32, fair bool) {
	if p.inner(states, id, nil) < 0 {
		return nil, false
	}
	always := ^uint64(0) // threads that can take a step in every state
	for _, n := range states {
		always &= p.g.may[n]
	}
	for t := range machine.MaxThreads {
		if always>>t&1 == 0 {
			continue
		}
		e := p.inner(states, id, func(e *Edge) bool { return int(e.Thread) == t })
		if e < 0 {
			return nil, false
		}
		through = append(through, e)
	}
	for t := range machine.MaxThreads { // and through a state in which the others cannot
		if always>>t&1 != 0 {
			continue
		}
		for _, n := range states {
			if p.g.may[n]>>t&1 == 0 {
				if e := p.into(n, id); e >= 0 {
					through = append(through, e)
				}
				break
			}
		}
	}
	return through, true
}

// inner returns an edge between two of the states, which are one component, with
// a label that is wanted; -1 if there is none.
func (p *part) inner(states, id []int32, wanted func(e *Edge) bool) int32 {
	for _, n := range states {
		for e := p.first[n]; e < p.first[n+1]; e++ {
			if p.follow(e) && id[p.to[e]] == id[n] && (wanted == nil || wanted(&p.label[e])) {
				return e
			}
		}
	}
	return -1
}

// into returns an edge from within its component to state n.
func (p *part) into(n int32, id []int32) int32 {
	for e, to := range p.to {
		if from := p.from[e]; to == n && p.has(from) && id[from] == id[n] && p.follow(int32(e)) {
			return int32(e)
		}
	}
	return -1
}

// lasso returns a run that leads into a component and goes round through the
// given edges of it for ever.
func (p *part) lasso(states, id, through []int32) *Lasso {
	first := states[0]
	for _, n := range states { // the state that is reached soonest
		if p.g.depth[n] < p.g.depth[first] {
			first = n
		}
	}
	var cycle []Edge
	at := first
	for _, e := range through {
		cycle = append(append(cycle, p.shortest(at, p.from[e], id)...), p.label[e])
		at = p.to[e]
	}
	cycle = append(cycle, p.shortest(at, first, id)...)
	l := &Lasso{}
	path, begin := unroll(p.g.lead(first), p.g.frame)
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
func (p *part) shortest(from, to int32, id []int32) []Edge {
	if from == to {
		return nil
	}
	by := map[int32]int32{from: -1} // by state, the edge that it is reached by
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for e := p.first[n]; e < p.first[n+1]; e++ {
			m := p.to[e]
			if _, seen := by[m]; seen || !p.follow(e) || id[m] != id[n] {
				continue
			}
			by[m] = e
			if m != to {
				queue = append(queue, m)
				continue
			}
			var back []Edge
			for m != from {
				back = append(back, p.label[by[m]])
				m = p.from[by[m]]
			}
			for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
				back[i], back[j] = back[j], back[i]
			}
			return back
		}
	}
	panic("graph: two states of one component without a way between them")
}

// components calls f for every strongly connected component of the view, with its
// states and, by state, the component that it is in, until f returns false.
//
// Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on
// Computing 1(2), 1972; without recursion.
func (p *part) components(f func(states, id []int32) bool) {
	n := len(p.g.parent)
	const none = int32(-1)
	num, low, id := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range num {
		num[i], id[i] = none, none
	}
	type frame struct{ state, edge int32 }
	var stack []int32
	var calls []frame
	count, component := int32(0), int32(0)
	enter := func(i int32) {
		num[i], low[i] = count, count
		count++
		stack = append(stack, i)
		calls = append(calls, frame{i, p.first[i]})
	}
	for root := range int32(n) {
		if num[root] != none || !p.has(root) {
			continue
		}
		enter(root)
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			if c.edge < p.first[c.state+1] {
				e := c.edge
				c.edge++
				if to := p.to[e]; !p.follow(e) {
					continue
				} else if num[to] == none {
					enter(to)
				} else if id[to] == none {
					low[c.state] = min(low[c.state], num[to])
				}
				continue
			}
			i := c.state
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				parent := calls[len(calls)-1].state
				low[parent] = min(low[parent], low[i])
			}
			if low[i] != num[i] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != i {
				at--
			}
			states := append([]int32(nil), stack[at:]...)
			stack = stack[:at]
			for _, s := range states {
				id[s] = component
			}
			component++
			if !f(states, id) {
				return
			}
		}
	}
}
