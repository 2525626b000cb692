package sched

import (
	"fmt"
	"log"
	"math/bits"
	"math/rand/v2"
	"runtime"

	"github.com/filch-sched/filch/queue"
)

// Option sets one property of a scheduler. A value out of range makes [New]
// return an error that names the option and the value.
type Option func(*options) error

type options struct {
	workers  int
	capacity int
	interval int // tasks between two looks at inject first; 0 tunes itself
	seed     uint64
	lifo     bool
	onPanic  func(*PanicError)
}

func defaults() options {
	return options{
		workers:  min(runtime.GOMAXPROCS(0), MaxWorkers),
		capacity: queue.DefaultCapacity,
		seed:     rand.Uint64(),
		lifo:     true,
		onPanic:  func(p *PanicError) { log.Printf("%v\n%s", p, p.Stack) },
	}
}

// MaxWorkers is the largest number of workers. Half of them may search at once,
// each of them at all others: much more than the processors of a machine is
// waste, and beyond this starting and ending take many seconds.
const MaxWorkers = 4096

// Workers sets how many tasks can run at once, 1 to [MaxWorkers]. The default is
// GOMAXPROCS at the time of New.
func Workers(n int) Option {
	return func(o *options) error {
		if n < 1 || n > MaxWorkers {
			return fmt.Errorf("sched: Workers(%d): want 1 to %d", n, MaxWorkers)
		}
		o.workers = n
		return nil
	}
}

// RingCapacity sets how many tasks a worker's local queue holds before half of
// them move to the global one: a power of two from [queue.MinCapacity] to
// [queue.MaxCapacity]. The default is [queue.DefaultCapacity].
func RingCapacity(n int) Option {
	return func(o *options) error {
		if n < queue.MinCapacity || n > queue.MaxCapacity || bits.OnesCount(uint(n)) != 1 {
			return fmt.Errorf("sched: RingCapacity(%d): want a power of two from %d to %d",
				n, queue.MinCapacity, queue.MaxCapacity)
		}
		o.capacity = n
		return nil
	}
}

// GlobalInterval sets after how many tasks at the most a busy worker looks at
// the global queue before its own, 1 to 127. By default a worker tunes the
// number itself, so that it looks about every 200 microseconds.
func GlobalInterval(n int) Option {
	return func(o *options) error {
		if n < 1 || n > maxInterval {
			return fmt.Errorf("sched: GlobalInterval(%d): want 1 to %d", n, maxInterval)
		}
		o.interval = n
		return nil
	}
}

// Seed fixes the order in which workers try victims. The default is random.
// Runs with one seed still differ: goroutines are not scheduled the same twice.
func Seed(seed uint64) Option {
	return func(o *options) error {
		o.seed = seed
		return nil
	}
}

// NoLIFOSlot makes every spawn go to the end of the worker's queue. Spawned
// tasks then run in order, and none waits in a place that is stolen from last.
func NoLIFOSlot() Option {
	return func(o *options) error {
		o.lifo = false
		return nil
	}
}

// OnPanic sets what is done with the panic of a task that has no handle to
// report it. f runs on the worker, must not panic, and should return soon. The
// default prints the panic and its stack with package log.
func OnPanic(f func(*PanicError)) Option {
	return func(o *options) error {
		if f == nil {
			return fmt.Errorf("sched: OnPanic(nil): want a function")
		}
		o.onPanic = f
		return nil
	}
}
