package closed

import (
	"fmt"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom"
)

// queued counts the tasks that wait.
func (c *crew) queued() int32 {
	n := c.shared.Load()
	for w := range c.own {
		n += c.own[w].Load()
	}
	return n
}

// always says what must hold in every state.
func (c *crew) always(d *loom.Driver, outside []*loom.Thread) {
	tracked(d, c.tracker, c.Workers)
	d.Always("OneWakeInFlight", func() string {
		if c.waking > 1 {
			return fmt.Sprintf("%d workers have been woken and have not resumed", c.waking)
		}
		return ""
	})
	// A state in which nobody has anything left to do but to go on with a task.
	stranded := func() (asleep int) {
		for _, t := range outside {
			if key, at := d.At(t); !at || key != 0 || c.queued() == 0 {
				return 0
			}
		}
		for _, t := range c.threads {
			if d.Waits(t) {
				asleep++
			} else if key, at := d.At(t); !at || key != working {
				return 0
			}
		}
		return asleep
	}
	d.Always("WorkConserving", func() string {
		if n := stranded(); n > 0 && n < c.Workers {
			return fmt.Sprintf("%d workers sleep beside %d tasks, the others work", n, c.queued())
		}
		return ""
	})
	d.Always("NoLostWakeup", func() string {
		if stranded() == c.Workers {
			return fmt.Sprintf("all workers sleep beside %d tasks", c.queued())
		}
		return ""
	})
}

// endless says what must not hold for ever.
func (c *crew) endless(d *loom.Driver) {
	unending(d, c.threads, !c.Calls, func() bool { return c.queued() > 0 }) // each call is an event, and there is no end of them
}

// tracked says what must hold of a tracker in every state.
func tracked(d *loom.Driver, tracker *idle.Tracker, workers int) {
	locked := d.Held(tracker, "mu")
	d.Always("CountsMatchSleepers", func() string {
		if _, up := tracker.Counts(); !locked() && up != workers-len(tracker.Sleepers()) {
			return fmt.Sprintf("%d of %d workers are counted as awake, %v are listed as asleep", up, workers, tracker.Sleepers())
		}
		return ""
	})
	d.Always("SearchersBounded", func() string {
		if n, _ := tracker.Counts(); n > (workers+1)/2 {
			return fmt.Sprintf("%d of %d workers are counted as searching", n, workers)
		}
		return ""
	})
}

// unending says what must not hold for ever of workers; whether tasks wait is what
// queued says, and quiet that a worker without any comes to rest.
func unending(d *loom.Driver, workers []*loom.Thread, quiet bool, queued func() bool) {
	d.NotForever("NoLostWakeup", func() bool {
		for _, t := range workers {
			if !d.Waits(t) {
				return false
			}
		}
		return queued()
	})
	for _, t := range workers {
		d.NotForever("WorkConserving", func() bool { return d.Waits(t) && queued() })
		if quiet {
			d.NotForever("NoIdleSpin", func() bool {
				key, _ := d.At(t)
				return !queued() && key != working && !d.Waits(t)
			})
		}
	}
}
