package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom/cmd/loom/hook"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/look"
)

// watcher hands on what is written and remembers whether it has a word in it.
type watcher struct {
	out    io.Writer
	needle string
	last   []byte
	found  bool
}

func (w *watcher) Write(p []byte) (int, error) {
	w.last = append(w.last, p...)
	w.found = w.found || bytes.Contains(w.last, []byte(w.needle))
	if keep := len(w.needle); len(w.last) > keep {
		w.last = append(w.last[:0], w.last[len(w.last)-keep:]...)
	}
	return w.out.Write(p)
}

// announce prints, before the run, what it is not going to check.
func (j *job) announce() {
	explored := 0
	for _, t := range j.tests {
		if t.Explore {
			explored++
		}
	}
	if len(j.notices) > 0 {
		fmt.Fprintln(j.stderr, "loom: not checked, or not as you may expect:")
		for _, n := range j.notices {
			fmt.Fprintf(j.stderr, "  %s:%d:%d: %s\n", j.relative(n.Pos.Filename), n.Pos.Line, n.Pos.Column, n.What)
		}
	}
	plain := map[string][]string{} // tests that start no goroutine, by package
	unnamed := 0
	for _, t := range j.tests {
		switch {
		case t.Why == look.NoGoroutine:
			plain[t.Package] = append(plain[t.Package], t.Name)
		case t.Why != "":
			at, because := j.program.Fset.Position(t.Pos), j.program.Fset.Position(t.Because)
			fmt.Fprintf(j.stderr, "loom: NOT EXPLORED, run once as usual: %s (%s:%d): %s at %s:%d:%d%s\n", t.Name,
				j.relative(at.Filename), at.Line, t.Why, j.relative(because.Filename), because.Line, because.Column, j.offer(t))
		case !t.Explore:
			unnamed++
		}
	}
	for _, path := range slices.Sorted(maps.Keys(plain)) {
		fmt.Fprintf(j.stderr, "loom: run once as usual, for %s: %s (%s)\n", strings.Replace(look.NoGoroutine, "it starts", "they start", 1), strings.Join(plain[path], ", "), path)
	}
	fmt.Fprintf(j.stderr, "loom: %d of %d tests are to be explored\n", explored, len(j.tests))
	if unnamed > 0 {
		fmt.Fprintf(j.stderr, "loom: run once as usual, since -explore does not name them: %d tests\n", unnamed)
	}
}

// offer says how a test is explored all the same, "" if that is no use.
func (j *job) offer(t *look.Test) string {
	if !t.Try {
		return ""
	}
	return "; -explore " + quoted("^"+t.Name+"$") + " explores it until it comes to such a place"
}

// relative returns a path from the working directory if that is shorter.
func (j *job) relative(path string) string {
	base, err := filepath.Abs(j.dir)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(base, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// summary prints what became of the explorations. It is an error if there was
// none that says something.
func (j *job) summary(file string) error {
	results, err := readResults(file)
	if err != nil {
		return err
	}
	explored, came := 0, map[string]bool{}
	for _, r := range results {
		fmt.Fprintf(j.stderr, "loom: %s\n", line(r))
		switch r.Status {
		case hook.Exhausted, hook.Bounded, hook.Violated, hook.Inputs:
			explored++
		}
		name, _, _ := strings.Cut(r.Test, "/")
		came[name] = true
	}
	planned := 0
	for _, t := range j.tests {
		if !t.Explore {
			continue
		}
		if planned++; !came[t.Name] && !j.compile {
			fmt.Fprintf(j.stderr, "loom: NOT EXPLORED: %s (%s): it did not run, or ended before its exploration did\n", t.Name, t.Package)
		}
	}
	if explored > 0 || j.compile {
		return nil
	}
	return errors.New("loom: NOTHING WAS EXPLORED: " + j.nothing(planned, len(results)))
}

// nothing says why nothing was explored, of the tests that were to be.
func (j *job) nothing(planned, results int) string {
	switch {
	case planned == 0 && j.explore != nil:
		return fmt.Sprintf("no test that can be explored has a name that matches -explore %s", j.explore)
	case planned == 0:
		return "no test starts a goroutine that loom can follow; -explore names tests"
	case results == 0:
		return fmt.Sprintf("none of %d tests came to its exploration", planned)
	}
	return fmt.Sprintf("none of %d explorations says anything, for the reasons above", results)
}

func readResults(file string) ([]hook.Result, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("loom: %w", err)
	}
	var all []hook.Result
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		var r hook.Result
		switch err := dec.Decode(&r); err {
		case nil:
			all = append(all, r)
		case io.EOF:
			return all, nil
		default:
			return nil, fmt.Errorf("loom: the results of the tests: %w", err)
		}
	}
}

// line puts a result into a line, and what more there is to say below it.
func line(r hook.Result) string {
	who := r.Test
	if r.Package != "." {
		who += " (" + r.Package + ")"
	}
	counts := fmt.Sprintf("%d traces, %d threads, %v", r.Traces, r.Threads, r.Elapsed.Round(time.Millisecond))
	if r.Skipped > 0 {
		counts += fmt.Sprintf(", the test skipped itself in %d executions", r.Skipped)
	}
	share := ""
	if r.Shards > 0 {
		share = fmt.Sprintf("share %d of %d of ", r.Shard, r.Shards)
	}
	switch r.Status {
	case hook.Exhausted:
		return "exhausted " + share + who + ": " + counts
	case hook.Bounded:
		if r.Limited {
			return "NOT EXHAUSTED " + share + who + ": " + counts + ": " + r.Extent
		}
		return "NOT EXHAUSTED " + share + who + ": " + counts + " (-for 0 explores to the end)"
	case hook.Violated:
		return "VIOLATED " + who + ": " + firstLine(r.Message)
	case hook.Inputs:
		if r.Executions == 0 {
			return "NOT EXHAUSTED " + who + ": a fuzz target, whose inputs were run in some orders each"
		}
		return fmt.Sprintf("NOT EXHAUSTED %s: a fuzz target, of which %d inputs were run in some orders each", who, r.Executions)
	case hook.Refused, hook.Unchecked:
		text := refusal(r) + ": " + who + ": " + indented(r.Message)
		if strings.Contains(r.Message, "(option MaxSteps)") || strings.Contains(r.Message, "calls of Choose and Yield") {
			text += "\n    LOOM_ALGO=random or urw may run it all the same: sooner or later another thread has its turn"
		}
		return text
	}
	return string(r.Status) + " " + who
}

// refusal says what became of a test whose exploration says nothing.
func refusal(r hook.Result) string {
	what := "NOT EXPLORED"
	switch {
	case r.Replay:
		what = "NOT REPLAYED"
	case r.Status == hook.Unchecked:
		what = "NOT CHECKED"
	}
	if r.Failed {
		return what + ", and failed for that"
	}
	return what + ", run once as usual"
}

// maxLines is how much of a message is shown here. All of it is in the test's log.
const maxLines = 12

// indented returns the first lines of a message, those after the first indented.
func indented(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "...")
	}
	return strings.Join(lines, "\n    ")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
