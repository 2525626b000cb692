package fuzz

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/filch-sched/filch/model"
)

// Program is a scenario and one order in which its operations can be done one
// after another.
type Program struct {
	// Scenario is of target Ring, Inject or Park. Its tasks are 1, 2, 3, ... in
	// the order of the text, and its threads have the names of their places.
	Scenario model.Scenario
	// Order says whose operation is next, once the setup is done: a thread's
	// number as often as it has operations. It is shorter only if the threads
	// that are left would all wait for ever.
	Order []int
}

// Decode returns the program that data stands for. Every data stands for one:
// a choice that is missing is the first, one that is too large is taken modulo
// the number there is. All that is decoded can be run concurrently: no order of
// its operations leaves a thread waiting.
func Decode(data []byte) Program {
	var p Program
	newGrammar(&reader{data: data}, Bytes, &p).program()
	return p
}

// Encode returns the shortest data that p is decoded from. It is an error if
// there is none: if p is not of the form that Decode gives, or larger than
// [Bytes].
func Encode(p Program) ([]byte, error) {
	w := new(writer)
	q := Program{Scenario: cloned(p.Scenario), Order: slices.Clone(p.Order)}
	newGrammar(w, Bytes, &q).program()
	if w.err != nil {
		return nil, w.err
	}
	data := w.short()
	if back := Decode(data); model.Format(back.Scenario) != model.Format(p.Scenario) || !slices.Equal(back.Order, p.Order) {
		return nil, fmt.Errorf("fuzz: the program of scenario %q is not in the form that bytes are decoded to:\n%s\nbut\n%s",
			p.Scenario.Name, p, back)
	}
	return data, nil
}

// cloned is s with its own setup and threads.
func cloned(s model.Scenario) model.Scenario {
	s.Setup = slices.Clone(s.Setup)
	s.Threads = slices.Clone(s.Threads)
	for i := range s.Threads {
		s.Threads[i].Ops = slices.Clone(s.Threads[i].Ops)
	}
	return s
}

// Of returns the program of a scenario in which the threads take turns. Its
// tasks are renumbered, its threads renamed and its claims those of its target;
// the comment and the pinned number are left out. It is an error if the
// scenario is of another target than Ring, Inject and Park.
func Of(s model.Scenario) (Program, error) {
	if s.Target < model.Ring || s.Target > model.Park {
		return Program{}, fmt.Errorf("fuzz: scenario %q: target %v is not one of ring inject park", s.Name, s.Target)
	}
	if len(s.Threads) > len(threadNames[s.Target]) {
		return Program{}, fmt.Errorf("fuzz: scenario %q: %d threads, want at most %d",
			s.Name, len(s.Threads), len(threadNames[s.Target]))
	}
	c := cloned(s)
	c.Name, c.Doc, c.Traces, c.Nightly = generated, nil, 0, false
	c.Claims = guards(c)
	var next model.Task
	renumber := func(o *model.Op) {
		o.Args = slices.Clone(o.Args)
		for i := range o.Args {
			next++
			o.Args[i] = next
		}
	}
	for i := range c.Setup {
		renumber(&c.Setup[i].Op)
	}
	for t := range c.Threads {
		c.Threads[t].Name = threadNames[c.Target][t]
		for i := range c.Threads[t].Ops {
			renumber(&c.Threads[t].Ops[i])
		}
	}
	return Program{Scenario: c, Order: takeTurns(c)}, nil
}

// takeTurns is the order in which every thread that can does one operation in
// its turn.
func takeTurns(s model.Scenario) []int {
	var order []int
	at := newRun(s)
	for turn := 0; ; turn++ {
		able := at.able()
		if len(able) == 0 {
			return order
		}
		if t := turn % len(s.Threads); slices.Contains(able, t) {
			at.step(t)
			order = append(order, t)
		}
	}
}

// Token is the program as a word that [Parse] reads.
func (p Program) Token() string {
	data, err := Encode(p)
	if err != nil {
		return ""
	}
	if len(data) == 0 {
		return "00"
	}
	return hex.EncodeToString(data)
}

// Parse reads a program from a token.
func Parse(token string) (Program, error) {
	data, err := hex.DecodeString(token)
	if err != nil || token == "" {
		return Program{}, fmt.Errorf("fuzz: %q is not a token: want pairs of hexadecimal digits", token)
	}
	return Decode(data), nil
}

// String returns the scenario's text, and the order as a comment.
func (p Program) String() string {
	var b strings.Builder
	b.WriteString("# order:")
	names := p.Scenario.Names()
	for _, t := range p.Order {
		fmt.Fprintf(&b, " %s", names[t])
	}
	b.WriteString("\n")
	b.WriteString(model.Format(p.Scenario))
	return b.String()
}

// Steps returns the setup and then the operations in order.
func (p Program) Steps() []model.Step {
	steps := slices.Clone(p.Scenario.Setup)
	next := make([]int, len(p.Scenario.Threads))
	for _, t := range p.Order {
		steps = append(steps, model.Step{Thread: t, Op: p.Scenario.Threads[t].Ops[next[t]]})
		next[t]++
	}
	return steps
}
