package loom

import (
	"fmt"

	"github.com/filch-sched/filch/loom/internal/graph"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// Driver is what the body of [Graph] says about the code under check. Its methods
// are called in the body, but for Waits and At, and do nothing outside of a Graph,
// so that a bounded driver can be a body of [Check], too. A pointer that is nil,
// or a field that is not there, is refused.
type Driver struct {
	search *graph.Search   // nil: this is no Graph
	thread *machine.Thread // of the body
}

// Drive returns the Driver of the running Graph.
func Drive() *Driver {
	t := current()
	if t == nil {
		return &Driver{}
	}
	return &Driver{graph.Of(t), t}
}

// Completed says that the calling thread has completed an operation, with the step
// that it has just taken. See [Driver.Progress].
func Completed() {
	if t := current(); t != nil {
		if s := graph.Of(t); s != nil {
			s.Complete()
		}
	}
}

func (d *Driver) must(err error) {
	if err != nil {
		d.thread.Refuse(err.Error())
	}
}

// Threads returns the threads that there are so far, but for the body: also those
// that the code under check has started, in the order in which they were.
func (d *Driver) Threads() []*Thread {
	if d.search == nil {
		return nil
	}
	var all []*Thread
	for _, t := range d.search.Threads()[1:] {
		all = append(all, &Thread{model: t, run: t.Run()})
	}
	return all
}

// Root names memory that the threads share: what pointer points to, and all that
// is reached from there. What the driver itself counts, so that claims can be
// about it, goes here, too.
func (d *Driver) Root(name string, pointer any) {
	if d.search != nil {
		d.search.Share(name, pointer)
	}
}

// Own names memory like Root that is t's own: no other thread uses it.
func (d *Driver) Own(t *Thread, name string, pointer any) {
	if d.search != nil {
		d.search.Own(t.model.ID(), name, pointer)
	}
}

// Symmetric says that threads run the same function, each with its own memory, and
// that nothing tells which of them is which: states that differ by who is who are
// one. There may be 5 such threads in all. A thread that depends on another one of
// them by name, such as by working on what is its own, is refused.
func (d *Driver) Symmetric(threads ...*Thread) {
	if d.search == nil || len(threads) < 2 {
		return
	}
	var ids []int
	for _, t := range threads {
		ids = append(ids, t.model.ID())
	}
	d.must(d.search.Symmetric(ids...))
}

// View has the word in a field of the struct that pointer points to told apart by
// what read returns of its values, also of those that threads have observed: the
// code cannot tell two values apart that read does not. read is asked of each word
// alone, and of each observation of one: so what the code learns by comparing several, as
// whether they are equal, must show in what read returns of each, as it does in
// differences to one and the same word. read may load other words, by [Peek]; it is asked
// again in every state. The field holds 4 or 8 bytes, plain or of an atomic type.
func (d *Driver) View(pointer any, field string, read func(v uint64) uint64) {
	if d.search != nil {
		d.must(d.search.Rewrite(pointer, field, read))
	}
}

// Rotate has the slice in a field told apart by its elements from number from()
// on, and around.
func (d *Driver) Rotate(pointer any, field string, from func() int) {
	if d.search != nil {
		d.must(d.search.Rotate(pointer, field, from))
	}
}

// Ignore leaves a field out: nothing that the code does depends on it.
func (d *Driver) Ignore(pointer any, field string) {
	if d.search != nil {
		d.must(d.search.Ignore(pointer, field))
	}
}

// Guards says what the lock in a field of the struct that pointer points to
// guards: a thread that takes it looks, of the plain memory that other threads
// change, only at what is in the roots of the given names. Without it, a thread
// is taken to have seen all roots.
func (d *Driver) Guards(pointer any, field string, roots ...string) {
	if d.search != nil {
		d.must(d.search.Guards(pointer, field, roots...))
	}
}

// Fresh says that the atomic word in a field only goes forward: what it comes to hold
// is, in one order for all executions, after all that threads have seen in it, as with
// an index. So a compare-and-swap of it in a loop of [RetryAt] that would fail now
// will fail, and what its thread has observed in the round does not matter. That no
// value comes back in any one execution is not enough. If no order fits what the word is
// seen to do, Graph returns an error.
func (d *Driver) Fresh(pointer any, field string) {
	if d.search != nil {
		d.must(d.search.Fresh(pointer, field))
	}
}

// Always has holds asked in every state. What it returns, unless "", says how the
// state violates claim. It may use the code under check, whose operations then are
// the real ones: it must change nothing.
func (d *Driver) Always(claim string, holds func() string) {
	if d.search != nil {
		d.search.Always(claim, holds)
	}
}

// Show has [Export] write what text returns of each state, one line without its end,
// beside the state. It must be a function of what states are told apart by, and it
// changes nothing. There is one such text; "" shows nothing.
func (d *Driver) Show(text func() string) {
	if d.search != nil {
		d.search.Show(text)
	}
}

// NotForever says that claim is violated by a run in which, from some moment on,
// holds is true for ever, although every thread that can take a step from some
// moment on does take steps. There may be 32 such claims. It excludes Symmetric.
func (d *Driver) NotForever(claim string, holds func() bool) {
	if d.search != nil {
		d.must(d.search.NotForEver(claim, holds))
	}
}

// Progress says that claim is violated by a run in which one of threads, of all if
// none is given, takes steps for ever and from some moment on nothing is
// [Completed]. Threads that are symmetric are given all or none.
func (d *Driver) Progress(claim string, threads ...*Thread) {
	if d.search == nil {
		return
	}
	var ids []int
	for _, t := range threads {
		ids = append(ids, t.model.ID())
	}
	d.search.Progress(claim, ids...)
}

// WaitFree says that claim is violated by a run in which one of threads takes steps
// for ever and from some moment on has [Completed] nothing, whatever the others do.
// On a closed graph its negation is a bound on how many steps an operation takes.
// None of threads may be Symmetric.
func (d *Driver) WaitFree(claim string, threads ...*Thread) {
	if d.search == nil {
		return
	}
	var ids []int
	for _, t := range threads {
		ids = append(ids, t.model.ID())
	}
	d.must(d.search.WaitFree(claim, ids...))
}

// Waits reports, to functions given to Always and NotForever, whether t has not
// ended and cannot take a step.
func (d *Driver) Waits(t *Thread) bool { return d.search != nil && d.search.Waits(t.model.ID()) }

// Held returns a function, for functions given to Always and NotForever, that
// reports whether the lock in a field of the struct that pointer points to is held.
func (d *Driver) Held(pointer any, field string) func() bool {
	if d.search == nil {
		return func() bool { return false }
	}
	held, err := d.search.Held(pointer, field)
	d.must(err)
	return held
}

// At reports, likewise, whether t is at a [Boundary], and its key.
func (d *Driver) At(t *Thread) (key uint64, at bool) {
	if d.search == nil {
		return 0, false
	}
	return d.search.At(t.model.ID())
}

// Within returns a function, likewise, that reports whether the next step of t is in
// a function that [RetryAt] names.
func (d *Driver) Within(t *Thread, function string) func() bool {
	if d.search == nil {
		return func() bool { return false }
	}
	within, err := d.search.Within(t.model.ID(), function)
	d.must(err)
	return within
}

// Peek returns a function that returns the word in a field of the struct that
// pointer points to, exported or not, for [Driver.View] and [Driver.Always]: 4 or
// 8 bytes, plain, of an atomic type or in a cell. "slots.2" is element 2 of field
// slots. It panics if there is none.
func Peek(pointer any, field string) func() uint64 {
	load, err := graph.Peek(pointer, field)
	if err != nil {
		panic(fmt.Sprintf("loom: Peek: %v", err))
	}
	return load
}
