// Command table closes the graphs of package closed and prints them as a table, in the
// form of GRAPHS.md there, with the time that each takes here. It needs the build tag
// loom:
//
//	go run -tags loom ./model/target/closed/table            those of every test run
//	go run -tags loom ./model/target/closed/table -when nightly -run '^ring'
//
// The exit status is 1 if one does not close, violates a claim or has other counts than
// are known of it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

func main() {
	word := flag.String("when", "always", "the graphs of which runs: always, quick or nightly; each has those before it")
	run := flag.String("run", "", "only those whose name matches this `regexp`")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "on how many processors")
	flag.Parse()
	when, err := closed.ParseWhen(*word)
	names, bad := regexp.Compile(*run)
	if err == nil {
		err = bad
	}
	switch {
	case err != nil:
	case flag.NArg() > 0:
		err = fmt.Errorf("%q is not a flag", flag.Arg(0))
	case *workers < 1:
		err = fmt.Errorf("-workers %d, want 1 or more", *workers)
	}
	var graphs []closed.Closed
	if err == nil {
		graphs, err = chosen(when, names)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(2)
	}
	fmt.Print(closed.Head)
	status := 0
	for _, c := range graphs {
		row, err := measure(c, *workers)
		fmt.Println(row)
		if err != nil {
			fmt.Fprintln(os.Stderr, "table:", c.Name()+":", err)
			status = 1
		}
	}
	os.Exit(status)
}

// chosen are the graphs of a run whose name matches. That there is none is an error,
// which names those that there are.
func chosen(when closed.When, names *regexp.Regexp) (graphs []closed.Closed, err error) {
	var all []string
	for _, c := range closed.Graphs() {
		if c.When > when {
			continue
		}
		all = append(all, c.Name())
		if names.MatchString(c.Name()) {
			graphs = append(graphs, c)
		}
	}
	if len(graphs) == 0 {
		return nil, fmt.Errorf("no graph of -when %v matches -run %q; there are %s", when, names, strings.Join(all, ", "))
	}
	return graphs, nil
}

// measure closes a graph and returns its row.
func measure(c closed.Closed, workers int) (row string, err error) {
	begin := time.Now()
	r, err := loom.Graph(c.Body, append([]loom.Option{loom.Workers(workers)}, c.Options...)...)
	took := time.Since(begin)
	found := c
	found.States, found.Edges, found.Depth = r.States, r.Edges, r.MaxDepth
	if err == nil && !r.Exhausted {
		err = fmt.Errorf("not closed: %v", r)
	}
	if differs := c.Differs(r.States, r.Edges, r.MaxDepth); err == nil && differs != "" {
		err = errors.New(differs)
	}
	return found.Row(took.Round(100 * time.Millisecond).String()), err
}
