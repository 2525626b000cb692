// Command mutants plants known bugs in production code, one at a time and never
// in the tree itself, and checks that the layers of checking catch them.
//
//	go run ./ci/mutants                        every mutant, every layer that it names
//	go run ./ci/mutants -run '^ring-' -layer loom
//	go run ./ci/mutants -patch FILE            a unified diff of your own, every layer
//
// It prints a line for each mutant and layer: what killed it and in how many
// seconds. A kill counts only if the failure names a claim that the mutant says
// it violates; a changed count, a golden file, disassembly or a compiler's error
// is no kill. The exit status is 0 if every mutant was killed by every layer
// that it names, a patch by any layer; 1 if one survived; 2 for a wrong call.
//
// The files of the mutants are beside this one; package plant has their format.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/filch-sched/filch/model"
)

// root is the directory of the module, where this command has to be run.
const root = "."

type settings struct {
	run     *regexp.Regexp
	layer   string
	patch   string
	sample  int
	seed    string
	verbose bool
}

func main() {
	s, err := parse(os.Args[1:])
	if err == nil {
		var killed bool
		if killed, err = s.execute(); err == nil && !killed {
			os.Exit(1)
		}
	}
	if err != nil && err != flag.ErrHelp {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

func parse(args []string) (settings, error) {
	var s settings
	set := flag.NewFlagSet("mutants", flag.ContinueOnError)
	run := set.String("run", "", "only the mutants whose name matches this `regexp`")
	set.StringVar(&s.layer, "layer", "", "only this `layer`")
	set.StringVar(&s.patch, "patch", "", "plant this unified diff `file` in place of the mutants")
	set.IntVar(&s.sample, "sample", 0, "only this many mutants, chosen by -seed; 0 is all")
	set.StringVar(&s.seed, "seed", "", "any `string`; another one makes another sample")
	set.BoolVar(&s.verbose, "v", false, "say of a survivor what the layer saw")
	if err := set.Parse(args); err != nil {
		return s, err
	}
	if set.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	if s.layer != "" && layers[s.layer] == nil {
		return s, fmt.Errorf("-layer %q: there are %v", s.layer, runnable())
	}
	if s.sample < 0 {
		return s, fmt.Errorf("-sample %d, want a number of mutants, or 0 for all", s.sample)
	}
	if s.patch != "" && (*run != "" || s.sample != 0) {
		return s, fmt.Errorf("-patch takes the place of the mutants: no -run, no -sample")
	}
	var err error
	s.run, err = regexp.Compile(*run)
	return s, err
}

// runnable lists the layers that this command can run, from cheap to dear.
func runnable() []string {
	return slices.DeleteFunc(slices.Clone(plant.Layers), func(l string) bool { return layers[l] == nil })
}

// execute runs everything and reports whether all were killed.
func (s settings) execute() (killed bool, err error) {
	if _, err := os.Stat(filepath.Join(root, "ci", "mutants")); err != nil {
		return false, fmt.Errorf("run it in the root of the module: %w", err)
	}
	tmp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(tmp)
	jobs, err := s.jobs(tmp)
	if err != nil {
		return false, err
	}
	if len(jobs) == 0 {
		return false, s.nothing()
	}
	t := newTable(jobs, s.verbose)
	runAll(jobs, t.add)
	return t.finish(s.patch != ""), nil
}

// nothing says that there is nothing to run, and what there would be.
func (s settings) nothing() error {
	mutants, err := plant.Load(filepath.Join(root, "ci", "mutants"))
	if err != nil {
		return err
	}
	var names []string
	for _, m := range mutants {
		if s.layer == "" || slices.ContainsFunc(m.Kills, func(k plant.Kill) bool { return k.Layer == s.layer }) {
			names = append(names, m.Name)
		}
	}
	of := "there are"
	if s.layer != "" {
		of = "of -layer " + s.layer + " there are"
	}
	return fmt.Errorf("no mutant matches -run %q and the other flags; %s %s", s.run, of, strings.Join(names, ", "))
}

// jobs returns what there is to run, with the overlays written below tmp.
func (s settings) jobs(tmp string) ([]job, error) {
	if s.patch != "" {
		return s.patchJobs(tmp)
	}
	mutants, err := plant.Load(filepath.Join(root, "ci", "mutants"))
	if err != nil {
		return nil, err
	}
	mutants = slices.DeleteFunc(mutants, func(m plant.Mutant) bool { return !s.run.MatchString(m.Name) })
	var jobs []job
	for _, m := range pick(mutants, s.sample, s.seed) {
		overlay, err := m.Overlay(root, tmp)
		if err != nil {
			return nil, err
		}
		for _, k := range m.Kills {
			if s.layer != "" && s.layer != k.Layer {
				continue
			}
			if layers[k.Layer] == nil {
				return nil, fmt.Errorf("%s: this command cannot run layer %q", m.Name, k.Layer)
			}
			jobs = append(jobs, job{
				mutant: m.Name, files: []string{m.File}, claims: m.Claims, overlay: overlay,
				layer: k.Layer, scenarios: k.Scenarios, violated: k.Claims,
			})
		}
	}
	return jobs, nil
}

// pick returns n of the mutants, which seed decides, or all if n is 0.
func pick(mutants []plant.Mutant, n int, seed string) []plant.Mutant {
	if n <= 0 || n >= len(mutants) {
		return mutants
	}
	rank := func(m plant.Mutant) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %s", seed, m.Name)
		return h.Sum64()
	}
	picked := slices.Clone(mutants)
	slices.SortFunc(picked, func(a, b plant.Mutant) int { return cmp.Compare(rank(a), rank(b)) })
	picked = picked[:n]
	slices.SortFunc(picked, func(a, b plant.Mutant) int { return cmp.Compare(a.Name, b.Name) })
	return picked
}

// patchJobs is jobs for a diff: every layer, and any claim counts.
func (s settings) patchJobs(tmp string) ([]job, error) {
	diff, err := os.ReadFile(s.patch)
	if err != nil {
		return nil, err
	}
	p, err := plant.NewFromDiff("patch", string(diff))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", s.patch, err)
	}
	overlay, err := p.Overlay(root, tmp)
	if err != nil {
		return nil, err
	}
	var claims []string
	for _, c := range model.Claims() {
		claims = append(claims, string(c))
	}
	var jobs []job
	for _, l := range runnable() {
		if s.layer == "" || s.layer == l {
			jobs = append(jobs, job{mutant: filepath.Base(s.patch), files: p.Files(), claims: claims, overlay: overlay, layer: l})
		}
	}
	return jobs, nil
}

// parallel is how many jobs run at once. Each is a go command that uses several
// cores by itself; two keep a small machine busy while one of them links.
const parallel = 2

// runAll runs the jobs and tells each result, one at a time.
func runAll(jobs []job, tell func(job, verdict, time.Duration)) {
	queue := make(chan job)
	var mu sync.Mutex
	var wg sync.WaitGroup
	built := map[string]func() error{} // by overlay: whether it is Go at all
	for _, j := range jobs {
		if built[j.overlay] == nil {
			built[j.overlay] = sync.OnceValue(func() error { return compiles(context.Background(), j.overlay) })
		}
	}
	for range parallel {
		wg.Go(func() {
			for j := range queue {
				start := time.Now()
				v := verdict{}
				if err := built[j.overlay](); err != nil {
					v.err = err.Error()
				} else {
					v = runOne(j)
				}
				mu.Lock()
				tell(j, v, time.Since(start))
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	wg.Wait()
}

func runOne(j job) verdict {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	tmp, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return verdict{err: err.Error()}
	}
	defer os.RemoveAll(tmp)
	j.tmp = tmp
	return layers[j.layer](ctx, j)
}
