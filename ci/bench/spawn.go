package main

import (
	"runtime"
	"sync"

	"github.com/alitto/pond/v2"
	"github.com/filch-sched/filch/sched"
)

// Every task of these workloads does one thing, Done of a WaitGroup that the
// run waits for: the same in all of them.

// outside spawns n tasks from a goroutine that is no worker.
func outside() group {
	return group{"spawn from outside, trivial tasks", 100_000, 2, []workload{
		{"goroutines and a WaitGroup", "goroutines", func() (func(int), func()) {
			var wg sync.WaitGroup
			task := func() { wg.Done() }
			return func(n int) {
				wg.Add(n)
				for range n {
					go task()
				}
				wg.Wait()
			}, func() {}
		}},
		{"pond v2, as many workers", "pond", func() (func(int), func()) {
			pool := pond.NewPool(runtime.GOMAXPROCS(0))
			var wg sync.WaitGroup
			task := func() { wg.Done() }
			return func(n int) {
				wg.Add(n)
				for range n {
					must(pool.Go(task))
				}
				wg.Wait()
			}, pool.StopAndWait
		}},
		{"filch", "", func() (func(int), func()) {
			s := scheduler()
			var wg sync.WaitGroup
			task := func(sched.Ctx) { wg.Done() }
			return func(n int) {
				wg.Add(n)
				for range n {
					must(s.Go(task))
				}
				wg.Wait()
			}, func() { must(s.Close()) }
		}},
	}}
}

// batch is how many tasks one task spawns.
const batch = 10_000

// inside spawns n tasks from inside tasks, batch from each.
func inside() group {
	return group{"spawn from inside, one task spawns 10,000", 10 * batch, 2, []workload{
		{"goroutines and a WaitGroup", "goroutines", func() (func(int), func()) {
			return func(n int) {
				inBatches(n, func(n int, wg *sync.WaitGroup) {
					task := func() { wg.Done() }
					go func() {
						for range n {
							go task()
						}
						wg.Done()
					}()
				})
			}, func() {}
		}},
		{"pond v2, as many workers", "pond", func() (func(int), func()) {
			pool := pond.NewPool(runtime.GOMAXPROCS(0))
			return func(n int) {
				inBatches(n, func(n int, wg *sync.WaitGroup) {
					task := func() { wg.Done() }
					must(pool.Go(func() {
						for range n {
							must(pool.Go(task))
						}
						wg.Done()
					}))
				})
			}, pool.StopAndWait
		}},
		{"filch", "", func() (func(int), func()) {
			s := scheduler()
			return func(n int) {
				inBatches(n, func(n int, wg *sync.WaitGroup) {
					task := func(sched.Ctx) { wg.Done() }
					must(s.Go(func(c sched.Ctx) {
						for range n {
							must(c.Go(task))
						}
						wg.Done()
					}))
				})
			}, func() { must(s.Close()) }
		}},
	}}
}

// inBatches calls spawn for batch after batch and waits for each: for n tasks
// and the one that spawns them.
func inBatches(n int, spawn func(n int, wg *sync.WaitGroup)) {
	for n > 0 {
		var wg sync.WaitGroup
		some := min(n, batch)
		wg.Add(some + 1)
		spawn(some, &wg)
		wg.Wait()
		n -= some
	}
}

func scheduler() *sched.Scheduler {
	s, err := sched.New()
	must(err)
	return s
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
