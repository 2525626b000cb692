package graph

import (
	"fmt"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// unroll replaces the ranks of a path by threads, given what they are where it
// begins, and returns what they are at its end.
func unroll(path []Edge, frame []uint8) ([]Edge, []uint8) {
	frame = append([]uint8(nil), frame...)
	out := make([]Edge, len(path))
	for i, e := range path {
		out[i] = Edge{Thread: actual(frame, e.Thread), Choices: e.Choices, Made: e.Made, Ends: e.Ends}
		frame = turn(frame, e.Turn)
	}
	return out, frame
}

// Schedule returns a path in the form of a token: the thread of each edge.
func Schedule(path []Edge) (s explore.Schedule) {
	for _, e := range path {
		id := int(e.Thread)
		s.Order = append(s.Order, id)
		for i := range int(e.Made) {
			s.Choices[id] = append(s.Choices[id], e.choice(i))
		}
	}
	return s
}

// replayer is the controller that follows a schedule of edges.
type replayer struct {
	*Search
	want  explore.Schedule
	made  [machine.MaxThreads]int
	steps int
}

// Replay runs body once by a schedule whose steps are edges, recorded.
func Replay(body func(), s explore.Schedule, opts Options) explore.Execution {
	r := &replayer{Search: newSearch(body, opts), want: s}
	r.m = machine.New(r)
	defer r.m.Close()
	r.watch()
	r.m.Tracing = true
	r.run.begin(-1, r.g)
	r.m.Run(body)
	if r.m.Done && r.m.Failure == nil {
		r.m.Failure = r.over()
	}
	e := explore.Recorded(s, r.m)
	if r.err != nil {
		e.Err = r.err
	}
	return e
}

// Next is part of machine.Controller.
func (r *replayer) Next(m *machine.Machine) *machine.Thread {
	if last := m.Last(); last != nil && last.CanStep() && r.same(last) {
		return last
	}
	if r.prepares() {
		return m.Thread(0)
	}
	if r.steps < len(r.want.Order) {
		r.steps++
		return r.follow(Edge{Thread: uint8(r.want.Order[r.steps-1])})
	}
	for i := range m.Threads() {
		if m.Thread(i).CanStep() {
			m.Beside(func() {
				if f, _ := r.examine(); f != nil {
					m.Violated(*f)
				}
			})
			return nil
		}
	}
	m.Deadlock()
	return nil
}

// Choose is part of machine.Controller.
func (r *replayer) Choose(t *machine.Thread, n int) int {
	id := t.ID()
	i := r.made[id]
	r.made[id]++
	if i >= len(r.want.Choices[id]) {
		return 0
	}
	v := r.want.Choices[id][i]
	if v >= n {
		r.err = fmt.Errorf("loom: the schedule does not fit the body: thread %d cannot choose %d of %d", id, v, n)
		return 0
	}
	return v
}
