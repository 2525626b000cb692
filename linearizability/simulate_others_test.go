package linearizability_test

import (
	"math/rand/v2"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// dequeHistory is a history of an owner and thieves of a deque that is right.
func dequeHistory(rng *rand.Rand) *linearizability.History {
	threads := 2 + rng.IntN(2)
	s := &sim{rng: rng, cap: rng.IntN(4)}
	took := func(v model.Task) model.Result { return model.Result{Outcome: model.Took, Tasks: []model.Task{v}} }
	s.spawn(func(step func()) {
		for range 3 + rng.IntN(4) {
			if rng.IntN(2) == 0 {
				s.do(0, model.Op{Kind: model.DequePop}, step, func() model.Result {
					if len(s.queue) == 0 {
						return model.Result{Outcome: model.Empty}
					}
					v := s.queue[len(s.queue)-1]
					s.queue = s.queue[: len(s.queue)-1 : len(s.queue)-1]
					return took(v)
				})
				continue
			}
			v := s.task()
			s.do(0, model.Op{Kind: model.DequePush, Args: []model.Task{v}}, step, func() model.Result {
				if s.cap > 0 && len(s.queue) == s.cap {
					return model.Result{Outcome: model.NoRoom}
				}
				s.queue = append(s.queue, v)
				return model.Result{Outcome: model.Kept}
			})
		}
	})
	for t := 1; t < threads; t++ {
		s.spawn(func(step func()) {
			for range 2 + rng.IntN(2) {
				s.do(t, model.Op{Kind: model.DequeSteal}, step, func() model.Result {
					if len(s.queue) == 0 {
						return model.Result{Outcome: model.Empty}
					}
					v := s.queue[0]
					s.queue = s.queue[1:]
					return took(v)
				})
			}
		})
	}
	s.run()
	return &linearizability.History{Target: model.Deque, Threads: threads, Capacity: s.cap, Ops: s.ops}
}

// taskHistory is a history of a scheduler that is right: threads outside spawn
// and close, workers run what is queued, and a task may spawn another.
func taskHistory(rng *rand.Rand) *linearizability.History {
	const outside, workers = 2, 2
	s := &sim{rng: rng}
	running := 0
	submit := func(t int, kind model.Kind, step func()) {
		v := s.task()
		s.do(t, model.Op{Kind: kind, Args: []model.Task{v}}, step, func() model.Result {
			if s.shut && kind == model.Submit {
				return model.Result{Outcome: model.Closed}
			}
			s.queue = append(s.queue, v)
			return model.Result{Outcome: model.Kept}
		})
	}
	for t := range outside {
		s.spawn(func(step func()) {
			for range 1 + rng.IntN(3) {
				submit(t, model.Submit, step)
			}
			if t == 0 {
				s.do(t, model.Op{Kind: model.Close}, step, func() model.Result {
					s.shut = true
					for len(s.queue) > 0 || running > 0 {
						step()
					}
					return model.Result{Outcome: model.Done}
				})
			}
		})
	}
	for t := outside; t < outside+workers; t++ {
		s.spawn(func(step func()) {
			for !s.shut || len(s.queue) > 0 {
				if len(s.queue) == 0 {
					step()
					continue
				}
				i := rng.IntN(len(s.queue))
				v := s.queue[i]
				s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
				running++
				step()
				s.do(t, model.Op{Kind: model.Run, Args: []model.Task{v}}, step, func() model.Result { return model.Result{Outcome: model.Done} })
				running--
			}
		})
	}
	s.run()
	return &linearizability.History{Target: model.Sched, Threads: outside + workers, Ops: s.ops}
}
