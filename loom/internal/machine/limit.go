package machine

import (
	"fmt"
	"strings"
)

// lastSteps is how many steps of an execution that is about to become too long
// are looked at, to say where it loops.
const lastSteps = 64

// move accounts for what is no step and yet could go on for ever: a Choose, a
// Yield.
func (t *Thread) move() {
	m := t.m
	if m.moves++; m.MaxSteps > 0 && m.moves > m.MaxSteps {
		why := "Yield waits only for a change of something that its thread has looked at since the Yield before"
		if t.circling != "" {
			why = t.circling
		}
		m.misuse("loom: more than %d calls of Choose and Yield in one execution; %s loops at %v: %s", m.MaxSteps, Name(t.id), t.here(), why)
		t.unwind()
	}
}

// long remembers the step that t takes now and, if the execution has got too
// long, ends it.
func (t *Thread) long() {
	m := t.m
	m.tail = append(m.tail, Event{Thread: t.id, Code: t.op.Code, Kind: t.op.obj.kind, Effect: t.Effect(), Site: t.here()})
	if m.Steps > m.MaxSteps {
		m.misuse("%s", m.endless())
		t.unwind()
	}
}

// endless says what the last steps were and what may be the cause.
func (m *Machine) endless() string {
	var b strings.Builder
	fmt.Fprintf(&b, "loom: an execution of more than %d steps (option MaxSteps). The last of them:", m.MaxSteps)
	count := map[string]int{}
	var order []string
	for _, e := range m.tail {
		s := fmt.Sprintf("%s: %v of %v#%d at %v", Name(e.Thread), e.Code, e.Kind, e.Effect.Object, e.Site)
		if count[s]++; count[s] == 1 {
			order = append(order, s)
		}
	}
	for _, s := range order {
		fmt.Fprintf(&b, "\n  %s, %d times", s, count[s])
	}
	for _, t := range m.threads[:m.n] {
		switch quiet := m.Steps - m.changed; {
		case t.circling != "":
			fmt.Fprintf(&b, "\n%s: %s", Name(t.id), t.circling)
		case t.hinted:
			fmt.Fprintf(&b, "\n%s calls Yield, which does not wait: in each round, %v lets others see that it goes round", Name(t.id), t.tracedBy)
		case quiet >= len(m.tail) && t.busy(m.tail):
			fmt.Fprintf(&b, "\n%s loops, and nothing has changed for %d steps: a loop that waits for others must call loom.Yield, or under go tool loom runtime.Gosched or time.Sleep", Name(t.id), quiet)
		}
	}
	return b.String()
}

// busy reports whether t took all the steps of tail.
func (t *Thread) busy(tail []Event) bool {
	for _, e := range tail {
		if e.Thread != t.id {
			return false
		}
	}
	return len(tail) > 0
}
