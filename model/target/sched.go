package target

import (
	"errors"
	"fmt"
	"strings"
	stdatomic "sync/atomic"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/sched"
)

// whole is the scheduler, with tasks that only publish and wait for one
// another. Its workers start with it, before the first operation: whether they
// run before that is up to the exploration.
type whole struct {
	s     model.Scenario
	sched *sched.Scheduler
	gate  gate
	gated bool // whether anything waits for a task
	clock stdatomic.Int64
	ran   log
}

func newWhole(s model.Scenario) *whole {
	w := &whole{s: s, gate: newGate(), gated: len(s.Tasks) > 0}
	for _, th := range s.Threads {
		for _, op := range th.Ops {
			w.gated = w.gated || op.Kind == model.Await
		}
	}
	var err error
	// What the scheduler would draw or measure is fixed: a run must depend on
	// nothing but the order of its steps.
	w.sched, err = sched.New(sched.Workers(s.Workers), sched.RingCapacity(crewCapacity),
		sched.Seed(1), sched.GlobalInterval(61), sched.OnPanic(w.panicked))
	if err != nil {
		panic(fmt.Sprintf("target: scenario %q: %v", s.Name, err))
	}
	return w
}

// panicked is told of a task that panicked. The explorer ends the threads of an
// execution that it gives up by panics of its own, which say so; tasks have no
// other reason to panic.
func (w *whole) panicked(p *sched.PanicError) {
	if text := fmt.Sprint(p.Value); !strings.HasPrefix(text, "loom: ") {
		loom.Failf(string(model.EveryTaskRuns), "a task panicked: %s\n%s", text, p.Stack)
	}
}

func (w *whole) now() int64 { return w.clock.Add(1) }

func (w *whole) do(_ int, op model.Op, _ int64) model.Result {
	switch op.Kind {
	case model.Submit:
		return w.spawned(w.sched.Go(w.task(op.Args[0])))
	case model.Await:
		w.gate.await(op.Args[0])
	case model.Close:
		if err := w.sched.Close(); err != nil {
			panic(fmt.Sprintf("target: Close: %v", err))
		}
	case model.End:
	default:
		panic(fmt.Sprintf("target: %v on a scheduler", op))
	}
	return model.Result{Outcome: model.Done}
}

func (w *whole) spawned(err error) model.Result {
	switch {
	case errors.Is(err, sched.ErrClosed):
		return model.Result{Outcome: model.Closed}
	case err != nil:
		panic(fmt.Sprintf("target: Go: %v", err))
	}
	return model.Result{Outcome: model.Done}
}

// task is what the scheduler runs for t.
func (w *whole) task(t model.Task) func(sched.Ctx) {
	return func(c sched.Ctx) {
		law, thread := w.s.LawOf(t), len(w.s.Threads)+c.Worker()
		w.ran.add(thread, model.Run, t, model.Result{Outcome: model.Done}, w.now(), w.now)
		for _, child := range law.Spawns {
			call := w.now()
			w.ran.add(thread, model.Spawned, child, w.spawned(c.Go(w.task(child))), call, w.now)
		}
		if w.gated {
			w.gate.pass(t, law.Waits)
		}
	}
}

// finish closes the scheduler: everything that was taken in is over then.
func (w *whole) finish(do func(thread int, op model.Op) model.Result) {
	do(0, model.Op{Kind: model.Close})
	do(0, model.Op{Kind: model.End})
}

func (w *whole) history() model.History { return w.ran.all() }

// gate lets tasks wait for one another.
type gate struct {
	mu   *sync.Mutex
	cond *sync.Cond
	over map[model.Task]bool // guarded by mu
}

func newGate() gate {
	mu := new(sync.Mutex)
	return gate{mu: mu, cond: sync.NewCond(mu), over: map[model.Task]bool{}}
}

// pass waits until task other is over, if other is one, and says that t is.
func (g gate) pass(t, other model.Task) {
	g.mu.Lock()
	for other != 0 && !g.over[other] {
		g.cond.Wait()
	}
	g.over[t] = true
	g.cond.Broadcast()
	g.mu.Unlock()
}

// await waits until t is over.
func (g gate) await(t model.Task) {
	g.mu.Lock()
	for !g.over[t] {
		g.cond.Wait()
	}
	g.mu.Unlock()
}
