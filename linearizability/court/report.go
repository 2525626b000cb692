package court

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/linearizability/internal/shell"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// Report is what an audit found.
type Report struct {
	Verdict string
	// Claim and Message say what is violated, or why the audit is inconclusive.
	// Means is what the claim says of such a thing, "" if no more than its name.
	Claim, Message, Means string
	// Hint says what of the adapter to see to if the thing is right all the same, ""
	// if nothing.
	Hint       string
	Operations []string // the offending ones, a line each
	History    string   // the file of the history that proves it
	Drawing    string   // the page of porcupine's drawing of it, of most violations
	Said       string   // panics, and where goroutines stood that did not go on

	Seed     uint64
	Threads  int
	Lives    int
	Judged   int64            // operations
	Overlap  int64            // of these, called while another was under way
	Outcomes map[string]int64 // how often each operation had each answer, and which of them were not judged
	Patterns map[string]int   // how many lives had each pattern of load
	Procs    map[int]int      // how many lives ran on so many processors
	Unjudged int              // lives that could not be judged, as with too many operations at a time
	Took     time.Duration

	words    words.Words
	unjudged error  // why the last of them could not
	judgedAs string // the claim that the judge of histories names, if that is another
}

// settle counts a life and judges it.
func (r *Report) settle(l *life, d driver, dir string) {
	told := d.words()
	r.Lives++
	r.words = told
	r.count(l)
	v, err := r.judge(l)
	switch {
	case v == nil && l.trouble.Stuck:
		v = &linearizability.Violation{Claim: words.Progress, Message: "nothing moved for " + crew.Patience.String() + ", and calls did not return"}
	case err != nil:
		r.Unjudged++
		r.unjudged = err
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
		r.waits(h, w)
		r.Message = told.Text(r.Message)
		r.save(h, dir)
	}
	wrong := "" // the answer that cannot be explained may be right, and another before it not
	if l.wrong.Load() != nil {
		wrong = words.Full // without a capacity
	}
	r.Hint = d.hints().Of(r.Claim, wrong)
	r.Means = told.Means(model.Claim(r.Claim))
}

// waits names by its claim what v is if a queue or a deque has lost nothing, and an
// operation of it does not return.
func (r *Report) waits(h *linearizability.History, v *linearizability.Violation) {
	at, state, hangs := strings.Cut(v.Message, linearizability.Hangs)
	if hangs && (h.Target == model.Inject || h.Target == model.Deque) {
		r.judgedAs, r.Claim = r.Claim, words.Progress
		r.Message = at + " does not return, and nothing moved for " + crew.Patience.String() + ": " + state
	}
}

// judge says what is violated in a life.
func (r *Report) judge(l *life) (*linearizability.Violation, error) {
	wrong := l.wrong.Load()
	switch {
	case l.trouble.Any() && !l.trouble.Stuck:
		return &linearizability.Violation{Claim: words.NoPanic, Message: "a call panicked or ended its goroutine"}, nil
	case wrong != nil:
		return &linearizability.Violation{Claim: model.BusyIsHonest, Message: *wrong}, nil
	}
	return linearizability.Judge(&l.h)
}

func (r *Report) count(l *life) {
	r.Judged += int64(len(l.h.Ops))
	r.Patterns[l.pattern]++
	r.unjudgedAnswers(l)
	var ends [linearizability.MaxThreads]int64
	for i := range l.h.Ops {
		o := &l.h.Ops[i]
		r.Outcomes[answer(o)]++
		if slices.Max(ends[:]) >= o.Call {
			r.Overlap++
		}
		ends[o.Thread] = max(ends[o.Thread], o.Return)
	}
}

// unjudgedAnswers counts those that are in no history.
func (r *Report) unjudgedAnswers(l *life) {
	put, take := model.InjectPush, model.InjectPop
	if l.h.Target == model.Deque {
		put, take = model.DequePush, model.DequeSteal
	}
	if n := l.refused.Load(); n > 0 {
		r.Outcomes[put.String()+" = "+model.NoRoom.String()+", not judged"] += n
	}
	if n := l.missed.Load(); n > 0 {
		r.Outcomes[take.String()+" = "+model.Empty.String()+", not judged"] += n
	}
}

// answer is an operation and how it ended.
func answer(o *model.Operation) string {
	if o.Return == linearizability.Never {
		return o.Kind.String() + ", which did not return"
	}
	return o.Kind.String() + " = " + o.Outcome.String()
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

// again says as what a history is judged again that is not judged as here.
func (r *Report) again() string {
	if r.judgedAs == "" {
		return ""
	}
	return "\n    (which calls an operation that does not return " + r.judgedAs + ")"
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
		if r.Hint != "" {
			fmt.Fprintf(&b, "hint: %s\n", r.Hint)
		}
	}
	for _, o := range r.Operations {
		fmt.Fprintf(&b, "    %s\n", o)
	}
	if r.Said != "" {
		lines := strings.Split(strings.TrimSpace(r.Said), "\n")
		if len(lines) > saidMost {
			lines = append(lines[:saidMost], "...")
		}
		fmt.Fprintf(&b, "%s\n", strings.Join(lines, "\n"))
	}
	if r.History != "" {
		fmt.Fprintf(&b, "judge it again: go run github.com/filch-sched/filch/linearizability/audit -check %s%s\n", shell.Quote(r.History), r.again())
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
