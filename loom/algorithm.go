package loom

// Algorithm chooses the search: "optimal", if the option is not given, runs one
// execution for each trace; "sleep" is slower, simpler and the reference that
// the other is tested against. The environment variable LOOM_ALGO does the same
// from outside, for explorations that do not have this option. A name that is
// none is an error of Check and Explore.
func Algorithm(name string) Option { return func(c *config) { c.algorithm = name } }
