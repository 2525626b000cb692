//go:build !loom

package queue

// DefaultCapacity is the capacity of a worker's ring, in tasks: the same 256 as
// in Tokio and the Go runtime. Under the build tag loom it is 4.
const DefaultCapacity = 256

// blockLen is how many tasks one block of an Inject holds.
const blockLen = 128
