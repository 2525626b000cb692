//go:build loom

package loom_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/explore"
)

// number returns the value of an environment variable, or a default.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 10, 64)
	require.NoError(t, err, name)
	return n
}

// seen is all that a search has seen of a program.
type seen struct {
	explore.Result
	states    map[string]bool // at the end, of executions that came to it
	deadlocks map[string]bool // what the threads had seen when none could go on
}

// spy is a watcher that looks at every execution.
type spy struct {
	*seen
	now  []string // what the threads of the running execution have seen
	dead int
}

func (s *spy) Listens() bool { return false }

func (s *spy) Ran(r *explore.Result, traced bool, _ uint64) *explore.Found {
	if r.Deadlocks > s.dead {
		s.deadlocks[fmt.Sprint(s.now)] = true
	}
	s.dead = r.Deadlocks
	return nil
}

// search explores p and returns what it has seen.
func search(p program, opts explore.Options) seen {
	s := &spy{seen: &seen{states: map[string]bool{}, deadlocks: map[string]bool{}}}
	opts.KeepGoing, opts.Fingerprints, opts.MaxSteps, opts.Watch = true, true, 10_000, s
	s.Result = explore.Search(p.watched(func(now []string) { s.now = now }, func(end string) { s.states[end] = true }), opts)
	return *s.seen
}

// verdict is how the searches of one program compare.
type verdict struct {
	wrong  string // what is not as it should be
	large  bool   // too many traces to compare
	brute  bool   // compared to every interleaving
	best   seen
	slower int // executions of the reference
	all    int // interleavings
}

// compare runs the searches of p.
func compare(p program) verdict {
	v := verdict{best: search(p, explore.Options{Most: 50_000})}
	if v.best.Err != nil {
		v.wrong = v.best.Err.Error()
		return v
	}
	one := search(p, explore.Options{Algorithm: "sleep", Most: 40_000})
	if v.large = !one.Exhausted; v.large {
		return v
	}
	v.slower = one.Executions
	all := search(p, explore.Options{Algorithm: "sleep", NoSleep: true, Most: 10_000})
	v.all, v.brute = all.Traces, all.Exhausted
	switch {
	case !v.best.Exhausted:
		v.wrong = fmt.Sprintf("the optimal search has not ended, the reference has %d traces", one.Traces)
	case v.best.Blocked != 0 && v.best.Algorithm == "optimal":
		v.wrong = fmt.Sprintf("%d executions were abandoned", v.best.Blocked)
	case v.best.Executions != v.best.Traces+v.best.Failures && v.best.Algorithm == "optimal":
		v.wrong = fmt.Sprintf("%d executions for %d traces and %d failures", v.best.Executions, v.best.Traces, v.best.Failures)
	default:
		v.wrong = differ("the optimal search", v.best, "sleep sets", one)
	}
	if v.wrong == "" && v.brute {
		v.wrong = differ("sleep sets", one, "all interleavings", all)
	}
	if v.wrong == "" && (len(one.Fingerprints) != one.Traces || one.Failures != v.best.Failures) {
		v.wrong = fmt.Sprintf("sleep sets: %d traces, %d of them different; %d failures, and %d of the optimal search",
			one.Traces, len(one.Fingerprints), one.Failures, v.best.Failures)
	}
	return v
}

// differ says what a and b have not both seen.
func differ(nameA string, a seen, nameB string, b seen) string {
	for _, c := range []struct {
		what string
		a, b []string
	}{
		{"traces", keys(a.Fingerprints), keys(b.Fingerprints)},
		{"final states", keys(a.states), keys(b.states)},
		{"deadlocks", keys(a.deadlocks), keys(b.deadlocks)},
	} {
		if !slices.Equal(c.a, c.b) {
			return fmt.Sprintf("%s: %d of %s and %d of %s\n%q\n%q", c.what, len(c.a), nameA, len(c.b), nameB, few(c.a), few(c.b))
		}
	}
	if (a.Failures > 0) != (b.Failures > 0) {
		return fmt.Sprintf("failures: %d of %s and %d of %s", a.Failures, nameA, b.Failures, nameB)
	}
	return ""
}

func few(s []string) []string { return s[:min(len(s), 8)] }

func keys[K comparable, V any](m map[K]V) []string {
	var list []string
	for k := range maps.Keys(m) {
		list = append(list, fmt.Sprint(k))
	}
	slices.Sort(list)
	return list
}

// smaller returns the smallest program that it finds by leaving out operations
// of p and that is still wrong.
func smaller(p program) program {
	for again := true; again; {
		again = false
		for i, ops := range p.threads {
			for j := range ops {
				q := program{slices.Clone(p.threads), p.touch}
				q.threads[i] = slices.Delete(slices.Clone(ops), j, j+1)
				if v := compare(q); !v.large && v.wrong != "" {
					p, again = q, true
					break
				}
			}
			if again {
				break
			}
		}
	}
	return p
}

// TestOptimalSearchIsExact compares, on random programs, the optimal search to
// that with sleep sets, and that to one of every interleaving where there are
// not too many: the same traces, final states and deadlocks, each trace once,
// and of the optimal search no other executions.
func TestOptimalSearchIsExact(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 1000)
	var done, brute, large, traces, deadlocks, failures, fallen, executions, all, probes int
	for n := uint64(0); done < int(programs); n++ {
		r := rand.New(rand.NewPCG(seed+n, 0))
		p := randomProgram(r, 3+r.IntN(12))
		v := compare(p)
		if v.large {
			large++
			require.Less(t, large, 1000+done, "most programs should be compared")
			continue
		}
		if v.wrong != "" {
			p = smaller(p)
			v = compare(p)
			require.Failf(t, "the searches differ", "%s\n%vreplay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=1 go test -tags loom -run '^%s$' ./loom", v.wrong, p, seed+n, t.Name())
		}
		done++
		traces += v.best.Traces
		deadlocks += v.best.Deadlocks
		failures += v.best.Failures
		executions += v.slower
		all += v.all
		probes += v.best.Probes
		if v.brute {
			brute++
		}
		if v.best.Algorithm != "optimal" {
			fallen++
		}
	}
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d go test -tags loom -run '^%s$' ./loom", seed, programs, t.Name())
	t.Logf("%d programs, %d of them compared to all interleavings, %d left to sleep sets, %d more too large: %d traces, %d of them deadlocked; %d failures; %d probes; sleep sets: %d executions; all: %d",
		done, brute, fallen, large, traces, deadlocks, failures, probes, executions, all)
	require.Positive(t, deadlocks)
	require.Greater(t, brute*2, done, "most programs should be compared to all interleavings")
}
