package fuzz

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// PoolOps is one pool of goroutines. The fields are those of
// linearizability/court's.
type PoolOps struct {
	// Submit gives the pool a task and reports whether it was accepted. It may
	// wait for a worker.
	Submit func(task func()) bool
	// Close returns when every task that was accepted has run. It is called once.
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
// started by package loom/sync's WaitGroup.Go, or by loom.Go: a pool of others cannot
// be judged there, which is what its failure says. It panics where Queue does.
func Pool(f *testing.F, make func() PoolOps) {
	must("pool", f, make != nil)
	f.Helper()
	ops := make()
	ops.check()
	if err := shut(ops.Close); err != nil {
		f.Fatal(err)
	}
	poolOf(ops, make).fuzz(f)
}

// check panics if o is no pool.
func (o PoolOps) check() { missing("pool", "Submit", o.Submit != nil, "Close", o.Close != nil) }

// shut closes a pool that was made to see what kind of pool it is, and never had a task.
func shut(shutdown func()) error {
	still := func() int { return 0 }
	err := watched(func() error { shutdown(); return nil }, still, theirWaits(still))
	const what = "close of a pool that has no task"
	switch err := err.(type) {
	case *panicked:
		return fmt.Errorf("fuzz: %w", broken(noPanic, fmt.Sprintf("%s %s\n%s", what, err.how(), calls(err.stack))))
	case *stuck:
		return fmt.Errorf("fuzz: %w", broken(string(model.ShutdownWakes), fmt.Sprintf("%s does not return; it stands here:\n%s", what, calls(err.stack))))
	}
	return err
}

func poolOf(ops PoolOps, make func() PoolOps) *theirs {
	sh := Bytes
	sh.Target, sh.lawless, sh.once = model.Sched, !ops.Nested, true
	sh.kinds = func(_, _ int, setup bool) []model.Kind {
		if ops.Late {
			return kinds(model.Submit, 6, model.Close, 1)
		}
		return kinds(model.Submit, 1)
	}
	j := &theirs{shape: sh, law: model.Bag(), waits: forgotten, words: words.Pool, hints: ops.hints()}
	j.begin = func(s model.Scenario) machine {
		ops := make()
		ops.check()
		return newPool(s, ops).machine()
	}
	return j
}

// forgotten is what a program breaks that does not come to its end: a task that was
// accepted has not run, unless all have.
func forgotten(done, open model.History) model.Claim {
	ran := map[model.Task]bool{}
	for _, o := range done {
		if o.Kind == model.Run {
			ran[o.Args[0]] = true
		}
	}
	for _, o := range done {
		if (o.Kind == model.Submit || o.Kind == model.Spawned) && o.Outcome == model.Done && !ran[o.Args[0]] {
			return model.EveryTaskRuns
		}
	}
	if slices.ContainsFunc(open, func(o model.Operation) bool { return o.Kind != model.Close }) {
		return progress
	}
	return model.ShutdownWakes
}

// pool is one pool under a program.
type pool struct {
	PoolOps
	s    model.Scenario
	mu   sync.Mutex // is held for no step of a thread
	runs model.History
	ran  map[model.Task]int
	// here is looked at by every thread under the tag loom, which refuses it to a
	// goroutine that is none: what that does would seem not to have happened.
	here atomic.Int32
}

func newPool(s model.Scenario, ops PoolOps) *pool {
	p := &pool{PoolOps: ops, s: s, ran: map[model.Task]int{}}
	p.look()
	return p
}

// look shows that the calling goroutine is a thread.
func (p *pool) look() {
	if loom.Enabled {
		p.here.Load()
	}
}

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
			if !hasClose(p.s) {
				do(0, model.Op{Kind: model.Close})
			}
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
// runs it is the pool's business. One that runs again is another, and submits none.
func (p *pool) task(t model.Task) func() {
	return func() {
		p.look()
		p.mu.Lock()
		again := p.ran[t]
		p.ran[t]++
		p.mu.Unlock()
		thread := len(p.s.Threads) + int(t) + again*(crewTasks+1)
		p.note(thread, model.Run, t, loom.Call(), model.Result{Outcome: model.Done})
		if again > 0 {
			return
		}
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
