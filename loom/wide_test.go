//go:build loom

package loom_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// ends is what a search has seen of a wide program: how its executions ended and
// what the threads had seen then.
type ends struct {
	explore.Result
	keys map[string]bool
	saw  []string // in the running execution
	last explore.Result
	race bool // whether races count: those of a WaitGroup are not of an order of steps
}

// Listens is part of explore.Watcher.
func (e *ends) Listens() bool { return false }

// Ran is part of explore.Watcher.
func (e *ends) Ran(r *explore.Result, _ bool, _ uint64) *explore.Found {
	how := ""
	switch l := &e.last; {
	case r.Failures > l.Failures:
		how = "fails"
	case r.Deadlocks > l.Deadlocks:
		how = "deadlocks"
	case r.Traces > l.Traces:
		how = "ends"
	}
	if how != "" && e.race && r.Races > e.last.Races {
		how += ", races"
	}
	if how != "" {
		e.keys[fmt.Sprintf("%s %q", how, e.saw)] = true
	}
	e.last = *r
	return nil
}

func (p wide) search(opts explore.Options) *ends {
	e := &ends{keys: map[string]bool{}, race: !p.has("g ")}
	opts.KeepGoing, opts.Fingerprints, opts.MaxSteps, opts.Watch = true, true, 3000, e
	e.Result = explore.Search(p.body(func(saw []string) { e.saw = saw }), opts)
	return e
}

// brute runs all schedules of p, but no more than most, and returns how they end
// with the fewest preemptions that each needs; nil if there are more.
func (p wide) brute(most int) (map[string]int, error) {
	fewest := map[string]int{}
	e := &every{}
	m := machine.New(e)
	defer m.Close()
	m.GoOn, m.MaxSteps = true, 3000
	var saw []string
	for range most {
		e.depth, e.spent, e.did, e.names = 0, 0, e.did[:0], e.names[:0]
		m.Run(p.body(func(s []string) { saw = s }))
		if m.Err != nil {
			return nil, m.Err
		}
		how := "ends"
		switch f := m.Failure; {
		case f == nil || f.Kind == machine.RaceFailure:
		case f.Kind == machine.DeadlockFailure:
			how = "deadlocks"
		default:
			how = "fails"
		}
		if m.Raced && !p.has("g ") {
			how += ", races"
		}
		key := fmt.Sprintf("%s %q", how, saw)
		if n, seen := fewest[key]; !seen || e.spent < n {
			fewest[key] = e.spent
		}
		if !e.back() {
			return fewest, nil
		}
	}
	return nil, nil
}

// lists says what is only in one of two lists.
func lists(nameA string, a []string, nameB string, b []string) string {
	if slices.Equal(a, b) {
		return ""
	}
	text := fmt.Sprintf("%d of %s, %d of %s", len(a), nameA, len(b), nameB)
	for _, one := range [][2][]string{{a, b}, {b, a}} {
		for _, x := range one[0] {
			if !slices.Contains(one[1], x) {
				text += "\nonly one has " + x
				break
			}
		}
	}
	return text
}

// wideCount is what a comparison of many programs has come to.
type wideCount struct{ refused, large, brute, bounds, shares, fails, races int }

// wrong compares what the searches see of p, and returns a difference.
func (p wide) wrong(n *wideCount, seed uint64) string {
	best, one := p.search(explore.Options{Most: 20_000}), p.search(explore.Options{Algorithm: "sleep", Most: 20_000})
	switch {
	case best.Err != nil && strings.Contains(best.Err.Error(), "determin"):
		return best.Err.Error()
	case best.Err != nil || one.Err != nil:
		n.refused++ // in an execution that only one may have come to
		return ""
	case !one.Exhausted:
		n.large++
		return ""
	case !best.Exhausted:
		return "the optimal search does not come to its end"
	case best.Algorithm == "optimal" && best.Blocked != 0:
		return fmt.Sprintf("%d blocked", best.Blocked)
	case best.Traces != one.Traces || best.Failures != one.Failures || best.Deadlocks != one.Deadlocks:
		return fmt.Sprintf("optimal %+v\nsleep %+v", best.last, one.last)
	}
	n.fails, n.races = n.fails+best.Failures, n.races+best.Races
	if w := lists("optimal", keys(best.keys), "sleep", keys(one.keys)); w != "" {
		return w
	}
	if w := lists("optimal's fingerprints", keys(best.Fingerprints), "sleep's", keys(one.Fingerprints)); w != "" {
		return w
	}
	few, err := p.brute(4000)
	switch {
	case err != nil:
		return "brute force is refused: " + err.Error()
	case few == nil:
		return ""
	}
	n.brute++
	if w := lists("optimal", keys(best.keys), "brute force", slices.Sorted(maps.Keys(few))); w != "" {
		return w
	}
	return p.parts(n, best, few, rand.New(rand.NewPCG(seed, 7)))
}

// parts compares a bounded search and shares with the whole, each now and then.
func (p wide) parts(n *wideCount, whole *ends, few map[string]int, r *rand.Rand) string {
	if r.IntN(4) == 0 {
		n.bounds++
		bound := r.IntN(3)
		s := p.search(explore.Options{Bounded: true, Bound: bound})
		for k, needs := range few {
			if needs <= bound && !s.keys[k] {
				return fmt.Sprintf("a bound of %d misses %s (%v)", bound, k, s.Err)
			}
		}
		for k := range s.keys {
			if _, ok := few[k]; !ok {
				return fmt.Sprintf("only with a bound of %d: %s", bound, k)
			}
		}
	}
	if r.IntN(4) > 0 || whole.Ordered {
		return "" // those with disputed counters have no shares
	}
	n.shares++
	union, traces, failures := map[string]bool{}, 0, 0
	shares := 1 + r.IntN(9)
	for i := range shares {
		s := p.search(explore.Options{Shard: explore.Shard{I: i + 1, N: shares}})
		if s.Err != nil {
			return "a share: " + s.Err.Error()
		}
		maps.Copy(union, s.keys)
		traces, failures = traces+s.Traces, failures+s.Failures
	}
	if traces != whole.Traces || failures != whole.Failures {
		return fmt.Sprintf("%d shares: %d traces, %d failed; the whole %d, %d", shares, traces, failures, whole.Traces, whole.Failures)
	}
	return lists("the whole", keys(whole.keys), "the shares", keys(union))
}

// TestWidePrograms: on random programs of nearly all that there is, the searches see
// the same ends, as brute force does, and so do bounds and shares.
func TestWidePrograms(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 400)
	var n wideCount
	for s := seed; s < seed+programs; s++ {
		r := rand.New(rand.NewPCG(s, 0))
		p := randomWide(r, 2+r.IntN(9))
		wrong := func(p wide) string { return p.wrong(&wideCount{}, s) }
		if p.wrong(&n, s) != "" {
			p = p.smaller(wrong)
			require.Empty(t, wrong(p), "replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=1 go test -tags loom -run '^%s$' ./loom\n%v", s, t.Name(), p)
		}
	}
	t.Logf("%d programs from seed %d: %+v", programs, seed, n)
	if programs >= 400 {
		require.Greater(t, n.brute, int(programs)/3)
		for _, k := range []int{n.bounds, n.shares, n.fails, n.races} {
			require.Positive(t, k)
		}
	}
}

// TestWideProgramsStopAtAViolation: a search that stops at the first violation finds
// one if there is one.
func TestWideProgramsStopAtAViolation(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 150)
	for s := seed; s < seed+programs; s++ {
		r := rand.New(rand.NewPCG(s, 1))
		p := randomWide(r, 2+r.IntN(8))
		few, err := p.brute(3000)
		if few == nil || err != nil || p.has("g ") {
			continue
		}
		violates := slices.ContainsFunc(slices.Collect(maps.Keys(few)), func(k string) bool { return !strings.HasPrefix(k, "ends [") })
		for _, algorithm := range explore.Algorithms {
			res := explore.Search(p.body(func([]string) {}), explore.Options{Algorithm: algorithm, MaxSteps: 3000})
			require.NoError(t, res.Err, "%v", p)
			require.Equal(t, violates, res.First != nil, "LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=1 go test -tags loom -run '^%s$' ./loom\n%v", s, t.Name(), p)
			require.Equal(t, violates, !res.Exhausted)
		}
	}
}
