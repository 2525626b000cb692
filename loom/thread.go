package loom

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// current returns the calling thread of the running exploration, nil if the
// caller is none or this is the ordinary build.
func current() *machine.Thread {
	if !Enabled {
		return nil
	}
	return machine.Current()
}

// Thread is a thread that Go started.
type Thread struct {
	done  chan struct{}   // of a goroutine: closed at its end
	model *machine.Thread // of an exploration, else nil
	run   uint64          // the execution of model
}

// Go starts f on a thread of its own. Under exploration that is a thread of the
// model, elsewhere a goroutine. What happens before Go happens before f.
func Go(f func()) *Thread {
	if t := current(); t != nil {
		return &Thread{model: t.Go(f), run: t.Run()}
	}
	return start(f)
}

// Join waits until the thread has ended. Its end happens before Join returns.
// Only threads of the same execution may join a thread of an exploration.
func (t *Thread) Join() {
	me := current()
	switch {
	case t.model == nil && me == nil:
		<-t.done
	case t.model == nil:
		select {
		case <-t.done:
		default:
			me.Refuse("loom: Join of a goroutine that was started outside of the exploration and runs")
		}
	case me == nil:
		panic("loom: Join outside the exploration that the thread belongs to")
	case me.Run() != t.run:
		me.Refuse("loom: Join of a thread of another execution")
	default:
		me.Join(t.model)
	}
}

// Choose returns a number in [0, n). Under exploration every one is tried;
// elsewhere one is drawn. n must be positive.
func Choose(n int) int {
	if n <= 0 {
		panic(fmt.Sprintf("loom: Choose(%d) has nothing to choose from", n))
	}
	if t := current(); t != nil {
		return t.Choose(n)
	}
	return rand.IntN(n)
}

// stamps is the clock of Call and Return outside an exploration.
var stamps atomic.Int64

// Call returns a stamp for the begin of an operation. An operation whose Return
// is less than another's Call was over before that began. Under exploration
// Call and Return are steps: a Return and a Call are tried in both orders, two
// Calls or two Returns are not.
func Call() int64 {
	if t := current(); t != nil {
		return t.Stamp(machine.Call)
	}
	return machine.StampOutside("Call", &stamps)
}

// Return returns a stamp for the end of an operation. See [Call].
func Return() int64 {
	if t := current(); t != nil {
		return t.Stamp(machine.Return)
	}
	return machine.StampOutside("Return", &stamps)
}

// Failf says that the running execution violates claim, and ends it: Failf does
// not return. It may be called on any thread of the body, and in the ordinary
// build on any goroutine, while Check or Explore runs; elsewhere it panics.
func Failf(claim, format string, args ...any) {
	if t := current(); t != nil {
		t.Fail(claim, fmt.Sprintf(format, args...))
	}
	failReal(claim, fmt.Sprintf(format, args...))
}
