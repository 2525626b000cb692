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
	tracked(d, c.tracker, c.Workers)
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
	unending(d, c.workers, true, func() bool { return c.queued() > 0 })
}
