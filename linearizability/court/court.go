package court

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model/words"
)

// Options say how long and how hard to look. The zero Options are the defaults.
type Options struct {
	Duration time.Duration // 0: 2 s; up to twice as long if little happens at a time
	Threads  int           // how many goroutines drive; 0: 4, or more on more processors; at most 28
	Seed     uint64        // where the random choices begin; 0 takes the time
	Dir      string        // where a violation is saved; "": a new directory for temporary files
}

// The verdicts.
const (
	Clean        = "clean"
	Violation    = "violation"
	Inconclusive = "inconclusive"
)

// Test audits s and fails t if something is violated or the audit is inconclusive.
// It panics as [Audit] does.
func Test(t testing.TB, s Subject, o Options) {
	if t == nil {
		panic("court: Test without a test: t is nil")
	}
	t.Helper()
	r := Audit(s, o)
	if r.Verdict != Clean {
		t.Errorf("%s", r)
		return
	}
	t.Logf("%s", r)
}

// Subject is what is audited: a [Queue], [Deque], [Pool] or [Parker].
type Subject interface {
	driver() driver // for one audit
}

// subject is a Subject that makes its drivers.
type subject func() driver

func (s subject) driver() driver { return s() }

// driver drives the lives of one audit.
type driver interface {
	// threads returns how many of so many goroutines can drive it.
	threads(most int) int
	// logs returns how many logs a life needs, and of how many operations.
	logs(threads int) (n, room int)
	// play lives one life of a new one and records it.
	play(l *life)
	// words are those in which it is told what it has done.
	words() words.Words
	// hints say what of the adapter to see to if nothing is wrong with the thing.
	hints() words.Hints
	// needs lists what a run needs to be conclusive.
	needs(r *Report) []need
}

// need is something that has to have happened so often; at all, if min is 0, and then
// what says so in full.
type need struct {
	what string
	had  int64
	min  int64
}

// Audit drives many lives of s and judges each. It ends with the first violation.
// If a life does not end, its goroutines are left behind. Several audits may run at
// the same time; all but one then leave the number of processors as they find it.
//
// Audit panics if s is nil, if an option is out of its range, or if an adapter lacks
// a function or has a negative number.
func Audit(s Subject, o Options) *Report {
	if s == nil {
		panic("court: no subject: want a Queue, Deque, Pool or Parker, not nil")
	}
	o.fill()
	d := s.driver()
	r := &Report{Verdict: Clean, Seed: o.Seed, Threads: d.threads(o.Threads),
		Outcomes: map[string]int64{}, Patterns: map[string]int{}, Procs: map[int]int{}}
	begin := time.Now()
	procs, sweeps, leave := processors.enter()
	defer leave()
	l := newLife(d, r.Threads)
	defer l.crew.Close()
	for n := uint64(0); r.Verdict == Clean && (time.Since(begin) < o.Duration ||
		lacking(d.needs(r)) != "" && procs > 1 && time.Since(begin)/2 < o.Duration); n++ {
		if sweeps {
			runtime.GOMAXPROCS(sweep(n, procs, r.Threads))
		}
		r.Procs[runtime.GOMAXPROCS(0)]++
		l.begin(o.Seed, n)
		d.play(l)
		r.settle(l, d, o.Dir)
	}
	r.Took = time.Since(begin)
	if r.Verdict == Clean {
		r.conclude(lacking(d.needs(r)), procs)
	}
	return r
}

// sweep returns on how many processors life n runs: in turn as many as there are,
// twice as many, and one for each thread.
func sweep(n uint64, procs, threads int) int {
	return []int{procs, min(2*procs, max(procs, threads)), max(procs, threads), max(procs, threads)}[n%4]
}

func (o *Options) fill() {
	if o.Duration < 0 || o.Threads < 0 || o.Threads > maxThreads {
		panic(fmt.Sprintf("court: %v with %d threads, want a time and 0 to %d", o.Duration, o.Threads, maxThreads))
	}
	if o.Duration == 0 {
		o.Duration = 2 * time.Second
	}
	if o.Threads == 0 {
		o.Threads = max(4, min(runtime.GOMAXPROCS(0), maxThreads))
	}
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
}

// maxThreads leaves some of the threads of a history to a pool's own.
const maxThreads = linearizability.MaxThreads - 4

// lacking says which need is not met, or "".
func lacking(needs []need) string {
	for _, n := range needs {
		switch {
		case n.min == 0 && n.had == 0:
			return n.what
		case n.had < n.min:
			return fmt.Sprintf("%s: %d, too few to mean anything, want %d", n.what, n.had, n.min)
		}
	}
	return ""
}

// conclude decides whether a run in which nothing was found means something.
func (r *Report) conclude(lacking string, procs int) {
	switch {
	case procs == 1:
		r.Verdict, r.Message = Inconclusive, "one processor: nothing runs at the same time (GOMAXPROCS is 1)"
	case r.Unjudged > r.Lives/10:
		r.Verdict, r.Message = Inconclusive, fmt.Sprintf("%d of %d lives could not be judged, the last because of this: %v", r.Unjudged, r.Lives, r.unjudged)
	case lacking != "":
		r.Verdict, r.Message = Inconclusive, lacking
	}
}
