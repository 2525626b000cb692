package loom

import "fmt"

// Shard has Check and Explore search only a share of the traces: number i of n,
// from 1. The shares are disjoint, and all n together are the whole, so that n
// processes, on as many machines, can do the work of one; each fails at the first
// violation in its share. LOOM_SHARD=i/n does the same from outside, for
// explorations that do not have this option.
//
// To tell its share apart a process runs traces of others, too
// (Report.Elsewhere). So n processes take more than an n-th of the time each,
// and for a small body Shard is not worth it. It has no effect on samplers, and a
// search bounded by [Preemptions] refuses it.
func Shard(i, n int) Option {
	if n < 1 || i < 1 || i > n {
		panic(fmt.Sprintf("loom: Shard(%d, %d) is not one of 1 to %d", i, n, max(n, 1)))
	}
	return func(c *config) { c.shard = [2]int{i, n} }
}

// Checkpoint has the search saved to a file, relative to the directory in which
// the test runs, every few seconds, and resumed from
// the file if it is there: after a kill, or a deadline, it goes on where it was,
// and its Report is that of an uninterrupted run but for the time. The file of a
// search that has come to its end gives the Report at once, and Report.Checkpoint
// then says so. A file that is not of this exploration, or that another program
// has saved, is an error, for what has been seen of other code says nothing about
// this: delete it to begin anew. Any change of the test binary makes it another
// program, of the source as well as of the Go version, the build flags (-race,
// -cover, -tags) or, without -trimpath, the directory of the module.
//
// LOOM_CHECKPOINT=DIR does the same from outside, for all explorations that do
// not have this option: each has a file of its own in the directory, relative to
// the root of the module, which is made if it is not there. Samplers, which have nothing to resume, save nothing.
func Checkpoint(file string) Option { return func(c *config) { c.checkpoint = file } }
