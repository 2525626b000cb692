//go:build loom

package loom_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// every is a controller that runs all schedules of a body, one after the other.
// It shares nothing with the searches.
type every struct {
	turns   []turn
	depth   int
	spent   int // preemptions of the running execution
	effects []machine.Effect
	did     []did
	names   []string // of threads: who started them, and which of those they were
}

// turn is a decision: of those in left one is still to be tried.
type turn struct {
	left  uint64
	now   int
	last  int // the thread that goes on, -1 if none does
	value int // of a choice of n
	n     int
}

// did is a step, or a choice, of the running execution.
type did struct {
	thread string
	effect machine.Effect
	choice int // -1: a step
}

func (e *every) Next(m *machine.Machine) *machine.Thread {
	for id := len(e.names); id < m.Threads(); id++ {
		name := "body"
		if t := m.Thread(id); t.Parent() >= 0 {
			name = fmt.Sprintf("%s.%d", e.names[t.Parent()], t.Nth())
		}
		e.names = append(e.names, name)
	}
	enabled, effects := m.Enabled(e.effects[:0])
	e.effects = effects
	if enabled == 0 {
		m.Deadlock()
		return nil
	}
	if e.depth == len(e.turns) {
		w := turn{left: enabled, last: -1}
		if t := m.Last(); t != nil && enabled&(1<<t.ID()) != 0 {
			w.last = t.ID()
		}
		w.now = bits.TrailingZeros64(w.left)
		w.left &^= 1 << w.now
		e.turns = append(e.turns, w)
	}
	w := &e.turns[e.depth]
	e.depth++
	if w.last >= 0 && w.now != w.last {
		e.spent++
	}
	e.did = append(e.did, did{e.names[w.now], effects[w.now], -1})
	return m.Thread(w.now)
}

func (e *every) Choose(t *machine.Thread, n int) int {
	if e.depth == len(e.turns) {
		e.turns = append(e.turns, turn{n: n})
	}
	e.depth++
	v := e.turns[e.depth-1].value
	e.did = append(e.did, did{e.names[t.ID()], machine.Effect{Object: -1}, v})
	return v
}

func (e *every) back() bool {
	for len(e.turns) > 0 {
		w := &e.turns[len(e.turns)-1]
		switch {
		case w.n > 0 && w.value+1 < w.n:
			w.value++
			return true
		case w.n == 0 && w.left != 0:
			w.now = bits.TrailingZeros64(w.left)
			w.left &^= 1 << w.now
			return true
		}
		e.turns = e.turns[:len(e.turns)-1]
	}
	return false
}

// trace names the trace of the running execution: its steps in any order, each
// with the steps before it that it does not commute with.
func (e *every) trace() string {
	steps := make([]string, len(e.did))
	count := map[string]int{}
	for i, d := range e.did {
		count[d.thread]++
		steps[i] = fmt.Sprintf("%s/%d", d.thread, count[d.thread])
	}
	full := slices.Clone(steps)
	for i, d := range e.did {
		full[i] = fmt.Sprint(steps[i], d.effect.Mode, d.choice)
		var before []string
		for j, b := range e.did[:i] {
			if b.effect.Object >= 0 && b.thread != d.thread && !b.effect.Independent(d.effect) {
				before = append(before, steps[j])
			}
		}
		slices.Sort(before)
		full[i] += fmt.Sprint(before)
	}
	slices.Sort(full)
	return fmt.Sprint(full)
}

// traces returns the fewest preemptions of each trace of p; false if there are
// more than most schedules. ordered says which traces: those of a search that takes
// additions to counters in order, or of one that does not.
func traces(p program, most int, ordered bool) (map[string]int, bool) {
	fewest := map[string]int{}
	e := &every{}
	m := machine.New(e)
	defer m.Close()
	m.GoOn, m.MaxSteps, m.Ordered = true, 10_000, ordered
	for range most {
		e.depth, e.spent, e.did, e.names = 0, 0, e.did[:0], e.names[:0]
		m.Run(p.body(func(string) {}))
		if m.Err != nil {
			panic(m.Err)
		}
		trace := e.trace()
		if n, ok := fewest[trace]; !ok || e.spent < n {
			fewest[trace] = e.spent
		}
		if !e.back() {
			return fewest, true
		}
	}
	return nil, false
}

// TestBoundLosesNothing compares the searches of random programs to all of their
// schedules: there are as many traces, and with a bound as many as have an
// execution that keeps to it.
func TestBoundLosesNothing(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 200)
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d go test -tags loom -run '^%s$' ./loom", seed, programs, t.Name())
	r := rand.New(rand.NewPCG(seed, 0))
	compared, all := 0, 0
	for range programs {
		p := randomProgram(r, 3+r.IntN(8))
		full := search(p, explore.Options{})
		require.NoError(t, full.Err)
		fewest, ok := traces(p, 5_000, full.Ordered)
		if !ok {
			continue
		}
		compared++
		all += len(fewest)
		require.Equal(t, len(fewest), full.Traces+full.Failures, "traces of\n%v", p)
		for bound, done := 0, false; !done; bound++ {
			s := search(p, explore.Options{Bounded: true, Bound: bound})
			require.NoError(t, s.Err)
			of := fewest
			if s.Ordered != full.Ordered { // what that is for lies over the bound
				require.False(t, s.Exhausted, "with %d preemptions, of\n%v", bound, p)
				of, _ = traces(p, 5_000, s.Ordered)
			}
			require.Equal(t, len(within(of, bound)), s.Traces+s.Failures, "traces with %d preemptions of\n%v", bound, p)
			done = s.Traces+s.Failures == len(of) && s.Ordered == full.Ordered
		}
	}
	t.Logf("%d programs with %d traces", compared, all)
	require.Greater(t, 2*compared, int(programs))
}
