package sched_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/sched"
)

func Example() {
	s, err := sched.New(sched.Workers(4))
	if err != nil {
		panic(err)
	}
	var sum atomic.Int64
	for i := range 1000 {
		err := s.Go(func(c sched.Ctx) {
			sum.Add(int64(i))
		})
		if err != nil {
			panic(err)
		}
	}
	if err := s.Close(); err != nil { // all of them have run now
		panic(err)
	}
	fmt.Println(sum.Load())
	// Output: 499500
}

// A tree of tasks grows by itself. Close would cut it short: wait for it first.
func ExampleScheduler_Close() {
	s, err := sched.New(sched.Workers(4))
	if err != nil {
		panic(err)
	}
	var leaves atomic.Int64
	var tree sync.WaitGroup // counts tasks that were spawned and have not ended
	var grow func(depth int) func(sched.Ctx)
	grow = func(depth int) func(sched.Ctx) {
		return func(c sched.Ctx) {
			defer tree.Done()
			if depth == 0 {
				leaves.Add(1)
				return
			}
			tree.Add(2)
			for range 2 {
				if err := c.Go(grow(depth - 1)); err != nil {
					panic(err) // not before Close
				}
			}
		}
	}
	tree.Add(1)
	if err := s.Go(grow(10)); err != nil {
		panic(err)
	}
	tree.Wait()
	fmt.Println(leaves.Load(), s.Close())
	// Output: 1024 <nil>
}

func ExampleSpawn() {
	s, err := sched.New()
	if err != nil {
		panic(err)
	}
	defer s.Close()

	h, err := sched.Spawn(s, func(c sched.Ctx) (string, error) {
		return "done", nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(h.Wait())
	// Output: done <nil>
}

// A function with an argument needs no closure.
func ExampleSpawnWith() {
	s, err := sched.New()
	if err != nil {
		panic(err)
	}
	defer s.Close()

	square := func(_ sched.Ctx, n int) (int, error) { return n * n, nil }
	h, err := sched.SpawnWith(s, square, 12)
	if err != nil {
		panic(err)
	}
	fmt.Println(h.Wait())
	// Output: 144 <nil>
}

// counter is a task that spawns itself: no closure, no allocation.
type counter struct {
	left int
	done chan struct{}
}

func (t *counter) Run(c sched.Ctx) {
	if t.left--; t.left == 0 {
		close(t.done)
		return
	}
	if err := c.GoTask(t); err != nil {
		panic(err)
	}
}

func ExampleCtx_GoTask() {
	s, err := sched.New(sched.Workers(2))
	if err != nil {
		panic(err)
	}
	t := &counter{left: 1000, done: make(chan struct{})}
	if err := s.GoTask(t); err != nil {
		panic(err)
	}
	<-t.done
	fmt.Println(t.left, s.Close())
	// Output: 0 <nil>
}

func ExampleHandle_Wait_panic() {
	s, err := sched.New()
	if err != nil {
		panic(err)
	}
	defer s.Close()

	h, err := sched.Spawn(s, func(sched.Ctx) (int, error) { panic("no such index") })
	if err != nil {
		panic(err)
	}
	_, err = h.Wait()
	var p *sched.PanicError
	fmt.Println(errors.As(err, &p), err)
	// Output: true sched: task panicked: no such index
}

func ExampleNew_badOption() {
	_, err := sched.New(sched.Workers(0))
	fmt.Println(err)
	// Output: sched: Workers(0): want 1 to 4096
}
