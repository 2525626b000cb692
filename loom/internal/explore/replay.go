package explore

import (
	"fmt"
	"math/bits"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Execution is one execution, recorded step by step.
type Execution struct {
	Schedule Schedule // as it was run, complete
	Trace    []machine.Event
	Failure  *machine.Failure
	Err      error
	Threads  int

	twice   map[string]bool // see place
	helpers map[string]bool // see place
}

// replayer is the controller that follows a schedule. After its end it changes
// thread only when it must.
type replayer struct {
	want, did Schedule
	err       error
	effects   []machine.Effect
}

// Replay runs body once by the schedule.
func Replay(body func(), s Schedule, opts Options) Execution {
	return ReplayAloud(body, s, opts, nil)
}

// ReplayAloud is Replay that calls tell, if it is not nil, for each event with its
// number as soon as it has happened, so that what the body itself prints comes
// between.
func ReplayAloud(body func(), s Schedule, opts Options, tell func(no int, ev *machine.Event)) Execution {
	r := &replayer{want: s}
	m := machine.New(r)
	defer m.Close()
	m.MaxSteps, m.Tracing = opts.MaxSteps, true
	told := 0
	m.Tell = func() {
		for ; tell != nil && told < len(m.Trace); told++ {
			tell(told+1, &m.Trace[told])
		}
	}
	m.Run(body)
	m.Tell()
	m.NameAll()
	e := Execution{Schedule: r.did, Trace: m.Trace, Failure: m.Failure, Err: m.Err, Threads: m.Threads()}
	e.twice, e.helpers = ambiguous(e), helpersOf(e)
	e.nameOnce()
	if r.err != nil {
		e.Err = r.err
	}
	return e
}

// Line is an event in one line, without its number.
func Line(ev *machine.Event) string {
	return fmt.Sprintf("%v  %s: %s", ev.Site, machine.Name(ev.Thread), cell(ev))
}

// Next is part of machine.Controller.
func (r *replayer) Next(m *machine.Machine) *machine.Thread {
	enabled, effects := m.Enabled(r.effects[:0])
	r.effects = effects
	if enabled == 0 {
		m.Deadlock()
		return nil
	}
	id := stay(m, enabled)
	if n := len(r.did.Order); n < len(r.want.Order) {
		id = r.want.Order[n]
		if enabled&(1<<id) == 0 {
			r.err = unfit(m, id)
			return nil
		}
	}
	r.did.step(id)
	return m.Thread(id)
}

// unfit is the error of a schedule by which thread id takes a step that it cannot
// take.
func unfit(m *machine.Machine, id int) error {
	at := "before the first row"
	if n := len(m.Trace); n > 0 {
		at = fmt.Sprintf("after row %d (%s)", n, Line(&m.Trace[n-1]))
	}
	state := "has not been started"
	if id < m.Threads() {
		switch t := m.Thread(id); {
		case t.Ended():
			state = "has ended"
		default:
			state = fmt.Sprintf("waits in %v at %v", waitingIn(t.Pending().Code), t.Site())
		}
	}
	return fmt.Errorf("loom: the schedule does not fit the body: %s it is the turn of %s, which %s; the code has changed since, or the token is of another test",
		at, machine.Name(id), state)
}

// stay returns the thread that took the last step, if it can take another one,
// else the first that can.
func stay(m *machine.Machine, enabled uint64) int {
	if last := m.Last(); last != nil && enabled&(1<<last.ID()) != 0 {
		return last.ID()
	}
	return bits.TrailingZeros64(enabled)
}

// Choose is part of machine.Controller.
func (r *replayer) Choose(t *machine.Thread, n int) int {
	id, v := t.ID(), 0
	if k := len(r.did.Choices[id]); k < len(r.want.Choices[id]) {
		v = min(r.want.Choices[id][k], n-1)
	}
	r.did.choose(id, v)
	return v
}
