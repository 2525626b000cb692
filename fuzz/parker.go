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
	j.seeds = [][2][]byte{{keeps(sh), {}}}
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

// keeps is a program in which a parker that keeps more than one token shows it: two are
// left before the first Park, and the second has to wait for one that is left by a thread
// that was woken in between, and does some other things first. No order of it leaves a
// thread waiting for ever.
func keeps(sh Shape) []byte {
	unpark := func(on int) model.Op { return model.Op{Kind: model.Unpark, On: on} }
	park := model.Op{Kind: model.ParkToken}
	p, err := Of(model.Scenario{Name: generated, Target: model.Park,
		Setup: []model.Step{{Op: unpark(0)}, {Op: unpark(0)}},
		Threads: []model.Thread{
			{Name: names[0], Ops: []model.Op{park, unpark(1), park}},
			{Name: names[1], Ops: []model.Op{park, unpark(1), park, unpark(1), park, unpark(0)}},
		},
		Claims: []model.Claim{model.TokenKept, model.TokenSingle, model.UnparkPublishes}})
	if err == nil {
		var data []byte
		if data, err = sh.Encode(p); err == nil {
			return data
		}
	}
	panic(err) // the program is always the same
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
