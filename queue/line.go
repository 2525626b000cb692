//go:build !loom

package queue

// lineSize keeps two hot words off one cache line, and off a pair of lines that
// a prefetcher treats as one.
const lineSize = 128
