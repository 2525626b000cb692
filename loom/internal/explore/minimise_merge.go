package explore

import (
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// segment is a number of steps that a thread takes in a row.
type segment struct{ thread, steps int }

func segments(s Schedule) (list []segment) {
	for _, id := range s.Order {
		if n := len(list); n > 0 && list[n-1].thread == id {
			list[n-1].steps++
		} else {
			list = append(list, segment{id, 1})
		}
	}
	return list
}

// follower is the controller that follows a list of segments as far as it can:
// steps that cannot be taken are left out, and after the end a thread goes on
// until it must wait.
type follower struct {
	plan    []segment
	choices [machine.MaxThreads][]int
	did     Schedule
	effects []machine.Effect
}

// Next is part of machine.Controller.
func (fo *follower) Next(m *machine.Machine) *machine.Thread {
	enabled, effects := m.Enabled(fo.effects[:0])
	fo.effects = effects
	if enabled == 0 {
		m.Deadlock()
		return nil
	}
	for len(fo.plan) > 0 && (fo.plan[0].steps == 0 || enabled&(1<<fo.plan[0].thread) == 0) {
		fo.plan = fo.plan[1:]
	}
	id := stay(m, enabled)
	if len(fo.plan) > 0 {
		id = fo.plan[0].thread
		fo.plan[0].steps--
	}
	fo.did.step(id)
	return m.Thread(id)
}

// Choose is part of machine.Controller.
func (fo *follower) Choose(t *machine.Thread, n int) int {
	id, v := t.ID(), 0
	if k := len(fo.did.Choices[id]); k < len(fo.choices[id]) {
		v = min(fo.choices[id][k], n-1)
	}
	fo.did.choose(id, v)
	return v
}

// merge is for executions that minimise cannot get through: it improves a
// schedule by moving segments to others of their thread and by leaving segments
// out, for as long as that helps and the limits allow.
func merge(body func(), f *machine.Failure, s Schedule, opts Options) Schedule {
	fo := &follower{}
	m := machine.New(fo)
	defer m.Close()
	m.MaxSteps = len(s.Order) + 1
	if opts.MaxSteps > 0 {
		m.MaxSteps = min(m.MaxSteps, opts.MaxSteps)
	}
	until, runs := opts.minimiseUntil(), 0
	for improved := true; improved; {
		improved = false
		for _, plan := range plans(segments(s)) {
			if runs++; runs > minimiseRuns || runs%16 == 0 && time.Now().After(until) {
				return s
			}
			*fo = follower{plan: plan, choices: s.Choices, effects: fo.effects}
			m.Run(body)
			if opts.Failed != nil && opts.Failed() {
				return s
			}
			if m.Err == nil && same(m.Failure, f) && better(fo.did, s) {
				s, improved = fo.did.clone(), true
				break
			}
		}
	}
	return s
}

// plans returns what to try instead of a list of segments, the most promising
// first.
func plans(list []segment) (all [][]segment) {
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			if list[j].thread == list[i].thread {
				all = append(all, moved(list, i, j), moved(list, j, i))
				break
			}
		}
	}
	for i := range list {
		all = append(all, append(append([]segment{}, list[:i]...), list[i+1:]...))
	}
	for i := range list {
		if list[i].steps > 1 {
			short := append([]segment{}, list...)
			short[i].steps--
			all = append(all, short)
		}
	}
	return all
}

// moved returns list with segment i made part of segment j.
func moved(list []segment, i, j int) []segment {
	var plan []segment
	for k, s := range list {
		switch k {
		case i:
			continue
		case j:
			s.steps += list[i].steps
		}
		plan = append(plan, s)
	}
	return plan
}
