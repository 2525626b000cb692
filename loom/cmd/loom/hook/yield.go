package hook

import (
	"runtime"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Gosched stands in for runtime.Gosched where going on is not known to be a wait:
// in an exploration it does nothing, since a switch can come at any step anyway.
func Gosched() {
	if machine.Current() == nil {
		runtime.Gosched()
	}
}

// Sleep stands in for time.Sleep in the same places. In an exploration no time
// passes, and what a sleeping thread waits for can happen before it wakes up or
// after.
func Sleep(d time.Duration) {
	if machine.Current() == nil {
		time.Sleep(d)
	}
}

// AwaitGosched stands in for runtime.Gosched in a loop that does nothing but wait
// for a change, see loom.Yield.
func AwaitGosched() {
	if t := machine.Current(); t != nil {
		t.Yield()
		return
	}
	runtime.Gosched()
}

// AwaitSleep stands in for time.Sleep in such a loop.
func AwaitSleep(d time.Duration) {
	if t := machine.Current(); t != nil {
		t.Yield()
		return
	}
	time.Sleep(d)
}

// Await is put into the empty body of such a loop.
func Await() {
	if t := machine.Current(); t != nil {
		t.Yield()
	}
}
