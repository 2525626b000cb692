package closed

import "github.com/filch-sched/filch/loom"

// BoundedRing is [Ring] with a number of operations for each thread, so that its
// graph closes with loom.Exact, too, and what newRing says of indices can be
// compared with it.
func BoundedRing(capacity, thieves, operations int, start uint32) func() {
	return func() {
		d, l := loom.Drive(), &ledger{alone: thieves == 1}
		r := newRing(d, capacity, start)
		d.Root("ring", r.Ring)
		d.Root("ledger", l)
		owner := loom.Go(func() {
			for left := operations; left > 0; left-- {
				loom.Boundary(uint64(left) << 8)
				l.operate(&r)
			}
		})
		var all []*loom.Thread
		own := make([]ring, thieves)
		for i := range thieves {
			own[i] = newRing(d, capacity, start)
			all = append(all, loom.Go(func() {
				for left := operations; left > 0; left-- {
					loom.Boundary(uint64(left) << 8)
					l.steal(&r, &own[i], uint64(left)<<8|1)
				}
			}))
			d.Own(all[i], "own", own[i].Ring)
		}
		d.Symmetric(all...)
		d.Progress("LockFree", progressing(owner, all)...)
		r.claims(d, l, owner, all, own)
	}
}
