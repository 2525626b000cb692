// Package gid tells goroutines apart.
package gid

// Get returns a number that no other living goroutine has, or 0 on an
// architecture without support (see Known). It is the address of the
// runtime's descriptor of the calling goroutine: constant while the goroutine
// lives, reused after its end. It costs about a nanosecond.
func Get() uintptr { return get() }
