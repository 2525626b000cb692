// Package ci holds the house rules of filch as tests: who may import whom, that
// every claim is named wherever it is claimed, that the exported API is the one
// in api.txt, that production code shares nothing but through the shim, and
// that the shim costs no instruction. Nothing imports this package.
//
// Beside it are run.sh, which runs every check, lift.sh, which copies package
// queue out of filch, the planted bugs with their runner (mutants) and the
// benchmarks (bench, a module of its own).
package ci
