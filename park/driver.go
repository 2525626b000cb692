package park

import "github.com/filch-sched/filch/loom/time"

// Driver is a place to sleep that also brings events, such as timers or I/O
// readiness. Of a scheduler's workers one at a time sleeps in it; the others
// use their Parkers.
type Driver interface {
	// Sleep blocks until an event was delivered, Wake was called, or d has
	// passed; a negative d means no limit, 0 only polls. One goroutine at a
	// time may call it.
	Sleep(d time.Duration)
	// Wake ends the Sleep under way or, if there is none, the next one at once.
	// Anyone may call it.
	Wake()
}
