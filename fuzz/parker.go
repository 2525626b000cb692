package fuzz

import (
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// ParkerOps is one parker, of one goroutine. The fields are those of
// linearizability/court's.
type ParkerOps struct {
	Park   func() // waits for a token and takes it
	Unpark func() // leaves a token, unless one is there; any number of goroutines
}

// Parker is [Queue] for the parkers that make makes: every thread has one of its
// own, and unparks those of others. In no program would a thread wait for ever
// unless a token is lost. It panics where Queue does.
func Parker(f *testing.F, make func() ParkerOps) {
	must("parker", f, make != nil)
	f.Helper()
	parkerOf(make).fuzz(f)
}

// check panics if o is no parker.
func (o ParkerOps) check() { missing("parker", "Park", o.Park != nil, "Unpark", o.Unpark != nil) }

func parkerOf(make func() ParkerOps) *theirs {
	make().check()
	sh := Bytes
	sh.Target, sh.untimed = model.Park, true
	sh.kinds = func(int, int, bool) []model.Kind { return kinds(model.Unpark, 6, model.ParkToken, 5) }
	j := &theirs{shape: sh, law: model.Parkers(sh.MaxThreads), waits: tokenless, words: words.Parker}
	j.begin = func(s model.Scenario) machine {
		var all []ParkerOps
		for range s.Threads {
			p := make()
			p.check()
			all = append(all, p)
		}
		return machine{
			do: func(thread int, op model.Op) model.Result {
				if op.Kind == model.Unpark {
					all[op.On].Unpark()
				} else {
					all[thread].Park()
				}
				return model.Result{Outcome: model.Done}
			},
			rest: func(func(int, model.Op) model.Result) {},
		}
	}
	return j
}

// tokenless is what a program breaks that does not come to its end: it has the tokens for
// all its Parks, and nothing else in it waits.
func tokenless(_, open model.History) model.Claim {
	for _, o := range open {
		if o.Kind != model.ParkToken {
			return progress
		}
	}
	return model.TokenKept
}
