package model

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Violation says that a history is unlawful.
type Violation struct {
	// Claims are those without which the history would be lawful, or the one
	// that says it best. There are none if the Spec is not one of this package.
	Claims []Claim
	// Operations are the offending ones.
	Operations []Operation
	// Message says what is wrong with them.
	Message string
}

// Error returns the claims, the message and the operations.
func (v *Violation) Error() string {
	var b strings.Builder
	if len(v.Claims) > 0 {
		fmt.Fprintf(&b, "model: %s violated: %s", joinClaims(v.Claims), v.Message)
	} else {
		fmt.Fprintf(&b, "model: unlawful: %s", v.Message)
	}
	for _, o := range v.Operations {
		fmt.Fprintf(&b, "\n\t[%d, %d] %s", o.Call, o.Return, o)
	}
	return b.String()
}

// Validate reports whether the history can be judged: no operation returns
// before it is called and no thread does two at a time.
func (h History) Validate() error {
	for _, ops := range byThread(h) {
		for i, o := range ops {
			if o.Return < o.Call {
				return fmt.Errorf("model: [%d, %d] %s returns before it is called", o.Call, o.Return, o)
			}
			if i > 0 && o.Call < ops[i-1].Return {
				return fmt.Errorf("model: [%d, %d] %s is called before %s returns at %d",
					o.Call, o.Return, o, ops[i-1].Op, ops[i-1].Return)
			}
		}
	}
	return nil
}

// Check decides whether the operations of h can take effect at moments within
// their intervals such that sp allows the sequence of their events. It returns
// nil, or what is violated. The search is exact: it can take time exponential
// in the number of operations that overlap. What arrives in an inject queue does
// not count if it leaves one by one: then the law itself gives the order. Check
// panics if h is not valid.
func Check(sp Spec, h History) *Violation {
	if err := h.Validate(); err != nil {
		panic(err.Error())
	}
	stuck := explain(sp, h)
	if stuck == nil {
		return nil
	}
	return blame(sp, h, stuck)
}

// explain returns nil if h is lawful, and otherwise the operations at which the
// longest lawful sequence of events got stuck: never nil, but of length 0 if
// there are none.
func explain(sp Spec, h History) []Operation {
	s := newSearch(sp, h)
	if s.from(sp.Initial(), 0) {
		return nil
	}
	if s.stuck == nil {
		return []Operation{}
	}
	return s.stuck
}

// search is a depth-first search over the sequences of events, which remembers
// the points that it has left in vain.
type search struct {
	spec    Spec
	threads [][]Operation
	events  [][][]Event
	// before[t][i][u] is how many operations of thread u returned before
	// operation i of thread t was called.
	before [][][]int
	// firsts has, for an event, others that come before it by the law.
	firsts map[place][]place
	// op and phase say how far each thread has come.
	op, phase []int
	seen      map[string]struct{}
	total     int
	best      int
	stuck     []Operation
}

// byThread returns the operations of each thread, threads in order, operations
// by their calls.
func byThread(h History) [][]Operation {
	s := slices.Clone(h)
	slices.SortStableFunc(s, func(a, b Operation) int { return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Call, b.Call)) })
	var out [][]Operation
	for i, j := 0, 0; i < len(s); i = j {
		for j = i + 1; j < len(s) && s[j].Thread == s[i].Thread; {
			j++
		}
		out = append(out, s[i:j:j])
	}
	return out
}

func newSearch(sp Spec, h History) *search {
	s := &search{spec: sp, threads: byThread(h), seen: map[string]struct{}{}, best: -1}
	n := len(s.threads)
	s.op, s.phase = make([]int, n), make([]int, n)
	for _, ops := range s.threads {
		events := make([][]Event, len(ops))
		before := make([][]int, len(ops))
		for i, o := range ops {
			events[i] = sp.Events(o)
			s.total += len(events[i])
			before[i] = make([]int, n)
			for u, others := range s.threads {
				before[i][u] = precede(others, o)
			}
		}
		s.events = append(s.events, events)
		s.before = append(s.before, before)
	}
	s.firsts = firsts(sp, s.threads)
	return s
}

// from reports whether the rest of the history is lawful from state st, done
// events having happened.
func (s *search) from(st State, done int) bool {
	if done == s.total {
		return true
	}
	key := s.key(st)
	if _, ok := s.seen[key]; ok {
		return false
	}
	s.seen[key] = struct{}{}
	for t := range s.threads {
		if !s.enabled(t) {
			continue
		}
		i, p := s.op[t], s.phase[t]
		next := s.spec.Step(st, s.events[t][i][p])
		if p+1 < len(s.events[t][i]) {
			s.phase[t]++
		} else {
			s.op[t], s.phase[t] = i+1, 0
		}
		for _, to := range next {
			if s.from(to, done+1) {
				return true
			}
		}
		s.op[t], s.phase[t] = i, p
	}
	s.remember(st, done)
	return false
}

// enabled reports whether thread t may take its next step: all that returned
// before its operation was called have taken effect, and all that the law has
// come before it.
func (s *search) enabled(t int) bool {
	i := s.op[t]
	if i == len(s.threads[t]) {
		return false
	}
	for u, n := range s.before[t][i] {
		if s.op[u] < n {
			return false
		}
	}
	for _, p := range s.firsts[place{t, i, s.phase[t]}] {
		if !s.happened(p) {
			return false
		}
	}
	return true
}

// remember keeps the operations that could not go on at st if no search got
// further before.
func (s *search) remember(st State, done int) {
	if done <= s.best {
		return
	}
	s.best, s.stuck = done, nil
	for t := range s.threads {
		if !s.enabled(t) {
			continue
		}
		if i := s.op[t]; len(s.spec.Step(st, s.events[t][i][s.phase[t]])) == 0 {
			s.stuck = append(s.stuck, s.threads[t][i])
		}
	}
	s.stuck = slices.Clip(s.stuck)
}

func (s *search) key(st State) string {
	b := make([]byte, 0, 64)
	for t := range s.threads {
		b = binary.AppendUvarint(b, uint64(s.op[t]))
		b = append(b, byte(s.phase[t]))
	}
	return string(b) + st.Key()
}
