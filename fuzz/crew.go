package fuzz

import (
	"slices"

	"github.com/filch-sched/filch/model"
)

// manned reports whether a target has workers, which go on by themselves: its
// operations have no order, and its tasks do something.
func manned(t model.Target) bool { return t == model.Idle || t == model.Sched }

// Bounds of programs with workers.
const (
	crewWorkers = 3
	crewThreads = 2
	crewSetup   = 2
	crewOps     = 4
	crewTasks   = 16
)

// spawned are numbers of tasks that a task spawns. The last is more than a ring
// of a worker holds.
var spawned = []int{0, 1, 2, 6}

// crew chooses the workers.
func (g *grammar) crew() {
	s := &g.p.Scenario
	s.Workers = 1 + g.choose(crewWorkers, s.Workers-1, "workers")
	if s.Target == model.Idle {
		s.Asleep = g.choose(s.Workers+1, s.Asleep, "asleep")
	}
}

// laws chooses what the tasks do, those that others spawn included. A task waits
// only for one with a larger number, and there is a worker more than tasks that
// wait: so that every task can come to its end. On a scheduler none waits, since a task in
// the LIFO slot of a worker that waits is nobody's to count on.
func (g *grammar) laws() {
	s := &g.p.Scenario
	if !manned(s.Target) {
		return
	}
	if g.tasks == 0 { // a crew goes home when the last task is over
		g.must()
	}
	if g.shape.lawless {
		return
	}
	have := s.Tasks
	s.Tasks = nil
	waiting := 0
	for t := model.Task(1); t <= g.tasks; t++ {
		l, next := lawIn(have, t), model.Law{Task: t}
		room := crewTasks - int(g.tasks)
		few := slices.DeleteFunc(slices.Clone(spawned), func(n int) bool { return n > room })
		for range entry(g, few, len(l.Spawns), "tasks that it spawns") {
			g.tasks++
			next.Spawns = append(next.Spawns, g.tasks)
		}
		if later := int(g.tasks - t); s.Target == model.Idle && waiting < s.Workers-1 {
			if i := g.choose(later+1, max(0, int(l.Waits-t)), "what it waits for"); i > 0 {
				next.Waits = t + model.Task(i)
				waiting++
			}
		}
		if next.Spawns != nil || next.Waits != 0 {
			s.Tasks = append(s.Tasks, next)
		}
	}
}

// must has the first thread begin with a task.
func (g *grammar) must() {
	ops := &g.p.Scenario.Threads[0].Ops
	g.tasks++
	(*ops)[0] = model.Op{Kind: model.Submit, Args: []model.Task{g.tasks}}
}

// lawIn is what t does by these laws.
func lawIn(laws []model.Law, t model.Task) model.Law {
	for _, l := range laws {
		if l.Task == t {
			return l
		}
	}
	return model.Law{Task: t}
}

// crewGuards returns the claims that a scenario with workers can break. A wake
// without work is in flight beside one for work.
func crewGuards(s model.Scenario) []model.Claim {
	if s.Target == model.Sched {
		return []model.Claim{model.EveryTaskRuns, model.ClosedReturnsTasks, model.ShutdownDrains, model.NoLostWakeup}
	}
	claims := []model.Claim{model.NoLostWakeup, model.CountsMatchSleepers, model.SearchersBounded}
	wakes := func(o model.Op) bool { return o.Kind != model.Submit }
	idle := slices.ContainsFunc(s.Setup, func(st model.Step) bool { return wakes(st.Op) })
	for _, th := range s.Threads {
		idle = idle || slices.ContainsFunc(th.Ops, wakes)
	}
	if !idle {
		claims = append(claims, model.OneWakeInFlight)
	}
	if slices.ContainsFunc(s.Tasks, func(l model.Law) bool { return l.Waits != 0 }) {
		claims = append(claims, model.WorkConserving)
	}
	return claims
}
