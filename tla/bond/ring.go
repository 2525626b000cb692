package bond

import (
	"fmt"
	"strings"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
	"github.com/filch-sched/filch/queue"
)

// The tasks of a driver: any number of anonymous ones and one that is tagged. The
// code does not look at tasks, so it is enough to follow one.
const (
	none = iota
	anonymous
	tagged
)

// What an operation has answered, as told has it.
const (
	done = iota
	nothing
	busy
	noRoom
)

// told puts what an operation has answered into the label of the step with which
// it ends: as so many choices among one.
func told(answer int) {
	for range answer {
		loom.Choose(1)
	}
	loom.Completed()
}

// ring is a ring under check, whose states are told apart by indices relative to
// steal.
type ring struct{ closed.Relative }

func newRing(d *loom.Driver, capacity int) *ring {
	return &ring{closed.NewRelative(d, capacity, 0)}
}

func (r *ring) len() int { return int(uint32(r.Tail()) - uint32(r.Head())) }

// text is what RingBond calls Words of the ring.
func (r *ring) text() string {
	s, slots := r.Steal(), make([]string, len(r.Slots))
	for i := range slots {
		slots[i] = fmt.Sprint(r.Slots[(int(s)+i)&(len(slots)-1)]())
	}
	return fmt.Sprintf("<<%d, %d, <<%s>>>>", uint32(r.Head())-s, uint32(r.Tail())-s, strings.Join(slots, ", "))
}

// fate is what has become of the tagged task.
type fate struct{ pushed, returned, spilled int8 }

func (f *fate) take(v int) {
	if v == tagged {
		f.returned++
	}
}

// Push and PushBatch make a fate the place that overflows go to.
func (f *fate) Push(v int) bool { return f.PushBatch([]int{v}) }

func (f *fate) PushBatch(vs []int) bool {
	for _, v := range vs {
		if v == tagged {
			f.spilled++
		}
	}
	return true
}

func (f *fate) text() string { return fmt.Sprintf("<<%d, %d, %d>>", f.pushed, f.returned, f.spilled) }

// show shows rings as RingBond shows them.
func show(d *loom.Driver, f *fate, rings []*ring) {
	d.Show(func() string {
		text := f.text()
		for _, r := range rings {
			text += ", " + r.text()
		}
		return "<<" + text + ">>"
	})
}

// Rings is the driver of a ring whose owner pushes and pops, and of thieves, each of
// which steals into a ring of its own and then empties that. With no tag all tasks
// are alike.
func Rings(capacity, thieves int, tag bool) func() {
	return func() {
		d, f := loom.Drive(), new(fate)
		rings := []*ring{newRing(d, capacity)}
		d.Root("ring", rings[0].Ring)
		d.Root("fate", f)
		loom.Go(func() {
			for {
				loom.Boundary(0)
				f.operate(rings[0], tag)
			}
		})
		for i := range thieves {
			own := newRing(d, capacity)
			t := loom.Go(func() {
				for {
					loom.Boundary(0)
					f.steal(rings[0], own)
				}
			})
			d.Own(t, fmt.Sprintf("ring %d", i), own.Ring)
			rings = append(rings, own)
		}
		show(d, f, rings)
	}
}

// operate is one operation of an owner that pushes and pops.
func (f *fate) operate(r *ring, tag bool) {
	choices := 2
	if tag && f.pushed == 0 {
		choices = 3
	}
	f.choose(r, loom.Choose(choices))
}

// choose does what was chosen: a pop, the push of an anonymous task, or of the tagged
// one.
func (f *fate) choose(r *ring, choice int) {
	answer := done
	switch choice {
	case 0:
		v, ok := r.Pop()
		if !ok {
			answer = nothing
		}
		f.take(v)
	case 1:
		r.Push(anonymous, f)
	case 2:
		f.pushed++
		r.Push(tagged, f)
	}
	told(answer)
}

// steal is a steal and the pops that empty the thief's ring again.
func (f *fate) steal(from, own *ring) {
	v, n, out := from.Stealer().StealInto(own.Ring)
	f.take(v)
	told(map[queue.Outcome]int{queue.Stole: done, queue.Empty: nothing, queue.Busy: busy, queue.NoRoom: noRoom}[out])
	for range n - 1 {
		loom.Boundary(1) // how many are left is told by the ring
		v, _ := own.Pop()
		f.take(v)
		told(done)
	}
}

// Pair is the driver of two workers that each push, pop, and steal from the other.
func Pair(capacity int, tag bool) func() {
	return func() {
		d, f := loom.Drive(), new(fate)
		rings := []*ring{newRing(d, capacity), newRing(d, capacity)}
		for i, r := range rings {
			d.Root(fmt.Sprintf("ring %d", i), r.Ring)
		}
		d.Root("fate", f)
		for i := range rings {
			loom.Go(func() {
				for {
					loom.Boundary(0)
					f.work(rings[i], rings[1-i], tag)
				}
			})
		}
		show(d, f, rings)
	}
}

// work is one operation of a worker that also steals.
func (f *fate) work(own, other *ring, tag bool) {
	choices := 3
	if tag && f.pushed == 0 {
		choices = 4
	}
	switch choice := loom.Choose(choices); choice {
	case 0:
		v, _, out := other.Stealer().StealInto(own.Ring)
		f.take(v)
		told(map[queue.Outcome]int{queue.Stole: done, queue.Empty: nothing, queue.Busy: busy, queue.NoRoom: noRoom}[out])
	default:
		f.choose(own, choice-1)
	}
}

// RingOptions are the loops of a ring whose failed rounds leave nothing behind: each
// computes all anew from the head that it then loads, and from what only the
// completed rounds of its owner change.
func RingOptions() []loom.Option {
	return []loom.Option{
		loom.RetryAt("Ring.Pop", "CompareAndSwap"), loom.RetryAt("Ring.pushFull", "CompareAndSwap"),
		loom.RetryAt("Stealer.claim", "CompareAndSwap"), loom.RetryAt("Ring.release", "CompareAndSwap"),
		loom.Race("NoSlotRace"),
	}
}
