package main

import (
	"github.com/filch-sched/filch/ci/bench/floor"
	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/park"
	"github.com/filch-sched/filch/queue"
)

// all returns every group, in the order in which they are run and printed.
func all() []group {
	return append([]group{outside(), inside()}, paths()...)
}

// sum keeps what the loops compute, so that they are not taken away.
var sum uint64

// onFloor is a workload of package floor.
func onFloor(name string, f func(n int) uint64) workload {
	return workload{"floor: " + name, "floor", func() (func(int), func()) {
		return func(n int) { sum += f(n) }, func() {}
	}}
}

// paths are the hot paths of filch, each beside its floor. This package does not
// import sync/atomic: what it costs a stranger to use a ring of his own is what
// is measured.
func paths() []group {
	const n = 2_000_000
	return []group{
		{"ring, push and pop by the owner", n, 1, []workload{
			onFloor("store of tail, CAS of head, slot", floor.Ring),
			{"Ring.Push and Pop", "", func() (func(int), func()) {
				r, err := queue.NewRing[uint64](queue.DefaultCapacity)
				must(err)
				var over queue.Inject[uint64]
				return func(n int) {
					for i := range n {
						r.Push(uint64(i), &over)
						v, _ := r.Pop()
						sum += v
					}
				}, func() {}
			}},
		}},
		{"inject, push and pop", n, 1, []workload{
			onFloor("mutex and store of length, each twice", floor.Inject),
			{"Inject.Push and Pop", "", func() (func(int), func()) {
				var q queue.Inject[uint64]
				return func(n int) {
					for i := range n {
						q.Push(uint64(i))
						v, _ := q.Pop()
						sum += v
					}
				}, func() {}
			}},
		}},
		{"wake when nobody sleeps", n, 1, []workload{
			onFloor("one load", floor.Load),
			{"Tracker.Wake", "", func() (func(int), func()) {
				t, err := idle.New(2, func(int) {})
				must(err)
				return func(n int) {
					for range n {
						if _, woke := t.Wake(idle.Publish); woke {
							sum++
						}
					}
				}, func() {}
			}},
		}},
		{"unpark of one that is awake", n, 1, []workload{
			onFloor("one swap", floor.Swap),
			{"Parker.Unpark", "", func() (func(int), func()) {
				p := park.New()
				return func(n int) {
					for range n {
						p.Unpark()
					}
				}, func() {}
			}},
		}},
	}
}
