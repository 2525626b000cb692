package closed

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
)

// queued counts the tasks that wait where all can take them.
func (c *shop) queued() (n int) {
	for _, length := range c.lengths {
		n += int(length())
	}
	for i := range c.rings {
		n += c.rings[i].visible()
	}
	return n
}

// stranded returns how many workers sleep, and how many work, in a state in which
// nobody has anything left to do but to go on with a task; ok says whether it is one.
func (c *shop) stranded(d *loom.Driver) (asleep, at int, ok bool) {
	if c.outside != nil && !resting(d, c.outside) {
		return 0, 0, false
	}
	for _, t := range c.workers {
		if d.Waits(t) {
			asleep++
		} else if key, is := d.At(t); is && key == working {
			at++
		} else {
			return 0, 0, false
		}
	}
	return asleep, at, true
}

// always says what must hold in every state.
func (c *shop) always(d *loom.Driver) {
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
	d.Always("WorkConserving", func() string {
		if asleep, at, ok := c.stranded(d); ok && asleep > 0 && at > 0 && c.queued() > 0 {
			return fmt.Sprintf("%d workers sleep beside %d tasks, the others work", asleep, c.queued())
		}
		return ""
	})
	d.Always("NoLostWakeup", func() string {
		if asleep, at, ok := c.stranded(d); ok && asleep > 0 && at == 0 && c.queued() > 0 {
			return fmt.Sprintf("all workers sleep beside %d tasks", c.queued())
		}
		return ""
	})
	d.Always("LIFOBounded", func() string {
		for _, run := range c.runs {
			if n := run(); n > 3 {
				return fmt.Sprintf("a worker has taken %d tasks in a row from its slot", n)
			}
		}
		return ""
	})
	there := func() (n int, ok bool) {
		_, n, ok = c.stranded(d)
		for _, slot := range c.slots {
			n += int(min(slot(), 1))
		}
		return n + c.queued(), ok
	}
	d.Always("NoLostTask", func() string {
		if n, ok := there(); ok && n < c.flight {
			return fmt.Sprintf("%d tasks have come and not ended, and %d are there", c.flight, n)
		}
		return ""
	})
	d.Always("NoDuplicateTask", func() string {
		if n, ok := there(); ok && n > c.flight {
			return fmt.Sprintf("%d tasks have come and not ended, and %d are there", c.flight, n)
		}
		return ""
	})
}

// endless says what must not hold for ever.
func (c *shop) endless(d *loom.Driver) {
	d.NotForever("NoLostWakeup", func() bool {
		for _, t := range c.workers {
			if !d.Waits(t) {
				return false
			}
		}
		return c.queued() > 0
	})
	for _, t := range c.workers {
		d.NotForever("WorkConserving", func() bool { return d.Waits(t) && c.queued() > 0 })
		d.NotForever("NoIdleSpin", func() bool {
			key, _ := d.At(t)
			return c.queued() == 0 && key != working && !d.Waits(t)
		})
	}
}
