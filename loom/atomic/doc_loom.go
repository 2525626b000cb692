//go:build loom

// Package atomic mirrors sync/atomic for package loom. An operation of a thread
// that an exploration runs is one step of that exploration; of any other
// goroutine it is the real operation on the same word.
package atomic
