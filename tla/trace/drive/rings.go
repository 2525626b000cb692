package main

import (
	"math/rand/v2"

	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/queue"
	"github.com/filch-sched/filch/tla/trace"
)

// rings has each worker fill its ring and then do as many operations on it and on those
// of the others.
func (p program) rings() error {
	all := make([]*calls, p.workers)
	for w := range all {
		r, err := queue.NewRing[uint64](trace.RingCapacity, queue.StartAt(trace.RingStart))
		if err != nil {
			return err
		}
		all[w] = &calls{Ring: r, worker: w}
	}
	var workers sync.WaitGroup
	for _, c := range all {
		workers.Go(func() { p.operate(c, all) })
	}
	workers.Wait()
	return nil
}

// operate draws what an owner does. It pushes more often than it pops, so that rings
// are full now and then; others take the rest.
func (p program) operate(c *calls, all []*calls) {
	r := rand.New(rand.NewPCG(p.seed, uint64(c.worker)))
	next := uint64(c.worker)*uint64(trace.RingCapacity+p.tasks*maxBatch) + 1 // task 0 is none
	for range trace.RingCapacity {                                           // what is rare happens around a full ring
		c.push(next)
		next++
	}
	for range p.tasks {
		switch r.IntN(10) {
		case 0, 1, 2, 3:
			c.push(next)
			next++
		case 4:
			next += uint64(c.batch(2+r.IntN(maxBatch-1), next))
		case 5, 6:
			c.pop()
		default:
			victim := r.IntN(len(all) - 1)
			if victim >= c.worker {
				victim++
			}
			c.steal(all[victim])
		}
		pause(r.IntN(2))
	}
}

// maxBatch bounds the batches.
const maxBatch = 3
