//go:build loom

// Package time mirrors the part of package time that production code uses, for
// package loom. To a thread of an exploration no time passes: Now is the same
// moment always, so that an execution depends on its schedule alone, and a timer
// is a thread that may fire at any step.
package time

import (
	"sync"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// The types of package time that need no schedule.
type (
	Duration = time.Duration
	Time     = time.Time
)

// moment is what Now returns to a thread of an exploration.
var moment = time.Unix(1_000_000_000, 0)

// Now is time.Now.
func Now() Time {
	if machine.Current() != nil {
		return moment
	}
	return time.Now()
}

// Since is time.Since.
func Since(t Time) Duration { return Now().Sub(t) }

// Timer is time.Timer without the channel, made by AfterFunc.
type Timer struct {
	f   func()
	ref machine.Ref

	// A timer made in an exploration gets a real one if it is used outside.
	mu   sync.Mutex
	real *time.Timer
}

// AfterFunc is time.AfterFunc.
func AfterFunc(d Duration, f func()) *Timer {
	w := &Timer{f: f}
	if t := machine.Current(); t != nil {
		t.After(&w.ref, f)
		return w
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note("AfterFunc", d.String())
	w.real = time.AfterFunc(d, w.fire)
	return w
}

// fire is what happens when the real timer fires.
func (w *Timer) fire() {
	w.note("fires", "")
	w.f()
}

// note writes down what is done with a timer outside of an exploration.
func (w *Timer) note(op, in string) {
	if e := machine.Begin(&w.ref, nil, machine.Timer, op); e != nil {
		e.Done(in, "")
	}
}

// Stop is Stop of time.Timer.
func (w *Timer) Stop() bool {
	if t := machine.Current(); t != nil {
		return t.StopTimer(&w.ref)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note("Stop", "")
	return w.real != nil && w.real.Stop()
}

// Reset is Reset of time.Timer.
func (w *Timer) Reset(d Duration) bool {
	if t := machine.Current(); t != nil {
		return t.ResetTimer(&w.ref, w.f)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note("Reset", d.String())
	if w.real == nil {
		w.real = time.AfterFunc(d, w.fire)
		return false
	}
	return w.real.Reset(d)
}
