package target

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/time"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/park"
)

// parkers is a parker for each thread, and one plain variable.
type parkers struct {
	parkers []*park.Parker
	users   []parkUser
	cell    cell.Cell[model.Task]
	// published is when the first Unpark after a Write had returned. It is no
	// word of the shim: the run learns from it what it could know from its
	// stamps alone, and no edge comes of it under exploration.
	published []atomic.Int64 // by parker
}

// parkUser is what a thread remembers of its own operations.
type parkUser struct {
	wrote  bool
	parked int64 // when its last Park was called
}

func newParkers(s model.Scenario) *parkers {
	n := len(s.Threads)
	p := &parkers{users: make([]parkUser, n), published: make([]atomic.Int64, n)}
	for i := range n {
		p.parkers = append(p.parkers, park.New())
		p.published[i].Store(math.MaxInt64)
	}
	return p
}

// timeout is short in the ordinary build, where time passes, so that a run does
// not wait long; under exploration any positive time may be over at any step.
const timeout time.Duration = 20_000

func (p *parkers) do(thread int, op model.Op, call int64) model.Result {
	u := &p.users[thread]
	switch op.Kind {
	case model.ParkToken:
		u.parked = call
		p.parkers[thread].Park()
	case model.ParkTimed:
		u.parked = call
		if p.parkers[thread].ParkTimeout(timeout) {
			return model.Result{Outcome: model.Token}
		}
		return model.Result{Outcome: model.TimedOut}
	case model.Unpark:
		p.parkers[op.On].Unpark()
	case model.ClosePark:
		p.parkers[op.On].Close()
	case model.Write:
		p.cell.Store(op.Args[0])
		u.wrote = true
	case model.Read:
		// Only if the Unpark that follows the Write had returned before the
		// Park was called is it known that the Park saw it.
		if p.published[thread].Load() > u.parked {
			return model.Result{Outcome: model.Skipped}
		}
		return model.Result{Outcome: model.Took, Tasks: []model.Task{p.cell.Load()}}
	default:
		panic(fmt.Sprintf("target: %v on parkers", op))
	}
	return model.Result{Outcome: model.Done}
}

// returned notes the first Unpark of a thread that has written.
func (p *parkers) returned(thread int, op model.Op, at int64) {
	if op.Kind == model.Unpark && p.users[thread].wrote {
		p.published[op.On].CompareAndSwap(math.MaxInt64, at)
	}
}

func (p *parkers) finish(func(thread int, op model.Op) model.Result) {}
