package court

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
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

// Report is what an audit found.
type Report struct {
	Verdict string
	// Claim and Message say what is violated, or why the audit is inconclusive.
	// Means is what the claim says of such a thing, "" if no more than its name.
	Claim, Message, Means string
	Operations            []string // the offending ones, a line each
	History               string   // the file of the history that proves it
	Drawing               string   // the page of porcupine's drawing of it, of most violations
	Said                  string   // panics, and where goroutines stood that did not go on

	Seed     uint64
	Threads  int
	Lives    int
	Judged   int64            // operations
	Overlap  int64            // of these, called while another was under way
	Outcomes map[string]int64 // how often each operation had each answer
	Patterns map[string]int   // how many lives had each pattern of load
	Procs    map[int]int      // how many lives ran on so many processors
	Unjudged int              // lives with too many operations at a time to judge
	Took     time.Duration

	words words.Words
}

// Test audits s and fails t if something is violated or the audit is inconclusive.
func Test(t testing.TB, s Subject, o Options) {
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
	// threads returns how many of so many goroutines can drive it.
	threads(most int) int
	// logs returns how many logs a life needs, and of how many operations.
	logs(threads int) (n, room int)
	// play lives one life of a new one and records it.
	play(l *life)
	// words are those in which it is told what it has done.
	words() words.Words
	// needs lists what a run needs to be conclusive.
	needs(r *Report) []need
}

// need is something that has to have happened so often.
type need struct {
	what string
	had  int64
	min  int64
}

// Audit drives many lives of s and judges each. It ends with the first violation.
// If a life does not end, its goroutines are left behind. Audit panics if an option
// is out of its range.
func Audit(s Subject, o Options) *Report {
	o.fill()
	r := &Report{Verdict: Clean, Seed: o.Seed, Threads: s.threads(o.Threads),
		Outcomes: map[string]int64{}, Patterns: map[string]int{}, Procs: map[int]int{}}
	begin := time.Now()
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	l := newLife(s, r.Threads)
	for n := uint64(0); r.Verdict == Clean && (time.Since(begin) < o.Duration ||
		lacking(s.needs(r)) != "" && procs > 1 && time.Since(begin) < 2*o.Duration); n++ {
		if procs > 1 {
			runtime.GOMAXPROCS(sweep(n, procs, r.Threads))
		}
		r.Procs[runtime.GOMAXPROCS(0)]++
		l.begin(o.Seed, n)
		s.play(l)
		r.settle(l, s.words(), o.Dir)
	}
	r.Took = time.Since(begin)
	if r.Verdict == Clean {
		r.conclude(lacking(s.needs(r)), procs)
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
		if n.had < n.min {
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
		r.Verdict, r.Message = Inconclusive, fmt.Sprintf("%d of %d lives had too many operations at a time to be judged", r.Unjudged, r.Lives)
	case lacking != "":
		r.Verdict, r.Message = Inconclusive, lacking
	}
}

// settle counts a life and judges it.
func (r *Report) settle(l *life, told words.Words, dir string) {
	r.Lives++
	r.words = told
	r.count(l)
	var v *linearizability.Violation
	var err error
	if panicked := l.trouble.Any() && !l.trouble.Stuck; panicked {
		v = &linearizability.Violation{Claim: "NoPanic", Message: "a call panicked"}
	} else {
		v, err = linearizability.Judge(&l.h)
	}
	switch {
	case v == nil && l.trouble.Stuck:
		v = &linearizability.Violation{Claim: "Progress", Message: "nothing moved for " + crew.Patience.String() + ", and calls did not return"}
	case err != nil:
		r.Unjudged++
		return
	case v == nil:
		return
	}
	r.Verdict, r.Claim, r.Message, r.Said = Violation, string(v.Claim), v.Message, l.trouble.Said
	if len(v.Ops) > 0 {
		h, w := linearizability.Shrink(linearizability.Worst(&l.h, v))
		r.Claim, r.Message = string(w.Claim), w.Message
		for _, op := range w.Ops {
			r.Operations = append(r.Operations, told.Text(h.Line(op)))
		}
		r.Message = told.Text(r.Message)
		r.save(h, dir)
	}
	r.Means = told.Means(model.Claim(r.Claim))
}

func (r *Report) count(l *life) {
	r.Judged += int64(len(l.h.Ops))
	r.Patterns[l.pattern]++
	var ends [linearizability.MaxThreads]int64
	for i := range l.h.Ops {
		o := &l.h.Ops[i]
		r.Outcomes[o.Kind.String()+" = "+o.Outcome.String()]++
		if slices.Max(ends[:]) >= o.Call {
			r.Overlap++
		}
		ends[o.Thread] = max(ends[o.Thread], o.Return)
	}
}

// save writes the history that proves a violation, and its drawing.
func (r *Report) save(h *linearizability.History, dir string) {
	fail := func(err error) { r.Message += fmt.Sprintf(" (not saved: %v)", err) }
	if dir == "" {
		made, err := os.MkdirTemp("", "court-")
		if err != nil {
			fail(err)
			return
		}
		dir = made
	} else if err := os.MkdirAll(dir, 0o755); err != nil {
		fail(err)
		return
	}
	name := filepath.Join(dir, "court-"+strings.ToLower(r.Claim))
	if err := linearizability.WriteFile(name+".jsonl", h); err != nil {
		fail(err)
		return
	}
	r.History = name + ".jsonl"
	if drawn, err := linearizability.DrawFile(name+".html", h); err != nil {
		fail(err)
	} else if drawn {
		r.Drawing = name + ".html"
	}
}

// saidMost is how many lines String gives of what a program said.
const saidMost = 30

// of returns how many operations of a kind had an answer.
func (r *Report) of(k model.Kind, out model.Outcome) int64 {
	return r.Outcomes[k.String()+" = "+out.String()]
}

// String is the report as text, of several lines, with the verdict last.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d operations in %d lives in %.1f s, %d of them while another was under way; %d threads, seed %d\n",
		r.Judged, r.Lives, r.Took.Seconds(), r.Overlap, r.Threads, r.Seed)
	for _, k := range slices.Sorted(maps.Keys(r.Outcomes)) {
		fmt.Fprintf(&b, "%12d %s\n", r.Outcomes[k], r.words.Text(k))
	}
	fmt.Fprintf(&b, "lives by load %v, by processors %v\n", r.Patterns, r.Procs)
	if r.Verdict == Violation {
		fmt.Fprintf(&b, "%s violated: %s\n", r.Claim, r.Message)
		if r.Means != "" {
			fmt.Fprintf(&b, "%s: %s\n", r.Claim, r.Means)
		}
	}
	for _, o := range r.Operations {
		fmt.Fprintf(&b, "    %s\n", o)
	}
	if lines := strings.Split(strings.TrimSpace(r.Said), "\n"); r.Said != "" {
		fmt.Fprintf(&b, "%s\n", strings.Join(lines[:min(len(lines), saidMost)], "\n"))
	}
	if r.History != "" {
		fmt.Fprintf(&b, "judge it again: go run github.com/filch-sched/filch/linearizability/audit -check %s\n", r.History)
	}
	if r.Drawing != "" {
		fmt.Fprintf(&b, "drawn by porcupine: %s\n", r.Drawing)
	}
	switch r.Verdict {
	case Violation:
		fmt.Fprintf(&b, "verdict: violation %s", r.Claim)
	case Inconclusive:
		fmt.Fprintf(&b, "verdict: inconclusive %s", r.Message)
	default:
		b.WriteString("verdict: clean")
	}
	return b.String()
}
