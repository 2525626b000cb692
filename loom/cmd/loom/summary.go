package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom/cmd/loom/hook"
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
	for _, t := range j.tests {
		if t.Why != "" {
			at, because := j.program.Fset.Position(t.Pos), j.program.Fset.Position(t.Because)
			fmt.Fprintf(j.stderr, "loom: NOT EXPLORED, run once as usual: %s (%s:%d): %s at %s:%d:%d\n", t.Name,
				j.relative(at.Filename), at.Line, t.Why, j.relative(because.Filename), because.Line, because.Column)
		}
	}
	fmt.Fprintf(j.stderr, "loom: %d of %d tests are to be explored\n", explored, len(j.tests))
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

var errNothing = errors.New("loom: NOTHING WAS EXPLORED: no test starts a goroutine that loom can follow; -explore names tests")

// summary prints what became of the explorations. It is an error if there was
// none.
func (j *job) summary(file string) error {
	results, err := readResults(file)
	if err != nil {
		return err
	}
	explored := 0
	for _, r := range results {
		fmt.Fprintf(j.stderr, "loom: %s\n", line(r))
		if r.Status == hook.Exhausted || r.Status == hook.Bounded || r.Status == hook.Violated {
			explored++
		}
	}
	if explored == 0 && !j.compile {
		return errNothing
	}
	return nil
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

// line puts a result into a line.
func line(r hook.Result) string {
	who := r.Test
	if r.Package != "." {
		who += " (" + r.Package + ")"
	}
	counts := fmt.Sprintf("%d traces, %d threads, %v", r.Traces, r.Threads, r.Elapsed.Round(time.Millisecond))
	if r.Skipped > 0 {
		counts += fmt.Sprintf(", the test skipped itself in %d executions", r.Skipped)
	}
	switch r.Status {
	case hook.Exhausted:
		return "exhausted " + who + ": " + counts
	case hook.Bounded:
		return "NOT EXHAUSTED " + who + ": " + counts + " (-for 0 explores to the end)"
	case hook.Violated:
		return "VIOLATED " + who + ": " + firstLine(r.Message)
	case hook.Refused:
		return "NOT EXPLORED, run once as usual: " + who + ": " + firstLine(r.Message)
	}
	return string(r.Status) + " " + who
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
