package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// scenario is one of model/scenarios whose threads only push, pop and steal,
// and have room for what they push.
type scenario struct {
	model.Scenario
	at queue.Option // where its rings start
}

// ring returns the program that performs a scenario. It panics if there is none
// of that name, or one that the Rust side cannot do.
func ring(name string, mustFinish bool) program {
	corpus, err := model.Corpus()
	must(err)
	i := slices.IndexFunc(corpus, func(s model.Scenario) bool { return s.Name == name && s.Target == model.Ring })
	if i < 0 {
		panic(fmt.Sprintf("versus: no scenario %q of rings", name))
	}
	s := scenario{Scenario: corpus[i]}
	width := 0
	for _, th := range s.Threads {
		width = max(width, 8*len(th.Ops))
	}
	if width*len(s.Threads) > 64 {
		panic(fmt.Sprintf("versus: scenario %q has too many operations for an outcome of 64 bits", name))
	}
	s.at = queue.StartAt(uint32(s.Start))
	return program{
		name: "ring " + name, what: fmt.Sprintf("scenario of that name, capacity %d", s.Capacity), code: "ring:" + s.text(),
		threads: len(s.Threads), width: width, mustFinish: mustFinish, body: func() uint64 { return s.run(width) },
	}
}

// text is the scenario as the Rust side reads it, see loom-rs/src/ring.rs.
func (s scenario) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d", s.Capacity, uint32(s.Start))
	for i, th := range s.Threads {
		var setup, ops []string
		for _, st := range s.Setup {
			if st.Thread == i {
				setup = append(setup, code(st.Op))
			}
		}
		for _, op := range th.Ops {
			ops = append(ops, code(op))
		}
		fmt.Fprintf(&b, "/%s:%s", strings.Join(setup, ","), strings.Join(ops, ","))
	}
	return b.String()
}

func code(op model.Op) string {
	switch op.Kind {
	case model.Push:
		return fmt.Sprintf("+%d", op.Args[0])
	case model.Pop:
		return "-"
	case model.Steal:
		return fmt.Sprintf("s%d", op.On)
	}
	panic(fmt.Sprintf("versus: %v is not push, pop or steal", op))
}

// full is the overflow of rings that never are.
type full struct{}

func (full) Push(uint32) bool        { panic("versus: push into a full ring") }
func (full) PushBatch([]uint32) bool { panic("versus: push into a full ring") }

// do carries out op on the ring of its thread and returns the result in a byte.
func do(rings []*queue.Ring[uint32], thread int, op model.Op) uint64 {
	switch own := rings[thread]; op.Kind {
	case model.Push:
		own.Push(uint32(op.Args[0]), full{})
		return 0
	case model.Pop:
		v, _ := own.Pop()
		return uint64(v)
	default:
		v, n, out := rings[op.On].Stealer().StealInto(own)
		switch out {
		case queue.Busy:
			return 0x10
		case queue.NoRoom:
			return 0x20
		case queue.Stole:
			return 0x40 | uint64(n)<<4 | uint64(v)
		}
		return 0
	}
}

// run performs the scenario once, and at the end takes out what is left: no task
// may be lost or come twice.
func (s scenario) run(width int) uint64 {
	rings := make([]*queue.Ring[uint32], len(s.Threads))
	for i := range rings {
		r, err := queue.NewRing[uint32](s.Capacity, s.at)
		must(err)
		rings[i] = r
	}
	pushed := 0
	for _, st := range s.Setup {
		do(rings, st.Thread, st.Op)
		pushed += len(st.Op.Args)
	}
	threads := make([]func() uint64, len(s.Threads))
	for i, th := range s.Threads {
		for _, op := range th.Ops {
			pushed += len(op.Args)
		}
		threads[i] = func() (out uint64) {
			for _, op := range th.Ops {
				out = out<<8 | do(rings, i, op)
			}
			return out
		}
	}
	out := all(width, threads...)
	check(out, pushed, rings)
	return out
}

// check takes out what is left and counts every task, those in results too.
func check(out uint64, pushed int, rings []*queue.Ring[uint32]) {
	var seen [16]bool
	see := func(v uint64) {
		if v == 0 || seen[v] {
			panic(fmt.Sprintf("versus: NoDuplicateTask: task %d came twice, or there is none", v))
		}
		seen[v] = true
		pushed--
	}
	for ; out != 0; out >>= 8 {
		if v := out & 0xf; v != 0 {
			see(v)
		}
	}
	for _, r := range rings {
		for v, ok := r.Pop(); ok; v, ok = r.Pop() {
			see(uint64(v))
		}
	}
	if pushed != 0 {
		panic(fmt.Sprintf("versus: NoLostTask: %d tasks did not come out", pushed))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
