package loom

import (
	"fmt"
	"io"
)

// DefaultRuns is how many executions a sampler draws if neither [Runs] nor
// [Deadline] says otherwise.
const DefaultRuns = 10_000

// Runs sets how many executions a sampler draws: the algorithms "random", "pct"
// and "urw", see [Algorithm]. With [Deadline] as well, whatever comes first ends
// the run. LOOM_RUNS does the same from outside, for explorations without this
// option.
func Runs(n int) Option {
	if n <= 0 {
		panic(fmt.Sprintf("loom: Runs(%d) is not positive", n))
	}
	return func(c *config) { c.runs = n }
}

// Seed sets what a sampler draws from. Without it, and without LOOM_SEED, a seed
// is drawn, too: the report has it. The same seed gives the same executions.
func Seed(n uint64) Option { return func(c *config) { c.seed, c.seeded = n, true } }

// Depth sets the depth of the sampler "pct", 3 if the option is not given: one
// more than the number of times that an execution takes the turn away from a
// thread that would go on. A bug that shows whenever d steps of an execution come
// in a certain order is found with a probability of at least 1/(n*k^(d-1)) in
// every run, if d is the depth, n the number of threads and k that of steps.
// LOOM_DEPTH does the same from outside, for explorations without this option.
func Depth(d int) Option {
	if d <= 0 {
		panic(fmt.Sprintf("loom: Depth(%d) is not positive", d))
	}
	return func(c *config) { c.depth = d }
}

// Record has a sampler write what each execution does to w, in the order of the steps,
// as lines like those of LOOM_MODE=record. The number of the execution, from 1, stands
// for the process, and that of the thread, the body being 0, for the goroutine. Cells
// are numbered apart from other objects: two objects of equal number are one if their
// kinds are equal. It makes executions several times slower. A search ignores it.
func Record(w io.Writer) Option { return func(c *config) { c.record = w } }
