package fuzz

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
	"github.com/filch-sched/filch/model/words"
)

// Failure is a program that broke a claim.
type Failure struct {
	Program Program
	// How says in which run: in order, or concurrently.
	How string
	// Err says which claims, and by what.
	Err error
	// Endless says that the program did not come to its end: what it left
	// behind may still be busy, and disturbs whatever is run next.
	Endless bool
	// Replay is the command that runs it again, "" if it has to be made of the
	// program.
	Replay string
	// History is what happened in a run in order, if it came to its end.
	History model.History

	// words, if not nil, are those in which it is told.
	words *words.Words
	// hints say what of an adapter is to be seen to.
	hints []string
	// again says what came of running it again, and seldom that it did not fail.
	again  string
	seldom bool
}

// Claims names the claims that are violated.
func (f *Failure) Claims() []string {
	var law *model.Violation
	var run *loom.Violation
	switch {
	case errors.As(f.Err, &run):
		return strings.Split(run.Claim, or)
	case errors.As(f.Err, &law) && len(law.Claims) > 0:
		var names []string
		for _, c := range law.Claims {
			names = append(names, string(c))
		}
		return names
	}
	return []string{loom.ClaimFailed}
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// Error returns what is violated, the program, and the command that runs it
// again.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fuzz: run %s: %s", f.How, strings.TrimRight(f.Err.Error(), "\n"))
	for _, c := range f.Claims() {
		if said := f.told().Means(model.Claim(c)); said != "" {
			fmt.Fprintf(&b, "\n%s: %s", c, said)
		}
	}
	for _, hint := range f.hints {
		fmt.Fprintf(&b, "\nhint: %s", hint)
	}
	fmt.Fprintf(&b, "\nprogram:\n\t%s", indented(f.listing()))
	if h := brief(f.History); len(h) > 0 && len(h) <= shown {
		fmt.Fprintf(&b, "\nhistory:\n\t%s", indented(f.told().Text(h.Format(f.Program.Scenario.Names()))))
	}
	if f.again != "" {
		fmt.Fprintf(&b, "\nagain: %s", f.again)
	}
	if again := f.replay(); again != "" {
		fmt.Fprintf(&b, "\nreplay: %s", again)
	}
	return b.String()
}

// told are the words of f, those of the law if there are no others.
func (f *Failure) told() words.Words {
	if f.words == nil {
		return words.Words{}
	}
	return *f.words
}

// listing is the program: a scenario, or in other words what it does.
func (f *Failure) listing() string {
	text := f.Program.String()
	if f.words == nil {
		return text
	}
	var does []string
	for line := range strings.Lines(text) {
		if !f.apart(line) {
			does = append(does, f.words.Text(line))
		}
	}
	return strings.Join(does, "")
}

// apart reports whether a line of the program has no part in what it does to somebody
// else's code, in the run that f is of.
func (f *Failure) apart(line string) bool {
	idle := []string{"target:", "claims:"}
	if f.How == concurrent {
		idle = append(idle, "# "+orderNote)
	}
	if !loom.Enabled {
		idle = append(idle, "# "+scheduleNote)
	}
	return slices.ContainsFunc(idle, func(prefix string) bool { return strings.HasPrefix(line, prefix) })
}

// replay is the command that runs f again, "" if there is none.
func (f *Failure) replay() string {
	token := f.Program.Token()
	if f.Replay != "" || token == "" {
		return f.Replay
	}
	return fmt.Sprintf("FUZZ_REPLAY=%s go test%s -count=1 -run '^TestReplay$' ./fuzz", token, tags())
}

// tags are the arguments of go test for this build.
func tags() string {
	if loom.Enabled {
		return " -tags loom"
	}
	return ""
}

// shown is how many operations a history may have to be printed whole.
const shown = 60

// brief is h without what finds nothing at its end, over and over.
func brief(h model.History) model.History {
	n := len(h)
	for n > 1 && h[n-1].Outcome == model.Empty && h[n-2].Outcome == model.Empty &&
		h[n-1].Kind == h[n-2].Kind && h[n-1].Thread == h[n-2].Thread {
		n--
	}
	return h[:n]
}

func indented(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n\t") }

// InOrder performs the setup and the operations of p one after another, in its
// order, and then takes out what is left. It returns the history, held against
// the law, and an error that is nil or a *[Failure].
//
// A program that makes the code under test wait for ever leaves a goroutine
// behind, and has no history.
func InOrder(p Program) (model.History, error) {
	var h model.History
	s := p.inOrder()
	err := ours(s, func() error {
		run, err := target.Sequential(s)
		h = run
		return err
	})
	if err == nil {
		return h, nil
	}
	p.Schedule = nil // it has no part in this
	f := &Failure{Program: p, How: inOrder, Err: err}
	var v *model.Violation
	if f.Endless = errors.As(err, &v) && len(v.Operations) == 0; !f.Endless {
		f.History = h
	}
	return f.History, f
}

// inOrder is the scenario in which all that p does is setup.
func (p Program) inOrder() model.Scenario {
	s := p.Scenario
	s.Setup = p.Steps()
	if s.Target == model.Ring || s.Target == model.Inject {
		// What is left in the inject queue, however much, leaves it at once.
		s.Setup = append(s.Setup, model.Step{Op: model.Op{Kind: model.InjectPopN, Max: 1 + brought(s)}})
	}
	s.Threads = make([]model.Thread, len(p.Scenario.Threads))
	for i, th := range p.Scenario.Threads {
		s.Threads[i].Name = th.Name
	}
	return s
}

// brought is how many tasks the setup of s brings.
func brought(s model.Scenario) (n int) {
	for _, st := range s.Setup {
		n += len(st.Args)
	}
	return n
}

// Concurrently runs the threads of p at the same time and holds every history
// against the law: under the tag loom in every interleaving or, if that takes
// longer than limit, in as many as there is time for; else on goroutines, as
// often as rounds says. The error is nil or a *[Failure].
func Concurrently(p Program, rounds int, limit time.Duration) (loom.Report, error) {
	return concurrently(p)(nil, loom.Stress(rounds), loom.Deadline(limit))
}

func concurrently(p Program) runner {
	run, deadlock := target.Explorer(p.Scenario), loom.Deadlock(stranded(p.Scenario))
	return func(schedule []byte, opts ...loom.Option) (loom.Report, error) {
		r, err := run(append(opts, deadlock)...)
		if err != nil && strings.Contains(err.Error(), "(option MaxSteps)") {
			// Where every program ends this is as bad as a deadlock.
			err = &model.Violation{Claims: endless(p.Scenario, ""), Message: err.Error()}
		}
		if err != nil {
			return r, &Failure{Program: p.by(schedule, err), How: concurrent, Err: err}
		}
		return r, nil
	}
}

// by is p with the schedule by which err came about, or else the one that was given.
func (p Program) by(schedule []byte, err error) Program {
	p.Schedule = schedule
	var v *loom.Violation
	if errors.As(err, &v) && v.Data != nil {
		p.Schedule = v.Data
	}
	return p
}

// stranded names the claims that a deadlock may break: every program ends.
func stranded(s model.Scenario) string {
	var names []string
	for _, c := range endless(s, "") {
		names = append(names, string(c))
	}
	return strings.Join(names, or)
}

// or stands between claims of which one is violated.
const or = " or "

// How programs are run.
const (
	inOrder    = "in order"
	concurrent = "concurrently"
)
