package bond

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Graph is the states of a program and what leads from each to the next. A label
// of a state leads to one state.
//
// A label is what Export of package loom makes it: the number of a thread, for each
// choice of the step a dot and its outcome, and an exclamation mark if it completes an
// operation.
type Graph struct {
	Shown []string // by state, what is in the memory; state 0 is the first
	Out   [][]Edge // by state, in the order of their labels
}

// Edge leads to a state.
type Edge struct {
	Label  string
	Action string // of a specification: the action, or those joined, with + between them
	To     int
}

// Edges returns how many edges there are.
func (g *Graph) Edges() (n int) {
	for _, out := range g.Out {
		n += len(out)
	}
	return n
}

// find returns the edge of a state with a label.
func (g *Graph) find(n int, label string) (Edge, bool) {
	i, ok := slices.BinarySearchFunc(g.Out[n], label, func(e Edge, l string) int { return strings.Compare(e.Label, l) })
	if !ok {
		return Edge{}, false
	}
	return g.Out[n][i], true
}

// sorted puts the edges of each state in the order of their labels. Two with one
// label are an error.
func (g *Graph) sorted() error {
	for n, out := range g.Out {
		slices.SortFunc(out, func(a, b Edge) int { return strings.Compare(a.Label, b.Label) })
		for i := 1; i < len(out); i++ {
			if out[i].Label == out[i-1].Label {
				return fmt.Errorf("bond: state %d, %s, has two edges %s, by %s and by %s",
					n, g.Shown[n], out[i].Label, out[i-1].Action, out[i].Action)
			}
		}
	}
	return nil
}

// canonical returns the graph with its states in the order in which a search meets
// them that goes breadth first, by labels; those that it does not meet are left out.
func (g *Graph) canonical() *Graph {
	number, order := make([]int, len(g.Out)), []int{0}
	number[0] = 1
	c := &Graph{}
	for i := 0; i < len(order); i++ {
		n := order[i]
		out := make([]Edge, 0, len(g.Out[n]))
		for _, e := range g.Out[n] {
			if number[e.To] == 0 {
				order = append(order, e.To)
				number[e.To] = len(order)
			}
			out = append(out, Edge{e.Label, e.Action, number[e.To] - 1})
		}
		c.Shown, c.Out = append(c.Shown, g.Shown[n]), append(c.Out, out)
	}
	return c
}

// lead is how a search has first come to a state.
type lead struct {
	from int
	by   Edge
}

// ParseExport reads what Export of package loom has written.
func ParseExport(r io.Reader) (*Graph, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	g, states, edges := &Graph{}, 0, 0
	if !in.Scan() {
		return nil, fmt.Errorf("bond: an empty export")
	}
	if _, err := fmt.Sscanf(in.Text(), "graph %d %d", &states, &edges); err != nil {
		return nil, fmt.Errorf("bond: %q is not how an export begins: %w", in.Text(), err)
	}
	for in.Scan() {
		if rest, ok := strings.CutPrefix(in.Text(), "state "); ok {
			_, shown, _ := strings.Cut(rest, " : ")
			g.Shown, g.Out = append(g.Shown, shown), append(g.Out, nil)
			continue
		}
		var from int
		var e Edge
		if _, err := fmt.Sscan(in.Text(), &from, &e.Label, &e.To); err != nil || from != len(g.Out)-1 || e.To >= states {
			return nil, fmt.Errorf("bond: %q is no edge of an export", in.Text())
		}
		g.Out[from] = append(g.Out[from], e)
	}
	if len(g.Out) != states || g.Edges() != edges {
		return nil, fmt.Errorf("bond: an export of %d states and %d edges has %d and %d", states, edges, len(g.Out), g.Edges())
	}
	return g, g.sorted()
}
