package graph

// components calls f for every strongly connected component of the subgraph, with its
// states and, by state, a number below -1 that is that of its component, until f
// returns false.
//
// Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on
// Computing 1(2), 1972; without recursion. One list has the number in which a state
// was visited, and then its component's: the former does not matter any more.
func (v *subgraph) components(f func(states, id []int32) bool) {
	t := &tarjan{subgraph: v, num: make([]int32, v.States()), low: make([]int32, v.States()), component: -2}
	for i := range t.num {
		t.num[i] = unvisited
	}
	for root := range int32(len(t.num)) {
		if t.num[root] == unvisited && v.has(root) && !t.from(root, f) {
			return
		}
	}
}

const unvisited = int32(-1)

type tarjan struct {
	*subgraph
	num, low  []int32
	stack     []int32
	calls     []pass // a state, and the edge of it to be looked at next
	count     int32
	component int32
}

func (t *tarjan) enter(n int32) {
	t.num[n], t.low[n] = t.count, t.count
	t.count++
	t.stack = append(t.stack, n)
	t.calls = append(t.calls, pass{n, t.subgraph.from(n)})
}

// from visits all that can be reached from a state. It returns false if f does.
func (t *tarjan) from(root int32, f func(states, id []int32) bool) bool {
	t.enter(root)
	for len(t.calls) > 0 {
		c := &t.calls[len(t.calls)-1]
		if e := c.edge; e >= 0 {
			c.edge = t.rest(e)
			if to := *t.to.at(e); !t.follow(e) {
				continue
			} else if t.num[to] == unvisited {
				t.enter(to)
			} else if t.num[to] >= 0 {
				t.low[c.from] = min(t.low[c.from], t.num[to])
			}
			continue
		}
		n := c.from
		t.calls = t.calls[:len(t.calls)-1]
		if len(t.calls) > 0 {
			parent := t.calls[len(t.calls)-1].from
			t.low[parent] = min(t.low[parent], t.low[n])
		}
		if t.low[n] == t.num[n] && !f(t.leave(n), t.num) {
			return false
		}
	}
	return true
}

// leave takes the component whose first state is n from the stack.
func (t *tarjan) leave(n int32) []int32 {
	at := len(t.stack) - 1
	for t.stack[at] != n {
		at--
	}
	states := t.stack[at:]
	t.stack = t.stack[:at]
	for _, s := range states {
		t.num[s] = t.component
	}
	t.component--
	return states
}
