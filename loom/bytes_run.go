//go:build loom

package loom

import (
	"math/bits"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// byBytes is what Report.Algorithm says of a run by Bytes.
const byBytes = "bytes"

// bytesRun is the controller of an execution by Bytes.
type bytesRun struct {
	data    []byte
	left    int  // steps of this stretch
	pick    int  // who comes after it
	begun   bool // whether there is a stretch
	row     int  // steps in a row at which another could have gone on
	did     explore.Schedule
	effects []machine.Effect
	m       *machine.Machine

	// What fuzzers are told.
	recent []uint64         // by thread, its last three steps
	wrote  map[int32]writer // by object
}

// writer is who changed an object last, and with which of its steps.
type writer struct {
	thread int
	step   uint64
}

// steered runs the one execution of body that c.data says.
func steered(body func(), c *config) (Report, error) {
	begin := time.Now()
	opts := c.options()
	b := &bytesRun{data: c.data, wrote: map[int32]writer{}}
	b.m = machine.New(b)
	b.m.MaxSteps = opts.MaxSteps
	defer b.m.Close()
	b.m.Run(body)
	m := b.m
	res := explore.Result{Algorithm: byBytes, Executions: 1, Steps: m.Steps, MaxDepth: m.Steps, Threads: m.Threads(), Err: m.Err}
	switch {
	case m.Err != nil:
	case c.failed != nil && c.failed():
		res.First = &machine.Failure{Kind: machine.ExitFailure, Thread: -1, Message: "the test failed during this execution"}
	case m.Failure != nil:
		res.First = m.Failure
	case m.Raced:
		res.First = &machine.Failure{Kind: machine.RaceFailure}
	}
	if res.First != nil {
		res.Schedule = &b.did
		book(&res, res.First.Kind)
	}
	if m.Err == nil && (m.Done && m.Failure == nil || res.Deadlocks > 0) {
		res.Traces = 1
	}
	return c.report(&res, begin), c.verdict(body, &res, opts)
}

// book counts the first and only violation.
func book(res *explore.Result, kind machine.FailureKind) {
	switch kind {
	case machine.DeadlockFailure:
		res.Deadlocks = 1
	case machine.RaceFailure:
		res.Races = 1
	default:
		res.Failures = 1
	}
}

// take returns the next byte of the data.
func (b *bytesRun) take() (v byte, ok bool) {
	if len(b.data) == 0 {
		return 0, false
	}
	v, b.data = b.data[0], b.data[1:]
	return v, true
}

// Next is part of machine.Controller.
func (b *bytesRun) Next(m *machine.Machine) *machine.Thread {
	enabled, effects := m.Enabled(b.effects[:0])
	b.effects = effects
	if enabled == 0 {
		m.Deadlock()
		return nil
	}
	id := b.turn(m, enabled)
	b.tell(m.Thread(id), effects[id])
	b.did.Order = append(b.did.Order, id)
	return m.Thread(id)
}

// turn decides which of the enabled threads goes on.
func (b *bytesRun) turn(m *machine.Machine, enabled uint64) int {
	last := 0 // the body begins
	if t := m.Last(); t != nil {
		last = t.ID()
	}
	goesOn := enabled&(1<<last) != 0
	if goesOn && bits.OnesCount64(enabled) == 1 {
		return last
	}
	if !b.begun {
		b.stretch()
	}
	if goesOn && (b.left > 0 || !b.begun) && b.row < patience {
		b.left--
		b.row++
		return last
	}
	// The turn goes over, as the stretch says, even if it is not at its end.
	next := following(enabled&^(1<<last), last, b.pick)
	b.begun, b.row = false, 0
	return next
}

// patience is how many steps a thread takes at which others could go on in its
// place before it is the turn of another, whatever the data say: it may wait for one
// of them in a loop.
const patience = 1000

// stretch begins the next stretch, if there are data.
func (b *bytesRun) stretch() {
	v, ok := b.take()
	b.left, b.pick, b.begun = int(v/4), int(v%4), ok
}

// following returns the member of a set that comes n members after the first
// that is larger than last, and around.
func following(set uint64, last, n int) int {
	n %= bits.OnesCount64(set)
	if after := set >> (last + 1) << (last + 1); after != 0 {
		if k := bits.OnesCount64(after); n < k {
			set = after
		} else {
			n -= k
		}
	}
	for ; n > 0; n-- {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}

// Choose is part of machine.Controller.
func (b *bytesRun) Choose(t *machine.Thread, n int) int {
	v, _ := b.take()
	id, k := t.ID(), int(v)%n
	b.did.Choices[id] = append(b.did.Choices[id], k)
	return k
}

// tell marks that t touches an object after another thread has changed it: with
// which steps, each told by its operation and those of its thread before it.
func (b *bytesRun) tell(t *machine.Thread, e machine.Effect) {
	for len(b.recent) < b.m.Threads() {
		b.recent = append(b.recent, 0)
	}
	id := t.ID()
	step := b.recent[id]<<8&0xffffff | uint64(t.Pending().Code)<<3 ^ uint64(e.Mode)
	b.recent[id] = step // and the two before it
	if e.Object < 0 {
		return
	}
	w, known := b.wrote[e.Object]
	if known && w.thread != id {
		mark(mix(w.step<<24 | step))
	}
	if e.Mode == machine.Write || e.Mode == machine.Adding {
		b.wrote[e.Object] = writer{id, step}
	}
}

// mix spreads what differs between two numbers over all their bits: the
// finalizer of MurmurHash3 (Appleby).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
