// Package court audits other people's code: a queue, a deque, a pool of goroutines
// or a parker of any package. It needs an adapter of a few lines,
//
//	func TestQueue(t *testing.T) {
//		court.Test(t, court.Queue(func() court.QueueOps {
//			q := theirs.New[int](64)
//			return court.QueueOps{Put: q.TryEnqueue, Take: q.TryDequeue, Capacity: 64}
//		}), court.Options{})
//	}
//
// written in a module of your own, where "go get github.com/filch-sched/filch" and then
// "go mod tidy" fetch what it needs. Many short lives of the thing are driven by several goroutines, in
// patterns of load that differ from life to life, each operation is recorded with
// the moments of its call and return, and each life is judged: could its
// operations have happened, each at one moment of its call, as a queue would do
// them one after the other? A violation is shrunk to the few operations that prove
// it and saved as a history file, which the command audit judges again.
//
// Reports are in words of the thing's own kind, such as put and take of values; in
// the saved history these are push and pop of tasks. [call, return] are moments, and
// t1 is a thread.
//
// What is violated is a claim of package model; Progress, for an operation of a queue or
// a deque that does not return; or NoPanic.
//
// The caller must make a new thing for every life, and must say what his does not
// promise: how many goroutines may put or take at a time, and whether an answer
// such as full or empty may be given for other reasons. What is not promised is
// not held against it.
//
// A verdict is clean, violation or inconclusive. Inconclusive means that nothing
// wrong was seen and too little happened at the same time for that to mean
// anything, as on one processor. An audit samples: clean is no proof. Run with the
// race detector as well, which sees what no answer shows.
//
// While it runs, the number of processors of the process (GOMAXPROCS) is changed
// from life to life: more threads than cores are taken off their core in the middle
// of an operation. It is put back at the end.
package court
