// Package stranger is a module that uses loom as somebody else would: it knows
// nothing of filch but the documentation of package loom.
//
// It has two lock-free stacks of free buffers. Untagged has the ABA bug: it
// compares the head and not what the head stood for. Tagged counts the changes
// of the head, and is right.
//
//	go test ./...                              stress tests; both most likely pass
//	go test -tags loom -run TestTagged ./...   every interleaving: Tagged is right
//	go test -tags loom ./...                   every interleaving: Untagged is not
package stranger
