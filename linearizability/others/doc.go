// Package others audits queues and pools that other people have published, with
// adapters of a few lines each, and says what was found. It is a module of its
// own, so that filch depends on none of them.
//
//	cd linearizability/others && go test -v ./...
//
// What each promises is taken from its own documentation, and no more is asked of
// it.
package others
