package linearizability_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// fifoHistory is a history of threads that push, pop and close, one task at a
// time, that is right.
func fifoHistory(rng *rand.Rand) *linearizability.History {
	threads := 2 + rng.IntN(3)
	s := &sim{rng: rng}
	for t := range threads {
		s.spawn(func(step func()) {
			for range 2 + rng.IntN(3) {
				op := model.Op{Kind: []model.Kind{model.InjectPush, model.InjectPop}[rng.IntN(2)]}
				switch {
				case rng.IntN(24) == 0:
					op.Kind = model.InjectClose
				case op.Kind == model.InjectPush:
					op.Args = []model.Task{s.task()}
				}
				s.injectDo(t, op, step)
			}
		})
	}
	s.run()
	return &linearizability.History{Target: model.Inject, Threads: threads, Ops: s.ops}
}

// exhaustive decides by trying every order of the operations, with nothing but
// the queue itself: a decider that shares no thought with the others.
func exhaustive(ops []model.Operation) bool {
	var try func(left []model.Operation, queue []model.Task, closed bool) bool
	try = func(left []model.Operation, queue []model.Task, closed bool) bool {
		if len(left) == 0 {
			return true
		}
		first := int64(linearizability.Never)
		for _, o := range left {
			first = min(first, o.Return)
		}
		for i, o := range left {
			if o.Call > first {
				continue // another has returned before
			}
			rest := append(append([]model.Operation(nil), left[:i]...), left[i+1:]...)
			q, c := queue, closed
			switch {
			case o.Kind == model.InjectClose:
				if (o.N == 1) == closed {
					continue
				}
				c = true
			case o.Outcome == model.Closed && !closed, o.Outcome == model.Kept && closed,
				o.Outcome == model.Empty && len(queue) > 0,
				o.Outcome == model.Took && (len(queue) == 0 || queue[0] != o.Tasks[0]):
				continue
			case o.Outcome == model.Kept:
				q = append(queue[:len(queue):len(queue)], o.Args[0])
			case o.Outcome == model.Took:
				q = queue[1:]
			}
			if try(rest, q, c) {
				return true
			}
		}
		return false
	}
	return try(ops, nil, false)
}

// The patterns that need no search, porcupine, and the trial of all orders.
func TestFIFOPatternsAgree(t *testing.T) {
	requireAgreement(t, fifoHistory, func(h *linearizability.History, lawful bool) {
		require.Equal(t, lawful, exhaustive(h.Ops), "porcupine and the trial of all orders\n%s", h.Ops.Format(nil))
	})
}
