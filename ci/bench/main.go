// Command bench compares filch with goroutines and with pond v2, and its hot
// paths with the least that they could cost. It is a module of its own, so that
// filch depends on nobody that it is compared with.
//
//	go run .
//	go run . -passes 25 -run ring
//
// Every pass runs each workload once, one after the other, and a ratio is taken
// within a pass: what disturbs the machine for a while disturbs neighbours
// alike. The table gives medians over the passes, with the lowest and highest.
// On a shared machine times of one run say little and those of two runs cannot
// be compared; the ratios can.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"
)

// workload is one way of doing what its group is about.
type workload struct {
	name  string
	short string // of a peer, for the head of its column
	// make prepares a run and returns what runs n operations to their end, and
	// what clears up after it. Only the first is timed.
	make func() (run func(n int), end func())
}

// group is a set of workloads that do the same. The first ones, peers of them,
// are what the others are compared with.
type group struct {
	title     string
	ops       int // a run
	peers     int
	workloads []workload
}

func main() {
	passes := flag.Int("passes", 11, "how often each workload is run")
	run := flag.String("run", "", "only the groups whose title matches this `regexp`")
	flag.Parse()
	re, err := regexp.Compile(*run)
	if err != nil || *passes < 1 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	groups := slices.DeleteFunc(all(), func(g group) bool { return !re.MatchString(g.title) })
	if len(groups) == 0 {
		fmt.Fprintf(os.Stderr, "bench: no group matches %q; there are\n", *run)
		for _, g := range all() {
			fmt.Fprintf(os.Stderr, "\t%s\n", g.title)
		}
		os.Exit(2)
	}
	fmt.Printf("%s %s/%s, GOMAXPROCS %d, %d passes; ns are medians, of a machine that others may use too: look at the ratios\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), *passes)
	results := make([][][]float64, len(groups)) // by group, workload, pass
	for i, g := range groups {
		results[i] = make([][]float64, len(g.workloads))
	}
	for range *passes {
		for i, g := range groups {
			for j, w := range g.workloads {
				results[i][j] = append(results[i][j], measure(w, g.ops))
			}
		}
	}
	for i, g := range groups {
		report(g, results[i])
	}
}

// measure returns the nanoseconds that one of n operations takes.
func measure(w workload, n int) float64 {
	run, end := w.make()
	run(max(n/10, 1)) // warm up
	runtime.GC()      // of what others have left
	start := time.Now()
	run(n)
	took := time.Since(start)
	end()
	return float64(took.Nanoseconds()) / float64(n)
}

// report prints a group: for each workload its times, and how they compare with
// each of the group's peers.
func report(g group, results [][]float64) {
	fmt.Printf("\n%-52s %9s  %17s", g.title, "ns", "lowest-highest")
	for _, peer := range g.workloads[:g.peers] {
		fmt.Printf("  to %-16s", peer.short)
	}
	fmt.Println()
	for j, w := range g.workloads {
		fmt.Printf("  %-50s %9.2f  %8.2f-%8.2f", w.name, median(results[j]), slices.Min(results[j]), slices.Max(results[j]))
		for peer := range g.peers {
			ratios := make([]float64, len(results[j]))
			for pass := range ratios {
				ratios[pass] = results[j][pass] / results[peer][pass]
			}
			fmt.Printf("  %5.2f (%5.2f-%5.2f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
		}
		fmt.Println()
	}
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}
