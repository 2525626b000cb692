package closed

import (
	"fmt"

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
	locked := d.Held(c.tracker, "mu")
	d.Always("CountsMatchSleepers", func() string {
		if _, up := c.tracker.Counts(); !locked() && up != c.Workers-len(c.tracker.Sleepers()) {
			return fmt.Sprintf("%d of %d workers are counted as awake, %v are listed as asleep", up, c.Workers, c.tracker.Sleepers())
		}
		return ""
	})
	d.Always("SearchersBounded", func() string {
		if n, _ := c.tracker.Counts(); n > (c.Workers+1)/2 {
			return fmt.Sprintf("%d of %d workers are counted as searching", n, c.Workers)
		}
		return ""
	})
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
	d.NotForever("NoLostWakeup", func() bool {
		for _, t := range c.threads {
			if !d.Waits(t) {
				return false
			}
		}
		return c.queued() > 0
	})
	for _, t := range c.threads {
		d.NotForever("WorkConserving", func() bool { return d.Waits(t) && c.queued() > 0 })
		if c.Calls {
			continue // each is an event, and there is no end of them
		}
		d.NotForever("NoIdleSpin", func() bool {
			key, _ := d.At(t)
			return c.queued() == 0 && key != working && !d.Waits(t)
		})
	}
}
