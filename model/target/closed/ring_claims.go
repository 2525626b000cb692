package closed

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
)

// claims says what must hold in every state.
func (r *ring) claims(d *loom.Driver, l *ledger, owner *loom.Thread, thieves []*loom.Thread) {
	d.Always("NoDuplicateTask", func() string {
		for v := first; v < tags; v++ {
			if l.taken[v] > 1 {
				return fmt.Sprintf("task %d has been returned %d times", v, l.taken[v])
			}
		}
		return ""
	})
	d.Always("CapacityFromSteal", func() string {
		if n := uint32(r.Tail()) - r.Steal(); n > uint32(r.Cap()) {
			return fmt.Sprintf("%d slots between steal and tail, the capacity is %d", n, r.Cap())
		}
		return ""
	})
	r.singleThief(d, thieves)
	quiet := func() bool {
		for _, t := range thieves {
			if !resting(d, t) {
				return false
			}
		}
		return resting(d, owner)
	}
	d.Always("NoRetention", func() string {
		if !quiet() {
			return ""
		}
		for i := uint32(r.Tail()); i != r.Steal()+uint32(r.Cap()); i++ {
			if v := r.Slots[int(i)&(r.Cap()-1)](); v != none {
				return fmt.Sprintf("a slot that is free has task %d", v)
			}
		}
		return ""
	})
	d.Always("NoLostTask", func() string {
		if !quiet() {
			return ""
		}
		for v := first; v < tags; v++ {
			if l.pushed[v] && l.taken[v] == 0 && r.find(v) < 0 {
				return fmt.Sprintf("task %d is nowhere, and nobody is at work", v)
			}
		}
		return ""
	})
	d.Always("FIFO", func() string {
		at := r.find(first)
		if !resting(d, owner) || at < 0 || !l.pushed[second] || l.spilled {
			return ""
		}
		if next := r.find(second); next >= 0 && next < at || l.taken[second] > 0 {
			return fmt.Sprintf("task %d was pushed first and has not left, and task %d has or stands before it", first, second)
		}
		return ""
	})
}

// singleThief says that at most one thief is between claim and release. After its
// claim it copies, in the same step or in cells, and then releases.
func (r *ring) singleThief(d *loom.Driver, thieves []*loom.Thread) {
	var active []func() bool
	for _, t := range thieves {
		active = append(active, d.Within(t, "Ring.release"))
	}
	d.Always("SingleThief", func() string {
		n := 0
		for _, is := range active {
			if is() {
				n++
			}
		}
		if n > 1 {
			return fmt.Sprintf("%d thieves are between claim and release", n)
		}
		return ""
	})
}

// resting reports whether a thread is between two operations.
func resting(d *loom.Driver, t *loom.Thread) bool {
	key, at := d.At(t)
	return at && key&255 == 0
}
