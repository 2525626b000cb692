// Shards adds up what the processes of a shared exploration have reported.
//
//	go run ./ci/shards FILE...
//
// The files are those that LOOM_REPORT named in processes with LOOM_SHARD=1/n to
// n/n, one or more lines of JSON each. Shards prints a line for every exploration,
// and exits with status 1 if of one a share is missing, comes twice, was not
// searched to its end, or found something; with 2 if a file cannot be read.
//
// ci/loom-matrix.yml shows a workflow that does this.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// line is what one process says of one exploration.
type line struct {
	Package, Test string
	Shard, Shards int
	Report        struct {
		Executions, Traces, Deadlocks, Races, Failures, Elsewhere int
		Exhausted                                                 bool
		Stopped                                                   string
	}
	Violation *struct{ Claim, Command string }
	Error     string
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./ci/shards FILE...")
		os.Exit(2)
	}
	var lines []line
	for _, name := range os.Args[1:] {
		f, err := os.Open(name)
		if err == nil {
			lines, err = read(f, lines)
			_ = f.Close()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "shards: %s: %v\n", name, err)
			os.Exit(2)
		}
	}
	if !sum(os.Stdout, lines) {
		os.Exit(1)
	}
}

// read appends the lines of r.
func read(r io.Reader, lines []line) ([]line, error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<26)
	for at := 1; s.Scan(); at++ {
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return lines, fmt.Errorf("line %d is no report: %w: %.100q", at, err, s.Text())
		}
		lines = append(lines, l)
	}
	return lines, s.Err()
}

// sum prints what each exploration comes to, and reports whether all is well.
func sum(w io.Writer, lines []line) bool {
	by := map[string][]line{}
	var names []string
	for _, l := range lines {
		name := l.Package + " " + l.Test
		if by[name] == nil {
			names = append(names, name)
		}
		by[name] = append(by[name], l)
	}
	slices.Sort(names)
	bad := 0
	for _, name := range names {
		traces, executions, elsewhere := 0, 0, 0
		for _, l := range by[name] {
			traces += l.Report.Traces
			executions += l.Report.Executions
			elsewhere += l.Report.Elsewhere
		}
		wrong := faults(by[name])
		verdict := "exhausted"
		if len(wrong) > 0 {
			verdict = strings.Join(wrong, "; ")
			bad++
		}
		fmt.Fprintf(w, "%s: %d traces in %d executions, %d of them of other shares: %s\n", name, traces, executions, elsewhere, verdict)
	}
	if len(names) == 0 {
		fmt.Fprintln(w, "shards: FAILED, no exploration is reported")
		return false
	}
	if bad > 0 {
		fmt.Fprintf(w, "shards: FAILED, %d of %d explorations\n", bad, len(names))
		return false
	}
	fmt.Fprintf(w, "shards: ok, %d explorations\n", len(names))
	return true
}

// faults says why the shares of an exploration do not make up a whole without
// violations.
func faults(shares []line) (out []string) {
	n := max(shares[0].Shards, 1)
	seen := map[int]int{}
	for _, l := range shares {
		of := fmt.Sprintf("share %d of %d", l.Shard, l.Shards)
		switch {
		case max(l.Shards, 1) != n:
			out = append(out, fmt.Sprintf("%s beside one of %d", of, n))
			continue
		case l.Violation != nil:
			out = append(out, fmt.Sprintf("%s: %s violated, replay: %s", of, l.Violation.Claim, l.Violation.Command))
		case l.Error != "":
			out = append(out, of+": "+l.Error)
		case !l.Report.Exhausted:
			out = append(out, of+" is not exhausted")
		}
		seen[max(l.Shard, 1)]++
	}
	for i := 1; i <= n; i++ {
		switch {
		case seen[i] == 0:
			out = append(out, fmt.Sprintf("share %d of %d is missing", i, n))
		case seen[i] > 1:
			out = append(out, fmt.Sprintf("share %d of %d comes %d times", i, n, seen[i]))
		}
	}
	return out
}
