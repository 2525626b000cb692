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
	// Scenario has tasks 1, 2, 3, ... in the order of the setup, the threads and
	// then what the tasks spawn, and its threads have the names of their places.
	Scenario model.Scenario
	// Order says whose operation is next, once the setup is done: a thread's
	// number as often as it has operations. It is shorter only if the threads
	// that are left would all wait for ever.
	//
	// On a target with workers there is none.
	Order []int
	// Schedule says under the tag loom in which order the steps come when the
	// threads run at the same time: see [loom.Bytes].
	Schedule []byte
}

// Decode returns the program that data stands for. Every data stands for one:
// a choice that is missing is the first, one that is too large is taken modulo
// the number there is. All that is decoded can be run concurrently: no order of
// its operations leaves a thread waiting.
func Decode(data []byte) Program { return Bytes.Decode(data) }

// Encode returns the shortest data that p is decoded from; the schedule is not
// part of it. It is an error if there is none: if p is not of the form that Decode
// gives, or larger than [Bytes].
func Encode(p Program) ([]byte, error) { return Bytes.Encode(p) }

// Decode returns the program of this shape that data stands for.
func (sh Shape) Decode(data []byte) Program {
	var p Program
	newGrammar(&reader{data: data}, sh, &p).program()
	return p
}

// Encode is the inverse of Decode.
func (sh Shape) Encode(p Program) ([]byte, error) {
	w := new(writer)
	q := Program{Scenario: cloned(p.Scenario), Order: slices.Clone(p.Order)}
	newGrammar(w, sh, &q).program()
	if w.err != nil {
		return nil, w.err
	}
	data := w.short()
	if back := sh.Decode(data); model.Format(back.Scenario) != model.Format(p.Scenario) || !slices.Equal(back.Order, p.Order) {
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
// scenario has more threads than there are names for.
func Of(s model.Scenario) (Program, error) {
	if threadNames[s.Target] == nil {
		return Program{}, fmt.Errorf("fuzz: scenario %q: target %v is none of a program", s.Name, s.Target)
	}
	if len(s.Threads) > len(threadNames[s.Target]) {
		return Program{}, fmt.Errorf("fuzz: scenario %q: %d threads, want at most %d",
			s.Name, len(s.Threads), len(threadNames[s.Target]))
	}
	c := normal(s)
	return Program{Scenario: c, Order: takeTurns(c)}, nil
}

// normal is s in the form that bytes are decoded to, if it has one.
func normal(s model.Scenario) model.Scenario {
	c := cloned(s)
	c.Name, c.Doc, c.Traces, c.Nightly = generated, nil, 0, false
	for t := range c.Threads {
		c.Threads[t].Name = threadNames[c.Target][t]
	}
	renumber(&c)
	c.Claims = guards(c)
	return c
}

// renumber gives the tasks the numbers 1, 2, 3, ...: first those of the setup
// and the threads, and then what those spawn.
func renumber(c *model.Scenario) {
	next, now := model.Task(0), map[model.Task]model.Task{}
	number := func(ts []model.Task, brings bool) (out []model.Task) {
		for _, t := range ts {
			if brings {
				next++
				now[t] = next
			}
			out = append(out, now[t])
		}
		return out
	}
	for i := range c.Setup {
		c.Setup[i].Args = number(c.Setup[i].Args, true)
	}
	for t := range c.Threads {
		for i := range c.Threads[t].Ops {
			o := &c.Threads[t].Ops[i]
			o.Args = number(o.Args, o.Kind != model.Await)
		}
	}
	was := make([]model.Task, next+1)
	for old, t := range now {
		was[t] = old
	}
	laws := c.Tasks
	c.Tasks = nil
	for t := model.Task(1); t <= next; t++ {
		l := lawIn(laws, was[t])
		was = append(was, l.Spawns...)
		l.Spawns = number(l.Spawns, true)
		if l.Task = t; len(l.Spawns) > 0 || l.Waits != 0 {
			c.Tasks = append(c.Tasks, l)
		}
	}
	for i := range c.Tasks {
		c.Tasks[i].Waits = now[c.Tasks[i].Waits]
	}
}

// takeTurns is the order in which every thread that can does one operation in
// its turn.
func takeTurns(s model.Scenario) []int {
	var order []int
	if manned(s.Target) {
		return nil
	}
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

// Token is the program as a word that [Parse] reads, "" if it has no bytes.
func (p Program) Token() string {
	data, err := Encode(p)
	if err != nil {
		return ""
	}
	token := hex.EncodeToString(data)
	if len(data) == 0 {
		token = "00"
	}
	if len(p.Schedule) > 0 {
		token += "." + hex.EncodeToString(p.Schedule)
	}
	return token
}

// Parse reads a program from a token.
func Parse(token string) (Program, error) {
	first, second, has := strings.Cut(token, ".")
	data, err := hex.DecodeString(first)
	schedule, bad := hex.DecodeString(second)
	if err != nil || bad != nil || first == "" || has && second == "" {
		return Program{}, fmt.Errorf("fuzz: %q is not a token: want pairs of hexadecimal digits, twice with a dot between or once", token)
	}
	p := Decode(data)
	if has {
		p.Schedule = schedule
	}
	return p, nil
}

// String returns the scenario's text, and the order and the schedule as comments.
func (p Program) String() string {
	s := p.Scenario
	s.Doc = append(slices.Clone(s.Doc), p.notes()...)
	return model.Format(s)
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
