// Command versus explores the same programs with filch's loom and with Rust's
// loom (github.com/tokio-rs/loom) and compares how many executions a second each
// makes, how long it takes to the end, and what the program turned out to do.
//
//	go run -tags loom ./versus
//	go run -tags loom ./versus -finish 5m
//	go run -tags loom ./versus -run 'SB|ring' -rounds 11
//
// It builds the Rust side, ../loom-rs, with cargo and the flags that loom's
// documentation gives its users, RUSTFLAGS="--cfg loom" and --release, into the
// user's cache directory. Each side then explores each program in a process of
// its own with one processor, side after side, in several rounds that take
// turns who begins. A ratio is taken within a round, so that what disturbs the
// machine for a while disturbs both; the table has medians.
//
// A search that ends before its time is up begins anew. One that the time ends
// is shown with the executions it had made, and its ratio of seconds is a lower
// bound. The programs that are to be finished get -finish for a last search by
// Rust's loom, unless a round has been enough.
//
// The exit status is 1 if a bar is missed: 10 times the executions a second on
// every program, 100 times less time to finish where that is asked for, and all
// programs finished by filch. Where filch is done after fewer than 100 executions
// a second of them is mostly the beginnings and ends of searches, and the bar is
// 10 times less time, unless Rust's loom finishes without all outcomes. It is 2
// for wrong usage.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom"
)

const (
	rateFactor   = 10
	finishFactor = 100
	enough       = 100 // executions of a search
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each side explores each program")
	slice := flag.Duration("slice", time.Second, "how long each time")
	finish := flag.Duration("finish", time.Minute, "how long Rust's loom may take to finish where that is asked for")
	run := flag.String("run", "", "only the programs whose name matches this `regexp`")
	child := flag.String("child", "", "explore this `program` for -slice and print JSON; used by the command itself")
	flag.Parse()
	re, err := regexp.Compile(*run)
	if err != nil || *rounds < 1 || *slice <= 0 || *finish <= 0 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if !loom.Enabled {
		fmt.Fprintln(os.Stderr, "versus: built without the tag loom it explores nothing: go run -tags loom ./versus")
		os.Exit(2)
	}
	if *child != "" {
		p, ok := find(*child)
		if !ok {
			fmt.Fprintf(os.Stderr, "versus: %q is no program\n", *child)
			os.Exit(2)
		}
		must(json.NewEncoder(os.Stdout).Encode(explore(p, *slice)))
		return
	}
	var list []program
	var names []string
	for _, p := range programs() {
		names = append(names, p.name)
		if re.MatchString(p.name) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		fmt.Fprintf(os.Stderr, "versus: no program matches %q; there are %s\n", *run, strings.Join(names, ", "))
		os.Exit(2)
	}
	b, err := newBench()
	if err != nil {
		fmt.Fprintf(os.Stderr, "versus: FAILED, %v\n", err)
		os.Exit(1)
	}
	rows := b.measure(list, *rounds, *slice, *finish)
	os.Exit(report(os.Stdout, b, rows))
}
