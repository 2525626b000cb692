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
	if err != nil || flag.NArg() > 0 || *workers < 1 {
		fmt.Fprintln(os.Stderr, "table:", err, flag.Args())
		os.Exit(2)
	}
	fmt.Print(closed.Head)
	status := 0
	for _, c := range closed.Graphs() {
		if c.When > when || !names.MatchString(c.Name()) {
			continue
		}
		row, err := measure(c, *workers)
		fmt.Println(row)
		if err != nil {
			fmt.Fprintln(os.Stderr, "table:", c.Name()+":", err)
			status = 1
		}
	}
	os.Exit(status)
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
