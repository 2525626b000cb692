//go:build loom

package queue

// DefaultCapacity is the capacity of a worker's ring under the build tag loom:
// small, so that every interleaving can be explored. The code is the same.
const DefaultCapacity = 4

// blockLen is how many tasks one block of an Inject holds: small, so that
// short scenarios cross from block to block.
const blockLen = 2
