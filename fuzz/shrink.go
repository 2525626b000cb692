package fuzz

import (
	"slices"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// shrinker looks for a smaller program of a shape that fails alike.
type shrinker struct {
	by    judge
	shape Shape
	until time.Time
	best  *Failure
	steps []*Failure    // all that were the best, in turn
	hard  bool          // whether much is done for each attempt
	tries time.Duration // on goroutines, how long a candidate is run
}

// Shrink returns a failure of a program of shape sh which is smaller, if it finds
// one in the time: a thread, an operation, a task or a byte of the schedule less,
// as long as one of the same claims is violated. Under the tag loom the schedule is
// fitted to what is left: it is that of fewest switches among those that are tried.
func (f *Failure) Shrink(sh Shape, limit time.Duration) *Failure {
	return shrunk(filch{}, sh, f, limit)
}

func shrunk(j judge, sh Shape, f *Failure, limit time.Duration) *Failure {
	return last(trail(j, sh, f, limit))
}

func last(all []*Failure) *Failure { return all[len(all)-1] }

// trail is what f was shrunk to, step by step, from f itself on.
func trail(j judge, sh Shape, f *Failure, limit time.Duration) []*Failure {
	s := &shrinker{by: j, shape: sh, until: time.Now().Add(limit)}
	s.better(f)
	s.pace(limit)
	s.straighten()
	if len(s.best.Program.Schedule) > most {
		s.explain()
	}
	s.pass()
	if s.hard = s.best.How == concurrent; s.hard {
		s.pass()
		s.straighten()
	}
	if time.Since(s.until) < limit/2 { // or it has taken long enough
		s.explain()
	}
	return s.steps
}

// better makes f the best.
func (s *shrinker) better(f *Failure) {
	s.best = f
	s.steps = append(s.steps, f)
}

// pass tries all candidates, in turn, until none of them fails like the best.
func (s *shrinker) pass() {
	candidates := smaller(s.best.Program, s.shape.untimed)
	for i, failed := 0, 0; failed < len(candidates) && !s.over(); {
		if i >= len(candidates) {
			i = 0
		}
		if !s.step(candidates[i]) {
			i++
			failed++
			continue
		}
		candidates = smaller(s.best.Program, s.shape.untimed)
		failed = 0
	}
}

// over reports that there is no time for another attempt: one that did not come to
// its end takes as long as the next would.
func (s *shrinker) over() bool { return s.best.Endless || time.Now().After(s.until) }

// step tries one candidate and reports whether it is the best now.
func (s *shrinker) step(c Program) bool {
	if _, err := s.shape.Encode(c); err != nil {
		return false // it is no program of this shape
	}
	f := s.attempt(c)
	if f == nil {
		return false
	}
	s.better(f)
	return true
}

// attempt runs c as the best was run, and returns its failure if that is alike.
func (s *shrinker) attempt(c Program) *Failure {
	if s.best.How == inOrder {
		return s.alike(s.by.inOrder(c))
	}
	run := s.by.concurrent(c)
	if loom.Enabled {
		if f := s.among(run, nearby(c.Schedule)); f != nil {
			return f
		}
		if !s.hard {
			return nil
		}
		if f := s.among(run, short(c)); f != nil {
			return f
		}
	}
	_, f := repeated(run, c.Schedule, min(s.tries, time.Until(s.until)), s.alike)
	return f
}

// How long a candidate is run on goroutines: longer than what it was shrunk from took to
// fail again, since by how much longer it takes is not known, but not so long that there
// is no time for others.
const (
	leastTries = 20 * time.Millisecond
	mostTries  = 400 * time.Millisecond
)

// pace finds out how long a candidate is to be run on goroutines.
func (s *shrinker) pace(limit time.Duration) {
	if loom.Enabled || s.best.How != concurrent {
		return
	}
	begin := time.Now()
	p := s.best.Program
	repeated(s.by.concurrent(p), p.Schedule, min(mostTries, limit/4), s.alike)
	s.tries = min(mostTries, max(leastTries, 4*time.Since(begin)))
}

// alike returns the failure that err is, if it shares a claim with the best. If a
// candidate does not come to its end, nothing more is tried: what it has left behind may
// still be busy, and there is no time to wait so long again.
func (s *shrinker) alike(err error) *Failure {
	f := failureIn(err)
	if f == nil {
		return nil
	}
	if f.Endless {
		s.until = time.Now()
	}
	have := f.Claims()
	if !slices.ContainsFunc(s.best.Claims(), func(c string) bool { return slices.Contains(have, c) }) {
		return nil
	}
	return f
}

// smaller returns programs with a little less in them than p, those with much
// less first.
func smaller(p Program, untimed bool) (out []Program) {
	s := p.Scenario
	add := func(order []int, change func(c *model.Scenario)) {
		c := cloned(s)
		change(&c)
		out = append(out, refitted(c, order, p.Schedule, untimed))
	}
	for t := range s.Threads {
		if len(s.Threads) > 1 {
			add(without(p.Order, t), func(c *model.Scenario) { dropThread(c, t) })
		}
	}
	if len(s.Setup) > 1 {
		add(p.Order, func(c *model.Scenario) { c.Setup = nil })
	}
	out = append(out, halves(p, untimed)...)
	for i := range s.Setup {
		add(p.Order, func(c *model.Scenario) { c.Setup = slices.Delete(c.Setup, i, i+1) })
	}
	for t, th := range s.Threads {
		if n := len(th.Ops); n > 3 {
			add(headOf(p.Order, t, n/2), func(c *model.Scenario) { c.Threads[t].Ops = c.Threads[t].Ops[:n/2] })
			add(tailOf(p.Order, t, n/2), func(c *model.Scenario) { c.Threads[t].Ops = c.Threads[t].Ops[n/2:] })
		}
		for i := range th.Ops {
			if len(th.Ops) > 1 {
				add(skipped(p.Order, t, i), func(c *model.Scenario) {
					c.Threads[t].Ops = slices.Delete(c.Threads[t].Ops, i, i+1)
				})
			}
		}
	}
	out = append(out, simpler(p, untimed)...)
	for i := range p.Schedule {
		c := p
		c.Scenario = cloned(s)
		c.Schedule = slices.Delete(slices.Clone(p.Schedule), i, i+1)
		out = append(out, c)
	}
	return out
}

// halves returns programs in which every thread does one half of what it does in p.
func halves(p Program, untimed bool) (out []Program) {
	if longest(p.Scenario) <= 3 {
		return nil
	}
	for _, half := range []func(ops []model.Op) []model.Op{
		func(ops []model.Op) []model.Op { return ops[:(len(ops)+1)/2] },
		func(ops []model.Op) []model.Op { return ops[len(ops)/2:] },
	} {
		c := cloned(p.Scenario)
		for t := range c.Threads {
			c.Threads[t].Ops = half(c.Threads[t].Ops)
		}
		out = append(out, refitted(c, nil, p.Schedule, untimed))
	}
	return out
}

// longest is how many operations a thread has at most.
func longest(s model.Scenario) (n int) {
	for _, th := range s.Threads {
		n = max(n, len(th.Ops))
	}
	return n
}

// simpler returns programs of the shape of p with smaller numbers in them.
func simpler(p Program, untimed bool) (out []Program) {
	s := p.Scenario
	add := func(is bool, change func(c *model.Scenario)) {
		if is {
			c := cloned(s)
			change(&c)
			out = append(out, refitted(c, p.Order, p.Schedule, untimed))
		}
	}
	add(s.Capacity > 2, func(c *model.Scenario) { c.Capacity /= 2 })
	add(s.Start != 0, func(c *model.Scenario) { c.Start = 0 })
	add(s.Workers > 1, func(c *model.Scenario) { c.Workers--; c.Asleep = min(c.Asleep, c.Workers) })
	add(s.Asleep > 0, func(c *model.Scenario) { c.Asleep-- })
	for i, l := range s.Tasks {
		add(true, func(c *model.Scenario) { c.Tasks = slices.Delete(slices.Clone(c.Tasks), i, i+1) })
		add(l.Waits != 0, func(c *model.Scenario) { c.Tasks = slices.Clone(c.Tasks); c.Tasks[i].Waits = 0 })
	}
	for t, th := range s.Threads {
		for i, o := range th.Ops {
			add(o.Max > 1, func(c *model.Scenario) { c.Threads[t].Ops[i].Max = 1 })
			add(len(o.Args) > 1, func(c *model.Scenario) { c.Threads[t].Ops[i].Args = o.Args[:1] })
		}
	}
	return out
}

// dropThread takes thread t out, and what is done to it.
func dropThread(c *model.Scenario, t int) {
	named := func(o model.Op) bool {
		switch o.Kind {
		case model.Steal, model.Peek, model.Vacant, model.Unpark, model.ClosePark:
			return true
		}
		return false
	}
	fewer := func(o *model.Op) bool {
		if named(*o) && o.On > t {
			o.On--
			return true
		}
		return !named(*o) || o.On < t
	}
	var setup []model.Step
	for _, st := range c.Setup {
		if st.Thread != t && fewer(&st.Op) {
			if st.Thread > t {
				st.Thread--
			}
			setup = append(setup, st)
		}
	}
	c.Setup = setup
	c.Threads = slices.Delete(c.Threads, t, t+1)
	if c.Target == model.Tracker { // where it is a worker, too
		c.Workers--
		c.Asleep = min(c.Asleep, c.Workers)
	}
	for u := range c.Threads {
		var ops []model.Op
		for _, o := range c.Threads[u].Ops {
			if fewer(&o) {
				ops = append(ops, o)
			}
		}
		c.Threads[u].Ops = ops
	}
}

// refitted is the program of a scenario from which something was taken, in the
// order that its operations were in.
func refitted(c model.Scenario, order []int, schedule []byte, untimed bool) Program {
	dropStale(&c)
	settle(&c, untimed)
	p := Program{Scenario: normal(c), Schedule: schedule}
	if manned(c.Target) {
		return p
	}
	at := newRun(p.Scenario)
	for len(order) > 0 || len(at.able()) > 0 {
		able := at.able()
		t := -1
		if len(order) > 0 {
			t, order = order[0], order[1:]
		} else {
			t = able[0]
		}
		if slices.Contains(able, t) {
			at.step(t)
			p.Order = append(p.Order, t)
		}
	}
	return p
}

// dropStale takes out the awaits of tasks that are not brought any more.
func dropStale(c *model.Scenario) {
	brought := map[model.Task]bool{}
	for _, st := range c.Setup {
		for _, t := range st.Args {
			brought[t] = true
		}
	}
	for t := range c.Threads {
		mine := map[model.Task]bool{}
		c.Threads[t].Ops = slices.DeleteFunc(c.Threads[t].Ops, func(o model.Op) bool {
			if o.Kind == model.Await {
				return !mine[o.Args[0]] && !brought[o.Args[0]]
			}
			for _, a := range o.Args {
				mine[a] = true
			}
			return false
		})
	}
}
