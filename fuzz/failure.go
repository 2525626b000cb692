package fuzz

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
)

// Failure is a program that broke a claim.
type Failure struct {
	Program Program
	// How says in which run: in order, or concurrently.
	How string
	// Err says which claims, and by what.
	Err error
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// Error returns what is violated, the program, and the command that runs it
// again.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fuzz: run %s: %v\nprogram:\n\t%s", f.How, f.Err,
		strings.ReplaceAll(strings.TrimSpace(f.Program.String()), "\n", "\n\t"))
	if token := f.Program.Token(); token != "" {
		tags := ""
		if loom.Enabled {
			tags = " -tags loom"
		}
		fmt.Fprintf(&b, "\nreplay: FUZZ_REPLAY=%s go test%s -count=1 -run '^TestReplay$' ./fuzz", token, tags)
	}
	return b.String()
}

// stuckAfter is how long a run in order may take before one of its operations
// counts as waiting for ever: thousands of times what the longest needs.
const stuckAfter = 10 * time.Second

// InOrder performs the setup and the operations of p one after another, in its
// order, and then takes out what is left. Every answer is held against the law
// at once. It returns the history, and an error that is nil or a *[Failure].
//
// A program that makes the code under test wait for ever leaves a goroutine
// behind, and has no history.
func InOrder(p Program) (model.History, error) {
	var h model.History
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("fuzz: %s violated: %v", loom.ClaimPanic, r)
			}
		}()
		var err error
		h, err = target.Sequential(p.inOrder())
		done <- err
	}()
	limit := time.NewTimer(stuckAfter)
	defer limit.Stop()
	select {
	case err := <-done:
		return h, p.failure("in order", err)
	case <-limit.C:
		return nil, p.failure("in order", fmt.Errorf("fuzz: %v violated: an operation that need not wait has not returned after %v",
			waiting(p.Scenario), stuckAfter))
	}
}

// waiting is the claim that an operation breaks which waits for ever.
func waiting(s model.Scenario) model.Claim {
	if s.Target == model.Park {
		return model.TokenKept
	}
	return model.NoLostTask
}

// inOrder is the scenario in which all that p does is setup.
func (p Program) inOrder() model.Scenario {
	s := p.Scenario
	s.Setup = p.Steps()
	if s.Target != model.Park {
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
	r, err := target.Explore(p.Scenario, loom.Stress(rounds), loom.Deadline(limit))
	var v *loom.Violation
	if err != nil && !errors.As(err, &v) {
		return r, err
	}
	return r, p.failure("concurrently", err)
}

// failure is nil if err is, and else the Failure of p by err.
func (p Program) failure(how string, err error) error {
	if err == nil {
		return nil
	}
	return &Failure{Program: p, How: how, Err: err}
}
