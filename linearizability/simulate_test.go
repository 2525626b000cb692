package linearizability_test

import (
	"iter"
	"math/rand/v2"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// sim runs simulated threads one step at a time in a random order, and records
// what they do with stamps as a Clock gives them. What they run on is written
// here once more, step by step, so that a judge is not compared with itself.
type sim struct {
	rng   *rand.Rand
	clock int64
	ops   []model.Operation
	steps []func() bool
	rings []simRing
	cap   int
	queue []model.Task
	shut  bool
	token bool
	next  model.Task
}

// simRing is a ring as its words and slots.
type simRing struct {
	steal, real, tail int
	slots             map[int]model.Task
}

// spawn adds a thread whose body runs from one call of step to the next.
func (s *sim) spawn(body func(step func())) {
	next, _ := iter.Pull(func(yield func(struct{}) bool) {
		body(func() { yield(struct{}{}) })
	})
	s.steps = append(s.steps, func() bool { _, more := next(); return more })
}

// run runs all threads to their end.
func (s *sim) run() {
	for len(s.steps) > 0 {
		i := s.rng.IntN(len(s.steps))
		if !s.steps[i]() {
			s.steps = append(s.steps[:i], s.steps[i+1:]...)
		}
	}
}

// do records one operation of thread t.
func (s *sim) do(t int, op model.Op, step func(), f func() model.Result) {
	s.clock++
	at := len(s.ops)
	s.ops = append(s.ops, model.Operation{Thread: t, Op: op, Call: s.clock})
	step()
	r := f()
	step()
	s.ops[at].Result, s.ops[at].Return = r, s.clock
}

func (s *sim) task() model.Task { s.next++; return s.next }

func (s *sim) push(t int, v model.Task, step func()) model.Result {
	r := &s.rings[t]
	for {
		steal, real := r.steal, r.real
		step()
		switch {
		case r.tail-steal < s.cap:
			r.slots[r.tail] = v
			r.tail++
			return model.Result{Outcome: model.Kept}
		case steal != real:
			s.queue = append(s.queue, v)
			return model.Result{Outcome: model.Handed, Tasks: []model.Task{v}}
		case r.steal != steal || r.real != real:
			continue
		}
		old := r.tail
		r.steal, r.real = old, old
		step()
		var batch []model.Task
		for i := range s.cap / 2 {
			r.slots[old+i] = r.slots[old-s.cap+i]
			batch = append(batch, r.slots[old-s.cap/2+i])
		}
		r.tail += s.cap / 2
		step()
		batch = append(batch, v)
		s.queue = append(s.queue, batch...)
		return model.Result{Outcome: model.Overflowed, Tasks: batch}
	}
}

func (s *sim) pop(t int, step func()) model.Result {
	r := &s.rings[t]
	for {
		steal, real := r.steal, r.real
		step()
		if real == r.tail {
			return model.Result{Outcome: model.Empty}
		}
		if r.steal != steal || r.real != real {
			continue
		}
		r.real++
		if steal == real {
			r.steal++
		}
		return model.Result{Outcome: model.Took, Tasks: []model.Task{r.slots[real]}}
	}
}

func (s *sim) stealFrom(t, victim int, step func()) model.Result {
	src, dst := &s.rings[victim], &s.rings[t]
	if dst.tail-dst.steal > s.cap/2 {
		return model.Result{Outcome: model.NoRoom}
	}
	for {
		step()
		steal, real := src.steal, src.real
		if steal != real {
			return model.Result{Outcome: model.Busy}
		}
		step()
		visible := src.tail - real
		n := visible - visible/2
		if n <= 0 {
			return model.Result{Outcome: model.Empty}
		}
		step()
		if src.steal != steal || src.real != real {
			continue
		}
		src.real += n
		step()
		var got []model.Task
		for i := range n {
			got = append(got, src.slots[real+i])
		}
		step()
		src.steal = src.real
		step()
		for _, v := range got[:n-1] {
			dst.slots[dst.tail] = v
			dst.tail++
		}
		return model.Result{Outcome: model.Stole, N: n, Tasks: got[n-1:]}
	}
}

// ringHistory is a history of an owner and thieves of its ring that is right.
func ringHistory(rng *rand.Rand) *linearizability.History {
	threads := 2 + rng.IntN(2)
	s := &sim{rng: rng, cap: 2 << rng.IntN(2)}
	for range threads {
		s.rings = append(s.rings, simRing{slots: map[int]model.Task{}})
	}
	n := 2 + rng.IntN(4)
	s.spawn(func(step func()) {
		for range n + 2 {
			switch k := rng.IntN(8); {
			case k < 5:
				v := s.task()
				s.do(0, model.Op{Kind: model.Push, Args: []model.Task{v}}, step, func() model.Result { return s.push(0, v, step) })
			case k < 7:
				s.do(0, model.Op{Kind: model.Pop}, step, func() model.Result { return s.pop(0, step) })
			default:
				s.do(0, model.Op{Kind: model.Free}, step, func() model.Result {
					r := s.rings[0]
					return model.Result{Outcome: model.Counted, N: s.cap - (r.tail - r.steal)}
				})
			}
		}
	})
	for t := 1; t < threads; t++ {
		s.spawn(func(step func()) {
			for range n {
				switch k := rng.IntN(8); {
				case k < 5:
					s.do(t, model.Op{Kind: model.Steal}, step, func() model.Result { return s.stealFrom(t, 0, step) })
				case k < 7:
					s.do(t, model.Op{Kind: model.Pop}, step, func() model.Result { return s.pop(t, step) })
				default:
					s.do(t, model.Op{Kind: model.Vacant}, step, func() model.Result {
						real := s.rings[0].real
						step()
						if s.rings[0].tail == real {
							return model.Result{Outcome: model.Counted, N: 1}
						}
						return model.Result{Outcome: model.Counted}
					})
				}
			}
		})
	}
	s.run()
	return &linearizability.History{Target: model.Ring, Threads: threads, Capacity: s.cap, Ops: s.ops}
}

// injectHistory is a history of threads on one inject queue that is right.
func injectHistory(rng *rand.Rand) *linearizability.History { return queueHistory(rng, 0) }

// boundedHistory is one of a queue with a capacity.
func boundedHistory(rng *rand.Rand) *linearizability.History { return queueHistory(rng, 1+rng.IntN(3)) }

func queueHistory(rng *rand.Rand, capacity int) *linearizability.History {
	threads := 2 + rng.IntN(2)
	s := &sim{rng: rng, cap: capacity}
	for t := range threads {
		s.spawn(func(step func()) {
			for range 2 + rng.IntN(4) {
				s.injectOp(t, step)
			}
		})
	}
	s.run()
	return &linearizability.History{Target: model.Inject, Threads: threads, Capacity: capacity, Ops: s.ops}
}

func (s *sim) injectOp(t int, step func()) {
	op := model.Op{Kind: []model.Kind{model.InjectPush, model.InjectPush, model.InjectPush, model.InjectBatch, model.InjectPop,
		model.InjectPop, model.InjectPopN, model.InjectPopN, model.InjectLen, model.InjectClose}[s.rng.IntN(10)]}
	switch op.Kind {
	case model.InjectPush:
		op.Args = []model.Task{s.task()}
	case model.InjectBatch:
		op.Args = []model.Task{s.task(), s.task()}
	case model.InjectPopN:
		op.Max = 1 + s.rng.IntN(3)
	case model.InjectClose:
		if s.rng.IntN(2) == 0 {
			op.Kind = model.InjectLen
		}
	}
	s.injectDo(t, op, step)
}

// injectDo does one operation on the queue and records it.
func (s *sim) injectDo(t int, op model.Op, step func()) {
	s.do(t, op, step, func() model.Result {
		switch op.Kind {
		case model.InjectPush, model.InjectBatch:
			switch {
			case s.shut:
				return model.Result{Outcome: model.Closed}
			case s.cap > 0 && len(s.queue)+len(op.Args) > s.cap:
				return model.Result{Outcome: model.NoRoom}
			}
			s.queue = append(s.queue, op.Args...)
			return model.Result{Outcome: model.Kept}
		case model.InjectLen:
			return model.Result{Outcome: model.Counted, N: len(s.queue)}
		case model.InjectClose:
			first := !s.shut
			s.shut = true
			if first {
				return model.Result{Outcome: model.Done, N: 1}
			}
			return model.Result{Outcome: model.Done}
		}
		n := min(max(1, op.Max), len(s.queue))
		if n == 0 {
			return model.Result{Outcome: model.Empty}
		}
		got := s.queue[:n:n]
		s.queue = s.queue[n:]
		return model.Result{Outcome: model.Took, Tasks: got}
	})
}

// parkHistory is a history of a parker that is right. Nobody waits for ever:
// its owner unparks itself when it would.
func parkHistory(rng *rand.Rand) *linearizability.History {
	threads := 2 + rng.IntN(2)
	s := &sim{rng: rng}
	s.spawn(func(step func()) {
		for range 3 + rng.IntN(3) {
			if rng.IntN(3) == 0 {
				s.do(0, model.Op{Kind: model.ParkTimed}, step, func() model.Result {
					if s.token {
						s.token = false
						return model.Result{Outcome: model.Token}
					}
					return model.Result{Outcome: model.TimedOut}
				})
				continue
			}
			s.do(0, model.Op{Kind: model.ParkToken}, step, func() model.Result {
				for !s.token && !s.shut {
					step()
					if len(s.steps) == 1 {
						s.shut = true // the others have ended: a Close that is not recorded would be wrong, so record one
						s.clock++
						s.ops = append(s.ops, model.Operation{Thread: threads, Op: model.Op{Kind: model.ClosePark},
							Result: model.Result{Outcome: model.Done}, Call: s.clock, Return: s.clock})
						s.token = true
					}
				}
				if s.token {
					s.token = false
				}
				return model.Result{Outcome: model.Done}
			})
		}
	})
	for t := 1; t < threads; t++ {
		s.spawn(func(step func()) {
			for range 2 + rng.IntN(4) {
				s.do(t, model.Op{Kind: model.Unpark}, step, func() model.Result {
					s.token = true
					return model.Result{Outcome: model.Done}
				})
			}
		})
	}
	s.run()
	return &linearizability.History{Target: model.Park, Threads: threads + 1, Ops: s.ops}
}
