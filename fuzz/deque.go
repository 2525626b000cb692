package fuzz

import (
	"fmt"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// DequeOps is one deque: its owner pushes and pops at one end, and anybody steals
// at the other. Its functions must not block. The fields are those of
// linearizability/court's.
type DequeOps struct {
	Push  func(v int) bool           // reports false if the deque was full
	Pop   func() (v int, found bool) // the newest
	Steal func() (v int, found bool) // the oldest
	// Capacity is how many values there is room for; 0 is no bound.
	Capacity int
	// MayMiss says that Steal may find nothing though something is there, as when
	// it loses a race.
	MayMiss bool
}

// Deque is [Queue] for the deques that make makes. The first thread owns it, up to
// three others steal. It panics where Queue does.
func Deque(f *testing.F, make func() DequeOps) {
	must("deque", f, make != nil)
	f.Helper()
	dequeOf(make).fuzz(f)
}

// check panics if o is no deque.
func (o DequeOps) check() {
	missing("deque", "Push", o.Push != nil, "Pop", o.Pop != nil, "Steal", o.Steal != nil)
	if o.Capacity < 0 {
		panic(fmt.Sprintf("fuzz: no deque: capacity %d", o.Capacity))
	}
}

func dequeOf(make func() DequeOps) *theirs {
	ops := make()
	ops.check()
	sh := Bytes
	sh.Target, sh.MinThreads = model.Deque, 2
	sh.kinds = func(_, t int, _ bool) []model.Kind {
		if t == 0 {
			return kinds(model.DequePush, 5, model.DequePop, 3)
		}
		return kinds(model.DequeSteal, 1)
	}
	j := &theirs{shape: sh, law: model.DequeOf(ops.Capacity), waits: returns, words: words.Deque, hints: ops.hints()}
	j.silent = func(o model.Operation) bool {
		return o.Kind == model.DequeSteal && o.Outcome == model.Empty && ops.MayMiss
	}
	j.begin = func(model.Scenario) machine {
		d := make()
		d.check()
		return machine{
			do: func(_ int, op model.Op) model.Result {
				switch op.Kind {
				case model.DequePush:
					return gave(d.Push(int(op.Args[0])))
				case model.DequePop:
					return took(d.Pop())
				}
				return took(d.Steal())
			},
			rest: func(do func(int, model.Op) model.Result) {
				drained(do, 0, model.Op{Kind: model.DequePop}, fewMisses)
			},
		}
	}
	return j
}
