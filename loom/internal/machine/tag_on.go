//go:build loom

package machine

// tagged reports whether the program was built with the tag loom.
const tagged = true
