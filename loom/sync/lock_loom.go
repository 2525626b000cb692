//go:build loom

package sync

import (
	"fmt"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// The functions below do what goroutines do that are no threads of an exploration.
// If operations are recorded, each is done while the recorder is held, so that the
// record has them in their order: none may block then.

// take takes a lock that try tries to take and wait waits for.
func take(r *machine.Ref, k machine.Kind, op string, lock func(), try func() bool, wait func()) {
	for {
		e := machine.Begin(r, nil, k, op)
		if e == nil {
			lock()
			return
		}
		if try() {
			e.Done("", "")
			return
		}
		e.Undone()
		wait()
	}
}

// give gives a lock back, or does what else cannot block.
func give(r *machine.Ref, k machine.Kind, op string, unlock func()) {
	e := machine.Begin(r, nil, k, op)
	unlock()
	if e != nil {
		e.Done("", "")
	}
}

// attempt tries to take a lock.
func attempt(r *machine.Ref, k machine.Kind, op string, try func() bool) bool {
	e := machine.Begin(r, nil, k, op)
	ok := try()
	if e != nil {
		e.Done("", fmt.Sprint(ok))
	}
	return ok
}
