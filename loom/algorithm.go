package loom

// Algorithm chooses the search: "optimal", if the option is not given, runs one
// execution for each trace; "sleep" is slower, simpler and the reference that
// the other is tested against. "random", "pct" and "urw" do not search, they draw
// executions, for bodies with too many traces to see them all: such a run is never
// Report.Exhausted, and [Runs], [Seed] and [Depth] say more about it. "random"
// draws each step among the threads that can take one; "pct" runs threads by
// priorities and changes these at a few moments (Burckhardt et al., ASPLOS 2010),
// which finds bugs that need few changes in a certain order; "urw" draws
// interleavings about uniformly, by the number of steps that each thread is
// expected to have before it.
//
// The environment variable LOOM_ALGO does the same from outside, for explorations
// that do not have this option. A name that is none is an error of Check and
// Explore.
func Algorithm(name string) Option { return func(c *config) { c.algorithm = name } }
