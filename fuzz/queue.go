package fuzz

import (
	"fmt"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// QueueOps is one queue, first in first out. Its functions must not block. The
// fields are those of the QueueOps of package linearizability/court, which audits:
// an adapter for one converts to the other.
type QueueOps struct {
	Put  func(v int) bool           // reports false if the queue was full
	Take func() (v int, found bool) // the oldest
	// Capacity is how many values there is room for; 0 is no bound, and then Put
	// must not report false.
	Capacity int
	// Putters and Takers are how many goroutines may do that at a time; 0 is any
	// number.
	Putters, Takers int
	// MayRefuse says that Put may report false though there is room, and MayMiss
	// that Take may find nothing though something is there: as queues do whose
	// operations give up when another is half done.
	MayRefuse, MayMiss bool
}

// Queue makes f a fuzz target of the queues that make makes: a new one for every
// run. Programs of up to four threads that put and take are run one operation at a
// time and at the same time, and every history is held against the law of a queue:
// nothing lost, nothing twice, first in first out, full and empty only if it was.
//
//	func FuzzMine(f *testing.F) {
//		fuzz.Queue(f, func() fuzz.QueueOps {
//			q := mine.New(4)
//			return fuzz.QueueOps{Put: q.TryPut, Take: q.TryTake, Capacity: 4}
//		})
//	}
//
// go test runs it on a few programs; go test -fuzz '^FuzzMine$' makes new ones, and
// with -tags loom new orders of their steps, as far as the queue is built on package
// loom's atomic, sync and cell. What fails is shrunk and saved in testdata/found as
// the text of a scenario, which go test runs first from then on: delete it, or keep
// it for ever. A small queue is found out sooner: give it room for 2 or 4 values.
//
// A failure names the claim that is broken: one of package model, or Progress, for an
// operation that does not return, or NoPanic. Without the tag loom one that needs two
// goroutines to meet at the wrong moment may not come back; then it says so, and how
// to have it run for longer: FUZZ_FOR=2m has every input, and every program that was
// saved, run for so long.
//
// Queue panics if f or make or a function that it returns is nil, or a number negative.
func Queue(f *testing.F, make func() QueueOps) {
	must("queue", f, make != nil)
	f.Helper()
	queueOf(make).fuzz(f)
}

// must panics if there is no target or no make.
func must(thing string, f *testing.F, makes bool) {
	if f == nil {
		panic("fuzz: no " + thing + ": the *testing.F is nil")
	}
	if !makes {
		panic("fuzz: no " + thing + ": make is nil")
	}
}

// missing panics if one of the functions of an adapter, by its name, is not there.
func missing(thing string, has ...any) {
	for i := 0; i < len(has); i += 2 {
		if !has[i+1].(bool) {
			panic(fmt.Sprintf("fuzz: no %s: %s is nil", thing, has[i]))
		}
	}
}

// check panics if o is no queue.
func (o QueueOps) check() {
	missing("queue", "Put", o.Put != nil, "Take", o.Take != nil)
	if o.Putters < 0 || o.Takers < 0 || o.Capacity < 0 {
		panic(fmt.Sprintf("fuzz: no queue: capacity %d, %d putters, %d takers", o.Capacity, o.Putters, o.Takers))
	}
}

// returns is what a program breaks that does not come to its end, where no operation
// waits for another.
func returns(_, _ model.History) model.Claim { return progress }

func queueOf(make func() QueueOps) *theirs {
	ops := make()
	ops.check()
	j := &theirs{shape: ops.shape(), law: model.Queues(0, 0), waits: returns, words: words.Queue,
		hints: ops.hints(), crowd: ops.crowd()}
	if ops.Capacity > 0 {
		j.law = model.Bounded(ops.Capacity)
	}
	j.silent = func(o model.Operation) bool {
		return o.Outcome == model.NoRoom && ops.MayRefuse || o.Outcome == model.Empty && ops.MayMiss
	}
	misses := fewMisses
	if ops.MayMiss {
		misses = manyMisses
	}
	j.begin = func(s model.Scenario) machine {
		q := make()
		q.check()
		return machine{
			do: func(_ int, op model.Op) model.Result {
				if op.Kind == model.InjectPush {
					return gave(q.Put(int(op.Args[0])))
				}
				return took(q.Take())
			},
			rest: func(do func(int, model.Op) model.Result) {
				drained(do, len(s.Threads)-1, model.Op{Kind: model.InjectPop}, misses)
			},
		}
	}
	return j
}

// shape is that of programs in which every thread does what it may.
func (o QueueOps) shape() Shape {
	sh := Bytes
	sh.Target = model.Inject
	sh.MinThreads = 2
	if o.Putters > 0 && o.Takers > 0 {
		sh.MaxThreads = min(sh.MaxThreads, o.Putters+o.Takers)
		sh.MinThreads = sh.MaxThreads
	}
	sh.kinds = func(threads, t int, _ bool) []model.Kind {
		puts, takes := o.roles(threads, t)
		switch {
		case puts && takes:
			return kinds(model.InjectPush, 5, model.InjectPop, 4)
		case puts:
			return kinds(model.InjectPush, 1)
		}
		return kinds(model.InjectPop, 1)
	}
	return sh
}

// roles says what thread t of so many may do: the first put and the last take.
// Where only so many may take, who takes does nothing else.
func (o QueueOps) roles(threads, t int) (puts, takes bool) {
	puts = o.Putters == 0 || t < o.Putters
	takes = o.Takers == 0 || t >= threads-o.Takers
	if puts && takes && o.Putters+o.Takers > 0 {
		puts = o.Takers == 0 || t < threads-o.Takers
		takes = !puts || o.Takers == 0
	}
	return puts, takes
}
