// Package fuzz makes programs that nobody thought of, and runs them. A
// [Program] is a scenario of package model together with one order of its
// operations; rapid draws programs, and every string of bytes is one, which is
// what go test -fuzz mutates.
//
// # Running
//
//	go test ./fuzz                                             property tests and the committed corpus
//	go test -tags loom ./fuzz                                  the same, small programs in every interleaving
//	go test -run '^$' -fuzz '^FuzzScenario$' -fuzztime 60s ./fuzz
//	go test -run '^$' -fuzz '^FuzzParse$' -fuzztime 60s ./fuzz
//
// Each program runs twice: one operation at a time, in its order, where every
// answer is held against the law at once ([InOrder]); and with its threads at
// the same time, where the history is ([Concurrently]). A failure names the
// violated claims, prints the program as a scenario and ends with a command
// that runs it again:
//
//	FUZZ_REPLAY=TOKEN go test -count=1 -run '^TestReplay$' ./fuzz
//
// FUZZ_REPLAY may also be the path of a scenario file, whose threads then take
// turns. Property tests log their seed, for -rapid.seed.
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
//	target           ring, inject, park
//	ring only        capacity, start index
//	threads          how many; whether anything may be closed
//	setup            how many operations; for each the thread and the operation
//	each thread      how many operations; each operation
//	order            whose turn it is, while more than one thread could go on
//
// and of an operation its kind, and then its victim or parker, its number of
// tasks, or its maximum. Tasks are numbered in the order in which they come.
//
// # Programs that end
//
// Only a Park waits. A Park that some order of the program leaves waiting for
// ever becomes a timed one, so that every decoded program comes to its end
// whatever the scheduler does, and one that does not is a lost token. A program
// writes to the shared variable at most once, since two writes could race by
// the program's own fault.
//
// # What this can miss
//
// A run in order cannot see a bug between two steps of one operation, and a
// few runs on goroutines see one by luck only. Both kinds are cheap enough to
// be run by the million. What is between the steps is what the tag loom is for:
// there the small programs are explored to the end.
package fuzz
