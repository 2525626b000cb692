package fuzz

import (
	"sync"
	"testing"

	"github.com/filch-sched/filch/loom"
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
// unless a token is lost.
func Parker(f *testing.F, make func() ParkerOps) {
	f.Helper()
	parkerOf(make).fuzz(f)
}

func parkerOf(make func() ParkerOps) *theirs {
	if ops := make(); ops.Park == nil || ops.Unpark == nil {
		panic("fuzz: no parker: Park or Unpark is nil")
	}
	sh := Bytes
	sh.Target, sh.untimed = model.Park, true
	sh.kinds = func(int, int, bool) []model.Kind { return kinds(model.Unpark, 6, model.ParkToken, 5) }
	j := &theirs{shape: sh, law: model.Parkers(sh.MaxThreads), endless: model.TokenKept, words: words.Parker}
	j.begin = func(s model.Scenario) machine {
		var all []ParkerOps
		for range s.Threads {
			all = append(all, make())
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

// PoolOps is one pool of goroutines. The fields are those of
// linearizability/court's.
type PoolOps struct {
	// Submit gives the pool a task and reports whether it was accepted. It may
	// wait for a worker.
	Submit func(task func()) bool
	// Close returns when every task that was accepted has run.
	Close func()
	// Late says that Submit may be called while Close is, and after it, and then
	// reports false.
	Late bool
	// Nested says that tasks may submit tasks.
	Nested bool
}

// Pool is [Queue] for the pools that make makes: every task that is accepted runs
// once, and Close returns when all have run. Programs have no order, since the
// pool's own goroutines go on by themselves. Under the tag loom these have to be
// started by package loom/sync's WaitGroup.Go, or by loom.Go.
func Pool(f *testing.F, make func() PoolOps) {
	f.Helper()
	poolOf(make).fuzz(f)
}

func poolOf(make func() PoolOps) *theirs {
	ops := make()
	if ops.Submit == nil || ops.Close == nil {
		panic("fuzz: no pool: Submit or Close is nil")
	}
	ops.Close()
	sh := Bytes
	sh.Target, sh.lawless = model.Sched, !ops.Nested
	sh.kinds = func(_, _ int, setup bool) []model.Kind {
		if ops.Late {
			return kinds(model.Submit, 6, model.Close, 1)
		}
		return kinds(model.Submit, 1)
	}
	j := &theirs{shape: sh, law: model.Bag(), endless: model.EveryTaskRuns, words: words.Pool}
	j.begin = func(s model.Scenario) machine { return newPool(s, make()).machine() }
	return j
}

// pool is one pool under a program.
type pool struct {
	PoolOps
	s    model.Scenario
	mu   sync.Mutex // is held for no step of a thread
	runs model.History
}

func newPool(s model.Scenario, ops PoolOps) *pool { return &pool{PoolOps: ops, s: s} }

func (p *pool) machine() machine {
	return machine{
		do: func(_ int, op model.Op) model.Result {
			switch op.Kind {
			case model.Submit:
				return accepted(p.Submit(p.task(op.Args[0])))
			case model.Close:
				p.Close()
			}
			return model.Result{Outcome: model.Done}
		},
		rest: func(do func(int, model.Op) model.Result) {
			do(0, model.Op{Kind: model.Close})
			do(0, model.Op{Kind: model.End})
		},
		also: func() model.History {
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.runs
		},
	}
}

func accepted(ok bool) model.Result {
	if !ok {
		return model.Result{Outcome: model.Closed}
	}
	return model.Result{Outcome: model.Done}
}

// task is what the pool runs for t: a thread of its own in the history, since who
// runs it is the pool's business.
func (p *pool) task(t model.Task) func() {
	return func() {
		thread := len(p.s.Threads) + int(t)
		p.note(thread, model.Run, t, loom.Call(), model.Result{Outcome: model.Done})
		for _, child := range p.s.LawOf(t).Spawns {
			call := loom.Call()
			p.note(thread, model.Spawned, child, call, accepted(p.Submit(p.task(child))))
		}
	}
}

// note records what a task has done, and that it has returned.
func (p *pool) note(thread int, k model.Kind, t model.Task, call int64, r model.Result) {
	o := model.Operation{Thread: thread, Op: model.Op{Kind: k, Args: []model.Task{t}}, Result: r, Call: call, Return: loom.Return()}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs = append(p.runs, o)
}
