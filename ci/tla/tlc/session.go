package tlc

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/bond"
)

// Verdict is what came of one model.
type Verdict struct {
	Model      tla.Model
	Output     Output
	CPU        time.Duration
	Complaints []string // empty if the model did what the manifest says

	Graph *bond.Graph // of a model with a bond
	Note  string      // what else there is to say, in one line
}

// Session runs models and prints a table, a line for each model that ends.
type Session struct {
	TLC    TLC
	Jobs   int  // how many models run at once
	Counts bool // whether counts are judged as well
	Out    io.Writer
}

// Run runs the models, those that take long first, and returns a verdict for
// each.
func (s Session) Run(ctx context.Context, models []tla.Model) []Verdict {
	order := slices.Clone(models)
	slices.SortStableFunc(order, func(a, b tla.Model) int { return b.Seconds - a.Seconds })
	queue := make(chan tla.Model, len(order))
	for _, m := range order {
		queue <- m
	}
	close(queue)
	done := make(chan Verdict)
	var workers sync.WaitGroup
	for range min(s.Jobs, len(order)) {
		workers.Go(func() {
			for m := range queue {
				done <- s.judge(ctx, m)
			}
		})
	}
	go func() {
		workers.Wait()
		close(done)
	}()
	fmt.Fprintf(s.Out, "%-18s %-38s %10s %6s %8s\n", "model", "result", "distinct", "depth", "CPU s")
	var verdicts []Verdict
	for v := range done {
		verdicts = append(verdicts, v)
		v.print(s.Out)
	}
	return verdicts
}

func (s Session) judge(ctx context.Context, m tla.Model) Verdict {
	v := Verdict{Model: m}
	out, cpu, err := s.TLC.Run(ctx, m)
	v.Output, v.CPU = out, cpu
	if err != nil {
		v.Complaints = []string{err.Error()}
		return v
	}
	v.Complaints = JudgeEnd(m, out, s.TLC.Specs)
	if len(v.Complaints) == 0 && m.Bond != "" {
		v.Graph, v.Note, v.Complaints = JudgeGraph(m, out, s.TLC.Specs, s.Counts)
		v.Output.Printed = ""
	}
	if len(v.Complaints) == 0 && s.Counts {
		v.Complaints = JudgeCounts(m, out)
	}
	return v
}

// print writes the model's line of the table, and below it what is wrong.
func (v Verdict) print(w io.Writer) {
	result := end(v.Model.Result, v.Model.Violates)
	if len(v.Complaints) > 0 {
		result = "FAILED"
	}
	fmt.Fprintf(w, "%-18s %-38s %10d %6d %8.1f\n",
		v.Model.Name, result, v.Output.Distinct, v.Output.Depth, v.CPU.Seconds())
	if v.Note != "" {
		fmt.Fprintf(w, "    %s\n", v.Note)
	}
	if len(v.Complaints) == 0 {
		return
	}
	for _, c := range v.Complaints {
		fmt.Fprintf(w, "    %s\n", indent(c))
	}
	if v.Output.Message != "" {
		fmt.Fprintf(w, "    TLC: %s\n", indent(v.Output.Message))
	}
	if n := len(v.Output.Path); n > 0 && v.Output.Result != v.Model.Result {
		for _, step := range v.Output.Path {
			name, _, _ := strings.Cut(step, "\n")
			fmt.Fprintf(w, "    %s\n", name)
		}
		fmt.Fprintf(w, "    the last state:\n    %s\n", indent(v.Output.Path[n-1]))
	}
}

func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n    ") }
