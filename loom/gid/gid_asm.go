//go:build gc && (amd64 || arm64 || 386)

package gid

// Known reports whether Get tells goroutines apart on this architecture.
const Known = true

// get is in assembly: the runtime keeps its descriptor of the goroutine in a
// register (arm64) or in thread-local storage (amd64, 386).
func get() uintptr
