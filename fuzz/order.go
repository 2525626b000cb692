package fuzz

import (
	"slices"

	"github.com/filch-sched/filch/model"
)

// run is how far an execution of a scenario has come, as far as it decides who
// waits: only a Park waits, and what it waits for are a token or a Close.
type run struct {
	s      model.Scenario
	next   []int  // by thread, its operation
	tokens []bool // by parker
	closed []bool
}

// newRun returns s with the setup done.
func newRun(s model.Scenario) *run {
	n := len(s.Threads)
	r := &run{s: s, next: make([]int, n), tokens: make([]bool, n), closed: make([]bool, n)}
	for _, st := range s.Setup {
		r.effect(st.Thread, st.Op)
	}
	return r
}

// able returns the threads that have an operation left and would not wait.
func (r *run) able() []int {
	var out []int
	for t, th := range r.s.Threads {
		i := r.next[t]
		if i < len(th.Ops) && (th.Ops[i].Kind != model.ParkToken || r.tokens[t] || r.closed[t]) {
			out = append(out, t)
		}
	}
	return out
}

// over reports whether all threads have come to their ends.
func (r *run) over() bool {
	for t, th := range r.s.Threads {
		if r.next[t] < len(th.Ops) {
			return false
		}
	}
	return true
}

func (r *run) step(t int) {
	r.effect(t, r.s.Threads[t].Ops[r.next[t]])
	r.next[t]++
}

func (r *run) effect(thread int, o model.Op) {
	switch o.Kind {
	case model.ParkToken, model.ParkTimed:
		r.tokens[thread] = false
	case model.Unpark:
		r.tokens[o.On] = true
	case model.ClosePark:
		r.tokens[o.On], r.closed[o.On] = true, true
	}
}

// key spells the run out in bytes.
func (r *run) key() string {
	b := make([]byte, 0, 2*len(r.next))
	for t, i := range r.next {
		flags := byte(0)
		if r.tokens[t] {
			flags |= 1
		}
		if r.closed[t] {
			flags |= 2
		}
		b = append(b, byte(i), flags)
	}
	return string(b)
}

func (r *run) clone() *run {
	return &run{s: r.s, next: slices.Clone(r.next), tokens: slices.Clone(r.tokens), closed: slices.Clone(r.closed)}
}

// ends reports whether every execution from r on comes to its end. A Close is
// taken to set the token at once: that it does so later only lets a Park return
// that would have anyway, and leaves a token more.
func (r *run) ends(seen map[string]bool) bool {
	if r.over() {
		return true
	}
	key := r.key()
	if seen[key] {
		return true
	}
	seen[key] = true
	able := r.able()
	for _, t := range able {
		c := r.clone()
		c.step(t)
		if !c.ends(seen) {
			return false
		}
	}
	return len(able) > 0
}

// settle turns Parks that might wait for ever into timed ones, or if there are none
// into Unparks of the thread's own parker, from the end on, until every execution
// of s comes to its end.
func settle(s *model.Scenario, untimed bool) {
	if s.Target != model.Park {
		return
	}
	for t := len(s.Threads) - 1; t >= 0; t-- {
		ops := s.Threads[t].Ops
		for i := len(ops) - 1; i >= 0; i-- {
			if ops[i].Kind != model.ParkToken {
				continue
			}
			if newRun(*s).ends(map[string]bool{}) {
				return
			}
			ops[i].Kind = model.ParkTimed
			if untimed {
				ops[i].Kind, ops[i].On = model.Unpark, t
			}
		}
	}
}

// guards returns the claims that a scenario can break.
func guards(s model.Scenario) []model.Claim {
	switch s.Target {
	case model.Idle, model.Sched:
		return crewGuards(s)
	case model.Tracker:
		return []model.Claim{model.CountsMatchSleepers, model.SearchersBounded, model.OneWakeInFlight, model.NoLostWakeup}
	case model.Deque:
		return []model.Claim{model.NoLostTask, model.NoDuplicateTask}
	case model.Inject:
		return []model.Claim{model.NoLostTask, model.NoDuplicateTask, model.InjectFIFO,
			model.ClosedReturnsTasks, model.LenHint, model.BusyIsHonest}
	case model.Park:
		claims := []model.Claim{model.TokenKept, model.TokenSingle, model.UnparkPublishes}
		if hasClose(s) {
			claims = append(claims, model.ShutdownWakes)
		}
		return claims
	}
	return []model.Claim{model.NoLostTask, model.NoDuplicateTask, model.FIFO, model.StealHalf,
		model.OverflowKeepsOldest, model.CapacityFromSteal, model.SingleThief, model.BusyIsHonest,
		model.NoSlotRace, model.WrapSafe, model.InjectFIFO, model.ClosedReturnsTasks, model.LenHint}
}

func isClose(k model.Kind) bool {
	return k == model.InjectClose || k == model.ClosePark || k == model.Close
}

// hasClose reports whether a queue or parker is closed in s.
func hasClose(s model.Scenario) bool {
	for _, th := range s.Threads {
		if slices.ContainsFunc(th.Ops, func(o model.Op) bool { return isClose(o.Kind) }) {
			return true
		}
	}
	return slices.ContainsFunc(s.Setup, func(st model.Step) bool { return isClose(st.Kind) })
}
