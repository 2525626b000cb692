//go:build !loom

package loom

// Enabled reports whether the program was built with the tag loom: whether
// Check and Explore explore interleavings or run the body as a stress test.
const Enabled = false
