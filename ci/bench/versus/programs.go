package main

import (
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// program is what both sides explore. Its body joins its threads and returns an
// outcome: what they have read, width bits for each thread, packed the same way
// on both sides.
type program struct {
	name       string
	what       string
	code       string // what the Rust side knows it by
	threads    int
	width      int
	mustFinish bool
	body       func() uint64
}

// programs returns every program, in the order of the table. Those of the Rust
// side have the same steps, in loom-rs/src/programs.rs.
func programs() []program {
	list := []program{
		{name: "rmw(1)", what: "three threads add to one word four times each", threads: 3, width: 16, body: func() uint64 { return rmw(1) }},
		{name: "rmw(2)", what: "the same, two words in turn", threads: 3, width: 16, body: func() uint64 { return rmw(2) }},
		{name: "rmw(3)", what: "the same, three words in turn", threads: 3, width: 16, body: func() uint64 { return rmw(3) }},
		{name: "SB", what: "store buffering", threads: 2, width: 1, body: sb},
		{name: "MP", what: "message passing", threads: 2, width: 2, body: mp},
		{name: "IRIW", what: "independent reads of independent writes", threads: 4, width: 2, body: iriw},
		{name: "readers(2)", what: "one store, two loads", threads: 3, width: 8, body: func() uint64 { return readers(2) }},
		{name: "readers(3)", what: "one store, three loads", threads: 4, width: 8, body: func() uint64 { return readers(3) }, mustFinish: true},
		{name: "lastzero(2)", what: "two writers, a reader looks for the last zero", threads: 3, width: 4, body: func() uint64 { return lastzero(2) }},
		{name: "lastzero(3)", what: "the same with three writers", threads: 4, width: 4, body: func() uint64 { return lastzero(3) }},
		{name: "lockinc(2)", what: "load and store under a mutex, two threads", threads: 2, width: 4, body: func() uint64 { return lockinc(2) }},
		{name: "lockinc(3)", what: "the same with three threads", threads: 3, width: 4, body: func() uint64 { return lockinc(3) }},
		{name: "late store", what: "load || load, store 1", threads: 2, width: 1, body: lateStore},
		{name: "late cas", what: "load || load, CAS 0 to 1", threads: 2, width: 1, body: lateCAS},
	}
	for i := range list {
		list[i].code = list[i].name
	}
	return append(list, ring("no-room", false), ring("two-thieves-four-tasks", true))
}

func find(name string) (program, bool) {
	for _, p := range programs() {
		if p.name == name {
			return p, true
		}
	}
	return program{}, false
}

// all runs the threads and packs what they return, width bits each.
func all(width int, threads ...func() uint64) uint64 {
	results := make([]uint64, len(threads))
	handles := make([]*loom.Thread, len(threads))
	for i, f := range threads {
		handles[i] = loom.Go(func() { results[i] = f() })
	}
	var out uint64
	for i, h := range handles {
		h.Join()
		out = out<<width | results[i]
	}
	return out
}

func rmw(words int) uint64 {
	x := make([]atomic.Uint32, words)
	thread := func() uint64 {
		var out uint64
		for i := range 4 {
			out = out<<4 | uint64(x[i%words].Add(1)-1)
		}
		return out
	}
	return all(16, thread, thread, thread)
}

func load(x *atomic.Uint32) uint64 { return uint64(x.Load()) }

func sb() uint64 {
	var x, y atomic.Uint32
	return all(1,
		func() uint64 { x.Store(1); return load(&y) },
		func() uint64 { y.Store(1); return load(&x) })
}

func mp() uint64 {
	var x, y atomic.Uint32
	return all(2,
		func() uint64 { x.Store(1); y.Store(1); return 0 },
		func() uint64 { a := load(&y); return a<<1 | load(&x) })
}

func iriw() uint64 {
	var x, y atomic.Uint32
	return all(2,
		func() uint64 { x.Store(1); return 0 },
		func() uint64 { y.Store(1); return 0 },
		func() uint64 { a := load(&x); return a<<1 | load(&y) },
		func() uint64 { a := load(&y); return a<<1 | load(&x) })
}

func readers(n int) uint64 {
	var x atomic.Uint32
	threads := []func() uint64{func() uint64 { x.Store(42); return 0 }}
	for range n {
		threads = append(threads, func() uint64 { return load(&x) })
	}
	return all(8, threads...)
}

func lastzero(n int) uint64 {
	a := make([]atomic.Uint32, n+1)
	threads := []func() uint64{func() uint64 {
		i := n
		for a[i].Load() != 0 {
			i--
		}
		return uint64(i)
	}}
	for j := 1; j <= n; j++ {
		threads = append(threads, func() uint64 {
			v := a[j-1].Load() + 1
			a[j].Store(v)
			return uint64(v)
		})
	}
	return all(4, threads...)
}

func lockinc(n int) uint64 {
	var mu sync.Mutex
	var x atomic.Uint32
	threads := make([]func() uint64, n)
	for i := range threads {
		threads[i] = func() uint64 {
			mu.Lock()
			defer mu.Unlock()
			v := x.Load()
			x.Store(v + 1)
			return uint64(v)
		}
	}
	return all(4, threads...)
}

// lateStore is a program whose second thread stores after a load of its own. A
// search that compares a step with the last access to the word only does not
// see that the store races with the first thread's load (tokio-rs/loom does so
// in src/rt/execution.rs, schedule, and src/rt/atomic.rs).
func lateStore() uint64 {
	var x atomic.Uint32
	return all(1,
		func() uint64 { return load(&x) },
		func() uint64 { v := load(&x); x.Store(1); return v })
}

func lateCAS() uint64 {
	var x atomic.Uint32
	return all(1,
		func() uint64 { return load(&x) },
		func() uint64 { v := load(&x); x.CompareAndSwap(0, 1); return v })
}
