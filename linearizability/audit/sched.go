package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/sched"
)

// schedDriver drives a whole scheduler: its threads spawn from outside, tasks
// spawn tasks, some are waited for, some panic, and one thread closes while the
// others go on. Or one thread spawns little at a time, some of it tasks that
// block their worker until another has run.
type schedDriver struct{ threads int }

// maxWorkers is how many workers a driven scheduler has at the most.
const maxWorkers = 4

func (d *schedDriver) target() model.Target { return model.Sched }

// logs: one of each thread of the crew, and two of each worker: a task's run
// encloses its spawns.
func (d *schedDriver) logs() ([]int, int) {
	workers := upTo(d.threads + maxWorkers)[d.threads:]
	return append(append(upTo(d.threads), workers...), workers...), d.mostTasks()
}

// mostTasks is how many tasks there can be in a life, all of them perhaps run by one
// worker: those from outside and those that tasks spawn, of which the last may
// each be spawned by several at a time, and come by twos.
func (d *schedDriver) mostTasks() int {
	return max(d.threads*schedRounds, 4*3*schedRounds) + schedTasks + 2*maxWorkers
}

func (d *schedDriver) claims() []model.Claim {
	return []model.Claim{model.EveryTaskRuns, model.NoDuplicateTask, model.NoLostTask, model.ClosedReturnsTasks,
		model.ShutdownDrains, model.NoLostWakeup, model.WorkConserving, model.JoinResolves, model.PanicContained,
		model.ShutdownWakes, model.CountsMatchSleepers}
}

// schedLife is one life of a scheduler.
type schedLife struct {
	s       *sched.Scheduler
	budget  int64                  // no task spawns others beyond so many
	outside []*linearizability.Log // of the crew
	runs    []*linearizability.Log // of the workers
	spawns  []*linearizability.Log // of the tasks on them
	tasks   atomic.Int64
	wrong   atomic.Pointer[string]
}

// job is what one task does.
type job struct {
	id       model.Task
	children int
	depth    int
	panics   bool
	blocks   bool
	needs    *atomic.Bool // it does not end before this is true
	ran      *atomic.Bool // set at its end, if somebody waits
}

func (d *schedDriver) play(l *life, c *crew.Crew) {
	workers := 1 + l.rng.IntN(maxWorkers)
	options := []sched.Option{
		sched.Workers(workers),
		sched.RingCapacity([]int{2, 4, 8, 256}[l.rng.IntN(4)]),
		sched.Seed(l.rng.Uint64()),
		sched.OnPanic(func(*sched.PanicError) {}),
	}
	if l.rng.IntN(4) == 0 {
		options = append(options, sched.NoLIFOSlot())
	}
	s, err := sched.New(options...)
	if err != nil {
		panic(err) // the options above are right
	}
	n := d.threads
	g := &schedLife{s: s, outside: l.logs[:n], runs: l.logs[n : n+maxWorkers], spawns: l.logs[n+maxWorkers:], budget: schedTasks}
	l.h.Threads = n + maxWorkers
	lonely := l.rng.IntN(2) == 0
	closer, early := l.rng.IntN(n), l.rng.IntN(2) == 0
	switch {
	case lonely:
		l.load = "idle and wake"
	case early:
		l.load = "close race"
	default:
		l.load = "bursts"
	}
	seeds := l.seeds(n)
	l.trouble = c.Run(func(t int) {
		rng := rand.New(rand.NewPCG(seeds[t], 4))
		switch {
		case !lonely:
			g.submit(t, rng, early && t == closer)
		case t == 0:
			g.lonely(rng)
		}
	})
	if !l.trouble.Any() {
		l.trouble = c.Run(crew.Alone(func() { g.close(0) }))
	}
	if !l.trouble.Any() {
		l.wrong = g.balance()
	}
	for _, log := range l.logs {
		if log.Full() { // in a task, whose panic is contained
			l.unfit = fmt.Sprintf("a log of a worker had no room for all that ran, %d tasks in all", g.tasks.Load())
		}
	}
}

// Sizes of a life of a scheduler: how many tasks there are, and how many of
// them a thread spawns from outside.
const (
	schedTasks  = 600
	schedRounds = 40
)

// submit spawns from outside, in bursts and one by one.
func (g *schedLife) submit(t int, rng *rand.Rand, closes bool) {
	stop := rng.IntN(schedRounds)
	for i := range schedRounds {
		if closes && i == stop {
			g.close(t)
		}
		j := g.job(rng, 3)
		switch rng.IntN(4) {
		case 0:
			g.await(t, j, nil)
		case 1:
			time.Sleep(time.Duration(rng.IntN(60)) * time.Microsecond) // so that workers park
			fallthrough
		default:
			g.send(t, j)
		}
	}
}

// lonely spawns little at a time and waits for it, so that nothing that comes
// after makes good for a wake that is missing: one task, or one that needs the
// next, or one that needs a child of its own.
func (g *schedLife) lonely(rng *rand.Rand) {
	for range 3 * schedRounds {
		j := job{id: g.newID()}
		var then func()
		if g.s.Workers() > 1 {
			switch rng.IntN(4) {
			case 0:
				next := job{id: g.newID(), ran: new(atomic.Bool)}
				j.needs = next.ran
				then = func() { g.send(0, next) }
			case 1:
				j.blocks = true
			}
		}
		g.await(0, j, then)
		for range rng.IntN(1000) {
			rng.Uint64() // the workers may be anywhere on their way to sleep
		}
	}
}

func (g *schedLife) newID() model.Task { return model.Task(g.tasks.Add(1)) }

// send spawns a task without a result.
func (g *schedLife) send(t int, j job) {
	g.begin(t, j)
	err := g.s.Go(func(c sched.Ctx) { g.run(c, j) })
	g.end(t, err)
}

// await spawns a task with a result, does what is to be done then, and waits.
func (g *schedLife) await(t int, j job, then func()) {
	g.begin(t, j)
	h, err := sched.Spawn(g.s, func(c sched.Ctx) (model.Task, error) {
		g.run(c, j)
		return j.id, nil
	})
	g.end(t, err)
	if err != nil {
		return
	}
	if then != nil {
		then()
	}
	got, err := h.Wait()
	var p *sched.PanicError
	switch {
	case j.panics && !errors.As(err, &p):
		g.fail(fmt.Sprintf("task %d panicked, and its handle says %v", j.id, err))
	case !j.panics && (err != nil || got != j.id):
		g.fail(fmt.Sprintf("task %d returned %d, and its handle says %d, %v", j.id, j.id, got, err))
	}
}

func (g *schedLife) begin(t int, j job) {
	log := g.outside[t]
	log.Begin(model.Op{Kind: model.Submit, Args: log.Tasks(j.id)})
}

func (g *schedLife) end(t int, err error) { g.outside[t].End(accepted(err)) }

// accepted is what a spawn came to.
func accepted(err error) model.Result {
	if err != nil {
		return model.Result{Outcome: model.Closed}
	}
	return model.Result{Outcome: model.Kept}
}

// job makes up a task that spawns others down to a depth. It waits for none: a
// task that waits takes its worker out of the contention that is wanted here.
func (g *schedLife) job(rng *rand.Rand, depth int) job {
	j := job{id: g.newID(), depth: depth}
	if depth > 0 {
		j.children = rng.IntN(4)
	}
	j.panics = rng.IntN(32) == 0
	return j
}

// run is the body of a task.
func (g *schedLife) run(c sched.Ctx, j job) {
	log := g.runs[c.Worker()]
	log.Begin(model.Op{Kind: model.Run, Args: log.Tasks(j.id)})
	rng := rand.New(rand.NewPCG(uint64(j.id), 5))
	if j.blocks {
		g.block(c)
	}
	for j.needs != nil && !j.needs.Load() {
		runtime.Gosched()
	}
	for range j.children {
		if g.tasks.Load() >= g.budget {
			break
		}
		g.spawn(c, g.job(rng, j.depth-1))
	}
	for range rng.IntN(200) {
		rng.Uint64()
	}
	log.End(model.Result{Outcome: model.Done})
	if j.ran != nil {
		j.ran.Store(true)
	}
	if j.panics {
		panic("a task of the audit that is meant to panic")
	}
}

func (g *schedLife) spawn(c sched.Ctx, j job) error {
	log := g.spawns[c.Worker()]
	log.Begin(model.Op{Kind: model.Spawned, Args: log.Tasks(j.id)})
	err := c.Go(func(c sched.Ctx) { g.run(c, j) })
	log.End(accepted(err))
	return err
}

// block holds the worker until a child has run, which others have to take: the
// second child moves it out of the LIFO slot, which nobody has to look at.
func (g *schedLife) block(c sched.Ctx) {
	var ran atomic.Bool
	first := job{id: g.newID(), ran: &ran}
	if g.spawn(c, first) != nil || g.spawn(c, job{id: g.newID()}) != nil {
		return
	}
	for !ran.Load() {
		runtime.Gosched()
	}
}

func (g *schedLife) close(t int) {
	log := g.outside[t]
	log.Begin(model.Op{Kind: model.Close})
	err := g.s.Close()
	log.End(model.Result{Outcome: model.Done})
	if err != nil {
		g.fail(fmt.Sprintf("Close says %v", err))
	}
}

func (g *schedLife) fail(what string) { g.wrong.CompareAndSwap(nil, &what) }

// balance reports what the handles or the scheduler's own counts get wrong.
func (g *schedLife) balance() *linearizability.Violation {
	if w := g.wrong.Load(); w != nil {
		return &linearizability.Violation{Claim: model.JoinResolves, Message: *w}
	}
	st := g.s.Stats()
	if st.Spawned != st.Ran+st.Panicked+st.Cancelled {
		return &linearizability.Violation{Claim: model.EveryTaskRuns,
			Message: fmt.Sprintf("of %d tasks accepted %d returned, %d panicked, %d were cancelled: the counts do not balance",
				st.Spawned, st.Ran, st.Panicked, st.Cancelled)}
	}
	return nil
}
