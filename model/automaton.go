package model

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Automaton decides of a history that goes on what [Check] decides of one that is
// over: it is a law made deterministic. The caller tells it of calls and returns in
// their order, and keeps the [Set] that each answers; several histories may go on at
// the same time, and nothing of a history is remembered but that.
//
// It is exact. When no operation is under way, the set is [Unlawful] if and only if
// Check does not answer nil; before, only if it will then be whatever is called and
// answered from here on. And two histories with equal sets are lawful with the same
// continuations.
//
// That is so because a set has all configurations that the history allows, a
// configuration being a state of the law and how far each operation under way is. A
// call adds an operation that has not taken effect, and then everything that the law
// allows to happen next, again and again. A return keeps the configurations in which
// the operation has taken effect with that answer. What is left has all that may have
// happened still, so nothing need be added there.
//
// It grows by what it meets: the sets, and which leads to which. A step that was met
// costs two look-ups, a new one time and memory in proportion to the configurations,
// which may be as many as there are orders of what is under way. A law with finitely
// many states, and threads with finitely many operations, have finitely many sets. An
// Automaton is not for concurrent use.
//
// Source: the search by configurations of Wing and Gong (Testing and verifying
// concurrent objects, JPDC 1993), all at once, as in a determinised automaton.
type Automaton struct {
	spec    Spec
	answers func(Op) []Result
	calls   []*call
	known   map[string]int32 // calls by what is called
	sets    []possible
	numbers map[string]Set
	next    map[turn]Set
}

// Set is all that may be true at a moment of a history, by number: in which states the
// law may be and which of the operations under way have taken effect, answering
// what. Equal sets of one Automaton have equal numbers.
type Set int32

// Unlawful is the set in which nothing may be true: the law does not allow the history.
const Unlawful Set = -1

// call is an operation that was called by a thread, with all that it may come to: for
// each answer the events by which it takes effect.
type call struct {
	id     int32
	thread int
	op     Op
	result []Result
	events [][]Event
}

// possible is a set: the calls under way, in the order of their threads, and the
// configurations, in the order of their keys.
type possible struct {
	calls   []*call
	configs []configuration
}

// configuration is one of a set: the state of the law, and for each call under way how
// far it is.
type configuration struct {
	state State
	at    []progress
}

// progress is how far a call is: which answer it is on its way to, from 1, and how many
// of its events have happened. Which answer that is is open until the first has: 0.
type progress struct{ answer, events uint8 }

// most is how many answers a call may have.
const most = 254

// turn is a set and what comes next: a call, or its return with an answer.
type turn struct {
	from   Set
	call   int32
	answer uint8 // from 1; 0: it is called
}

// NewAutomaton returns the law of sp as an Automaton. answers lists all that an
// operation may return by it, at most 254 different results; one that is not
// listed is unlawful.
func NewAutomaton(sp Spec, answers func(Op) []Result) *Automaton {
	a := &Automaton{spec: sp, answers: answers, known: map[string]int32{}, numbers: map[string]Set{}, next: map[turn]Set{}}
	a.number(possible{configs: []configuration{{state: sp.Initial()}}})
	return a
}

// Begin returns the set of the history in which nothing was called.
func (a *Automaton) Begin() Set { return 0 }

// Size returns how many sets have been met.
func (a *Automaton) Size() int { return len(a.sets) }

// Call returns the set after a thread, which is in no call, has called op. It panics if
// the thread is in one, and if from is Unlawful.
func (a *Automaton) Call(from Set, thread int, op Op) Set {
	c := a.called(thread, op)
	t := turn{from, c.id, 0}
	to, met := a.next[t]
	if !met {
		to = a.number(a.begun(*a.set(from), c))
		a.next[t] = to
	}
	return to
}

// Return returns the set after the call that a thread is in has answered r: Unlawful if
// the law does not allow that. It panics if the thread is in none, and if from is
// Unlawful.
func (a *Automaton) Return(from Set, thread int, r Result) Set {
	s := a.set(from)
	i := s.of(thread)
	c := s.calls[i]
	answer := c.answer(r)
	if answer == 0 {
		return Unlawful
	}
	t := turn{from, c.id, answer}
	to, met := a.next[t]
	if !met {
		to = a.number(s.over(i, answer))
		a.next[t] = to
	}
	return to
}

// set returns the set with a number.
func (a *Automaton) set(n Set) *possible {
	if n < 0 || int(n) >= len(a.sets) {
		panic(fmt.Sprintf("model: a history goes on from set %d, which is unlawful or another Automaton's: there are %d", n, len(a.sets)))
	}
	return &a.sets[n]
}

// answer returns which of the call's answers r is, from 1; 0: none.
func (c *call) answer(r Result) uint8 { return uint8(slices.IndexFunc(c.result, r.equals) + 1) }

// of returns the place of the call that a thread is in.
func (s *possible) of(thread int) int {
	i := slices.IndexFunc(s.calls, func(c *call) bool { return c.thread == thread })
	if i < 0 {
		panic(fmt.Sprintf("model: a return by thread %d, which is in no call", thread))
	}
	return i
}

// called returns the call of op by a thread.
func (a *Automaton) called(thread int, op Op) *call {
	key := string(Operation{Thread: thread, Op: op}.appendKey(nil))
	id, met := a.known[key]
	if !met {
		id = int32(len(a.calls))
		c := &call{id: id, thread: thread, op: op, result: a.answers(op)}
		if len(c.result) > most {
			panic(fmt.Sprintf("model: %d answers to %v, want at most %d", len(c.result), op, most))
		}
		for _, r := range c.result {
			c.events = append(c.events, a.spec.Events(Operation{Thread: thread, Op: op, Result: r}))
		}
		a.calls, a.known[key] = append(a.calls, c), id
	}
	return a.calls[id]
}

// begun returns the set s with one more call under way.
func (a *Automaton) begun(s possible, c *call) possible {
	i, _ := slices.BinarySearchFunc(s.calls, c.thread, func(c *call, thread int) int { return c.thread - thread })
	if i < len(s.calls) && s.calls[i].thread == c.thread {
		panic(fmt.Sprintf("model: thread %d calls %v while it is in %v", c.thread, c.op, s.calls[i].op))
	}
	to := possible{calls: slices.Insert(slices.Clone(s.calls), i, c)}
	for _, x := range s.configs {
		to.configs = append(to.configs, configuration{x.state, slices.Insert(slices.Clone(x.at), i, progress{})})
	}
	to.close(a.spec)
	return to
}

// over returns the set s after call number i has returned with an answer. As s is
// closed, it is.
func (s *possible) over(i int, answer uint8) possible {
	to := possible{calls: slices.Delete(slices.Clone(s.calls), i, i+1)}
	for _, x := range s.configs {
		if x.at[i] == (progress{answer, uint8(len(s.calls[i].events[answer-1]))}) {
			to.configs = append(to.configs, configuration{x.state, slices.Delete(slices.Clone(x.at), i, i+1)})
		}
	}
	return to
}

// number returns the number of a set.
func (a *Automaton) number(s possible) Set {
	if len(s.configs) == 0 {
		return Unlawful
	}
	var b []byte
	for _, c := range s.calls {
		b = binary.AppendUvarint(b, uint64(c.id)+1)
	}
	b = append(b, 0)
	keys := make([]string, len(s.configs))
	for i := range s.configs {
		keys[i] = s.configs[i].key()
	}
	slices.Sort(keys)
	for _, k := range keys {
		b = append(binary.AppendUvarint(b, uint64(len(k))), k...)
	}
	n, met := a.numbers[string(b)]
	if !met {
		n = Set(len(a.sets))
		a.sets, a.numbers[string(b)] = append(a.sets, s), n
	}
	return n
}

// key tells configurations of one set apart.
func (x *configuration) key() string {
	b := make([]byte, 0, 64)
	for _, p := range x.at {
		b = append(b, p.answer, p.events)
	}
	return string(b) + x.state.Key()
}
