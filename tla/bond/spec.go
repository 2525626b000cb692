package bond

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Ambiguous says that a graph is that of no program: a thread can go on in two ways.
type Ambiguous struct{ What string }

func (a *Ambiguous) Error() string { return a.What }

// joint is an edge that is part of the step before it.
type joint struct {
	Edge
	ended bool
}

// reading is a specification's graph under way.
type reading struct {
	g      *Graph
	number map[string]int
	parts  map[int]joint // by state in the middle of a step, how the step goes on
	ended  map[[2]int]bool
}

// ParseTLC reads the edges among what TLC has printed. Each is a string in a line of
// its own: a tuple of "edge", the number of the thread, the name of the action, the
// outcomes of the choices, what the operation has answered, whether it has ended,
// whether this is part of the step before, and the two states, each a pair of what is
// in the memory and of what threads remember.
//
// Steps in parts are made one.
func ParseTLC(r io.Reader) (*Graph, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	b := &reading{g: &Graph{}, number: map[string]int{}, parts: map[int]joint{}, ended: map[[2]int]bool{}}
	for in.Scan() {
		text, ok := strings.CutPrefix(in.Text(), `"<<\"edge\", `)
		if !ok {
			continue
		}
		text = strings.TrimSuffix(strings.ReplaceAll(text, `\"`, `"`), `>>"`)
		if err := b.edge(text); err != nil {
			return nil, err
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("bond: %w", err)
	}
	if len(b.g.Out) == 0 {
		return nil, fmt.Errorf("bond: TLC has printed no edge")
	}
	if err := b.join(); err != nil {
		return nil, err
	}
	if err := b.g.sorted(); err != nil {
		return nil, &Ambiguous{err.Error()}
	}
	return b.g.canonical(), nil
}

func (b *reading) edge(text string) error {
	parts := elements(text)
	if len(parts) != 8 {
		return fmt.Errorf("bond: an edge of %d parts: %s", len(parts), text)
	}
	thread, action, choices, answer := parts[0], strings.Trim(parts[1], `"`), elements(inside(parts[2])), 0
	if _, err := fmt.Sscan(parts[3], &answer); err != nil {
		return fmt.Errorf("bond: %s: %w", text, err)
	}
	label := thread
	for _, c := range choices {
		label += "." + c
	}
	label += strings.Repeat(".0", answer)
	from, to := b.state(parts[6]), b.state(parts[7])
	e, ended := Edge{label, action, to}, parts[4] == "TRUE"
	if parts[5] == "TRUE" {
		if _, twice := b.parts[from]; twice {
			return &Ambiguous{fmt.Sprintf("bond: state %s is in the middle of a step that goes on in two ways", parts[6])}
		}
		b.parts[from] = joint{e, ended}
		return nil
	}
	b.ended[[2]int{from, len(b.g.Out[from])}] = ended
	b.g.Out[from] = append(b.g.Out[from], e)
	return nil
}

// state returns the number of a state.
func (b *reading) state(text string) int {
	n, ok := b.number[text]
	if !ok {
		n = len(b.g.Out)
		b.number[text] = n
		b.g.Shown, b.g.Out = append(b.g.Shown, elements(inside(text))[0]), append(b.g.Out, nil)
	}
	return n
}

// join makes one step of those in parts, and completes the labels.
func (b *reading) join() error {
	for n, out := range b.g.Out {
		if _, middle := b.parts[n]; middle && len(out) > 0 {
			return &Ambiguous{fmt.Sprintf("bond: in state %s another thread goes on in the middle of a step", b.g.Shown[n])}
		}
		for i := range out {
			e, ended := &out[i], b.ended[[2]int{n, i}]
			for parts := 0; ; parts++ {
				part, ok := b.parts[e.To]
				if !ok {
					break
				}
				if parts == len(b.parts) {
					return &Ambiguous{fmt.Sprintf("bond: step %s from state %s has no end", e.Label, b.g.Shown[n])}
				}
				e.Action, e.To, ended = e.Action+"+"+part.Action, part.To, part.ended
			}
			if ended {
				e.Label += "!"
			}
		}
	}
	return nil
}

// inside returns what is between the brackets of a tuple.
func inside(tuple string) string {
	return strings.TrimSuffix(strings.TrimPrefix(tuple, "<<"), ">>")
}

// elements takes the elements of a tuple apart.
func elements(text string) (all []string) {
	depth, begin := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '<', '{', '(', '[':
			depth++
		case '>', '}', ')', ']':
			depth--
		case ',':
			if depth == 0 {
				all = append(all, strings.TrimSpace(text[begin:i]))
				begin = i + 1
			}
		}
	}
	if last := strings.TrimSpace(text[begin:]); last != "" {
		all = append(all, last)
	}
	return all
}
