// Package fuzz makes programs that nobody thought of, and runs them: on filch's own
// packages, and on other people's queues, deques, parkers and pools. A [Program] is
// a scenario of package model together with one order of its operations; rapid draws
// programs, and every string of bytes is one, which is what go test -fuzz mutates.
//
// # Your own code
//
// [Queue], [Deque], [Parker] and [Pool] make a fuzz target of an adapter of a few
// lines: the programs, the orders of their steps, the law, the shrinking and the file
// of what fails. A failure names the claim that is broken, and says what of the adapter to
// see to if the code is right all the same. An adapter of which some operation never comes
// to anything, in all inputs that a target begins with, fails, too. Command fuzz/all runs every target of a module for its share of the
// time; ci/fuzz-workflow.yml is a workflow to copy that calls it.
//
// # Running
//
//	go test ./fuzz                                             property tests and the committed corpus
//	go test -tags loom ./fuzz                                  the same, small programs in every interleaving
//	go run ./fuzz/all -total 10m -tags loom ./...              every target, one after the other
//	go test -run '^$' -fuzz '^FuzzRing$' -tags loom ./fuzz     one of them
//
// FuzzRing, FuzzInject, FuzzPark, FuzzSleepers, FuzzIdle and FuzzSched run programs
// on one of filch's packages each, FuzzScenario larger ones on any. FuzzTracker,
// FuzzLife and FuzzOptions are property tests with the fuzzer's choices, FuzzParse the
// text of scenarios. ci/ossfuzz builds them for the engines that speak libFuzzer.
//
// Each program runs twice: one operation at a time, in its order, where every
// answer is held against the law at once ([InOrder]); and with its threads at
// the same time, where the history is ([Concurrently]). Under the tag loom an input
// has a second part, which decides the order of steps ([loom.Bytes]): the fuzzer
// changes it as it changes the program, and is told when steps meet in a new way. And
// each program is run by some orders more, which are drawn, the same for the same
// program. A failure names the violated claims, prints the program as a scenario and
// ends with a command that runs it again:
//
//	FUZZ_REPLAY=TOKEN go test -count=1 -run '^TestReplay$' ./fuzz
//
// FUZZ_REPLAY may also be the path of a scenario file, with its order and schedule in
// comments at its top. While go test -fuzz runs, what fails is shrunk, to few
// operations and few switches of threads, and saved so in testdata/found ([FoundDir]),
// and go test runs it first from then on. The minimizer of go test itself is off, and
// -fuzzminimizetime does nothing: it takes up each input that reaches something new,
// and would take nearly all of the time. Property tests log their seed, for
// -rapid.seed.
//
// Where threads are goroutines, what fails may fail in some runs only. Then the failure
// says after how many it came back, or that it did not, and how to have it run for
// longer: FUZZ_FOR=2m has each input, and each saved program, run for so long. A program
// that does not come to its end stops the target: it says what stands where, and the
// inputs after it are not run.
//
// # Bytes
//
// One grammar describes what a program is, choice by choice. It runs over
// three coders: a reader of bytes ([Decode]), a writer ([Encode]) and rapid
// ([Programs]). So what rapid draws has bytes, what bytes say can be shrunk,
// and a scenario of the corpus becomes an entry of the fuzzing corpus.
//
// A choice among n takes one byte, modulo n; a choice among one takes none; a
// byte that is missing is 0, the simplest choice. The choices are, in order:
//
//	target           ring, inject, park, idle, sched, tracker; unless it is the target's own
//	ring only        capacity, start index
//	idle, sched      how many workers; how many of them are asleep
//	threads          how many; of a tracker, workers and sleepers; whether anything may be closed
//	setup            how many operations; for each the thread and the operation
//	each thread      how many operations; each operation
//	idle, sched      for each task how many it spawns, and which it waits for
//	order            whose turn it is, while more than one thread could go on
//
// and of an operation its kind, and then its victim or parker, its number of
// tasks, or its maximum. Tasks are numbered in the order in which they come.
//
// # Programs that end
//
// A Park waits, and a task of an idle scenario that waits for another, of which
// there are fewer than workers. A Park that some order of the program leaves waiting for
// ever becomes a timed one, so that every decoded program comes to its end
// whatever the scheduler does, and one that does not is a lost token. A program
// writes to the shared variable at most once, since two writes could race by
// the program's own fault.
//
// # What was measured
//
// On two cores that did much else, from nothing but the inputs that a target
// begins with, go test -tags loom -fuzz found each of 27 planted bugs in less than 2
// minutes, most in a few seconds: go run ./ci/mutants -layer fuzz -v, which builds each
// target first. go run ./ci/cover says which statements of production code the tests of
// this package run.
//
// # What this can miss
//
// A run in order cannot see a bug between two steps of one operation, and a
// few runs on goroutines see one by luck only, though the threads are let go at the
// same moment and dawdle differently in each. Both kinds are cheap enough to
// be run by the million. What is between the steps is what the tag loom is for:
// there the small programs are explored to the end.
package fuzz
