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

// part is an edge that is part of the step before it. What it has chosen and what
// its operation answered comes after the label of that.
type part struct {
	Edge
	ended bool
}

// reading is a specification's graph under way.
type reading struct {
	g      *Graph
	number map[string]int
	first  [][]part // by state, the edges with which steps begin
	parts  [][]part // by state in the middle of a step, how the step goes on
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
	b := &reading{g: &Graph{}, number: map[string]int{}}
	for in.Scan() {
		text, ok := strings.CutPrefix(in.Text(), `"<<\"edge\", `)
		if !ok {
			continue
		}
		text = strings.TrimSuffix(strings.ReplaceAll(text, `\"`, `"`), `>>"`)
		text = strings.ReplaceAll(text, "<< >>", "<<>>")
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
	made := ""
	for _, c := range choices {
		made += "." + c
	}
	made += strings.Repeat(".0", answer)
	from, to := b.state(parts[6]), b.state(parts[7])
	if parts[5] == "TRUE" {
		b.parts[from] = append(b.parts[from], part{Edge{made, action, to}, parts[4] == "TRUE"})
	} else {
		b.first[from] = append(b.first[from], part{Edge{thread + made, action, to}, parts[4] == "TRUE"})
	}
	return nil
}

// state returns the number of a state.
func (b *reading) state(text string) int {
	n, ok := b.number[text]
	if !ok {
		n = len(b.g.Out)
		b.number[text] = n
		b.g.Shown, b.g.Out = append(b.g.Shown, elements(inside(text))[0]), append(b.g.Out, nil)
		b.first, b.parts = append(b.first, nil), append(b.parts, nil)
	}
	return n
}

// join makes one step of those in parts, and completes the labels.
func (b *reading) join() error {
	for n, out := range b.first {
		if len(b.parts[n]) > 0 && len(out) > 0 {
			return &Ambiguous{fmt.Sprintf("bond: in state %s another thread goes on in the middle of a step", b.g.Shown[n])}
		}
		for _, p := range out {
			if err := b.whole(n, p, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// whole adds to state n the edges that a step from there can be that has come as far
// as p.
func (b *reading) whole(n int, p part, length int) error {
	if length > len(b.parts) {
		return &Ambiguous{fmt.Sprintf("bond: step %s from state %s has no end", p.Label, b.g.Shown[n])}
	}
	for _, q := range b.parts[p.To] {
		if err := b.whole(n, part{Edge{p.Label + q.Label, p.Action + "+" + q.Action, q.To}, q.ended}, length+1); err != nil {
			return err
		}
	}
	if len(b.parts[p.To]) > 0 {
		return nil
	}
	if p.ended {
		p.Label += "!"
	}
	b.g.Out[n] = append(b.g.Out[n], p.Edge)
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
