package main

import (
	"math/rand/v2"

	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/park"
)

// parker has an owner that parks, and the other workers unpark it so many times each; then
// it is closed.
func (p program) parker() error {
	parker := park.New()
	var over atomic.Bool
	var wakers, owner sync.WaitGroup
	owner.Go(func() {
		for parker.Park(); !over.Load(); {
			parker.Park()
		}
	})
	for w := 1; w < p.workers; w++ {
		wakers.Go(func() {
			r := rand.New(rand.NewPCG(p.seed, uint64(w)))
			for range p.tasks {
				parker.Unpark()
				pause(r.IntN(20))
			}
		})
	}
	wakers.Wait()
	over.Store(true)
	parker.Close()
	owner.Wait()
	return nil
}
