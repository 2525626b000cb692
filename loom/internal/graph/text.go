package graph

import (
	"bufio"
	"io"
	"math/bits"
	"slices"
	"strconv"
)

// Write writes the graph as text, in a form that is the same for all searches of
// one program, in whatever order they have found it. The lines are
//
//	graph S E        how many states and edges there are
//	state N T...     a state, the threads that can take a step there, and, after
//	                 " : ", what the driver shows of it
//	N L M            an edge from state N to state M with label L
//
// States have numbers in the order in which a breadth-first search meets them that
// follows edges in the order of their labels; the first is 0. The lines of a state
// are together, its edges in that order. A label is the number of a thread, then
// for each choice of the step a dot and its outcome, and then an exclamation mark
// if the step completes an operation. Of threads that are interchangeable the
// number is a rank: in which place the thread stands in that state, given as the
// number of the thread that stands there when all are in their order.
func (g *Graph) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	var line []byte
	line = strconv.AppendInt(append(line, "graph "...), int64(g.States()), 10)
	line = strconv.AppendInt(append(line, ' '), int64(g.Edges()), 10)
	out.Write(append(line, '\n'))
	number := make([]int32, g.States()) // 1 + that in the text
	var order, edges []int32
	if g.States() > 0 {
		order, number[0] = append(order, 0), 1
	}
	for i := 0; i < len(order); i++ {
		n := order[i]
		line = strconv.AppendInt(append(line[:0], "state "...), int64(i), 10)
		for may := g.may(n); may != 0; may &= may - 1 {
			line = strconv.AppendInt(append(line, ' '), int64(bits.TrailingZeros64(may)), 10)
		}
		if len(g.shown) > 0 && g.shown[n] != 0 {
			line = append(append(line, " : "...), g.texts[g.shown[n]]...)
		}
		line = append(line, '\n')
		edges = g.sorted(n, edges[:0])
		for _, e := range edges {
			to := *g.to.at(e)
			if number[to] == 0 {
				order = append(order, to)
				number[to] = int32(len(order))
			}
			line = strconv.AppendInt(line, int64(i), 10)
			line = g.edge(e).appendText(append(line, ' '))
			line = strconv.AppendInt(append(line, ' '), int64(number[to]-1), 10)
			line = append(line, '\n')
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// sorted appends the edges of a state in the order of their labels.
func (g *Graph) sorted(n int32, edges []int32) []int32 {
	for e := g.from(n); e >= 0; e = g.rest(e) {
		edges = append(edges, e)
	}
	slices.SortFunc(edges, func(a, b int32) int {
		x, y := g.edge(a), g.edge(b)
		if x.Thread != y.Thread {
			return int(x.Thread) - int(y.Thread)
		}
		for i := range int(min(x.Made, y.Made)) {
			if x.choice(i) != y.choice(i) {
				return x.choice(i) - y.choice(i)
			}
		}
		return int(x.Made) - int(y.Made)
	})
	return edges
}

// appendText appends the label.
func (e Edge) appendText(b []byte) []byte {
	b = strconv.AppendInt(b, int64(e.Thread), 10)
	for i := range int(e.Made) {
		b = strconv.AppendInt(append(b, '.'), int64(e.choice(i)), 10)
	}
	if e.Ends&completes != 0 {
		b = append(b, '!')
	}
	return b
}
