package hook

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// This file stands where an exploration cannot go on: at what a thread would wait
// for in vain, since no step ends it, or what would start a goroutine that is no
// thread. Elsewhere it is what it stands for.

// refuse ends the exploration, if the caller is a thread of one, with the place.
func refuse(what string) {
	if t := machine.Current(); t != nil {
		t.Refuse("loom: " + what + ": an exploration cannot follow that")
	}
	machine.Stranger()
}

// Chan returns c, which is going to be used as what says.
func Chan[C any](c C, what string) C {
	refuse(what)
	return c
}

// Select stands before a select statement that waits for ever.
func Select() { refuse("select") }

// RefusedOn returns x, a method of which an exploration cannot follow, as what says.
func RefusedOn[T any](x T, what string) T {
	refuse(what)
	return x
}

// AfterFunc stands in for time.AfterFunc.
func AfterFunc(d time.Duration, f func()) *time.Timer {
	refuse("time.AfterFunc, whose timer runs in real time")
	return time.AfterFunc(d, f)
}

// NewTimer stands in for time.NewTimer.
func NewTimer(d time.Duration) *time.Timer {
	refuse("time.NewTimer, whose timer runs in real time")
	return time.NewTimer(d)
}

// NewTicker stands in for time.NewTicker.
func NewTicker(d time.Duration) *time.Ticker {
	refuse("time.NewTicker, whose timer runs in real time")
	return time.NewTicker(d)
}

// Tick stands in for time.Tick.
func Tick(d time.Duration) <-chan time.Time {
	refuse("time.Tick, whose timer runs in real time")
	return time.Tick(d)
}

// After stands in for time.After.
func After(d time.Duration) <-chan time.Time {
	refuse("time.After, whose timer runs in real time")
	return time.After(d)
}

// ContextAfterFunc stands in for context.AfterFunc.
func ContextAfterFunc(ctx context.Context, f func()) (stop func() bool) {
	refuse("context.AfterFunc, which starts a goroutine")
	return context.AfterFunc(ctx, f)
}

// Pipe stands in for io.Pipe.
func Pipe() (*io.PipeReader, *io.PipeWriter) {
	refuse("io.Pipe, whose ends wait for each other")
	return io.Pipe()
}

// Bubble stands in for synctest.Test.
func Bubble(t *testing.T, f func(*testing.T)) {
	refuse("synctest.Test, whose bubble and an exploration exclude each other")
	synctest.Test(t, f)
}
