package explore

import (
	"sync/atomic"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// memory is what a search grows, and what the next search of the process goes on
// to use (machine/spare.go).
type memory struct {
	points  []point
	effects []machine.Effect // of all points, end to end
	stack   stack
	links   []link // of the running execution
	trail   *trail
	optimal *optimal // nil before there has been an optimal search
}

// spare is the memory of a search that has ended, nil if there is none.
var spare atomic.Pointer[memory]

// What is kept is at most about a megabyte.
const (
	keptPoints   = 1 << 11
	keptBranches = 1 << 12
	keptRow      = 1 << 14 // numbers of a table of order
)

func used() memory {
	if k := spare.Swap(nil); k != nil {
		return *k
	}
	return memory{trail: new(trail)}
}

// keep makes the memory of p the spare one, if it is small. It is not if the search
// has not come to its end: its size may still be asked for then.
func (p *path) keep() {
	if !p.res.Exhausted {
		return
	}
	k := p.memory
	p.memory = memory{}
	if o, ok := p.by.(*optimal); ok {
		k.optimal = o
	}
	if max(cap(k.points), cap(k.links)) > keptPoints || k.optimal != nil && !k.optimal.small() {
		return
	}
	k.points, k.effects = k.points[:0], k.effects[:0]
	k.links = k.links[:0]
	k.stack = stack{levels: k.stack.levels[:0]}
	k.trail.reset()
	if cap(k.trail.objects) > keptPoints {
		k.trail.objects = nil
	}
	if k.optimal != nil {
		k.optimal.forget()
	}
	spare.Store(&k)
}

func (o *optimal) small() bool {
	r := &o.order
	return cap(o.forest.all) <= keptBranches && max(cap(r.clocks), cap(r.races), cap(r.odd)) <= keptRow
}

// forget makes o what a new search begins with.
func (o *optimal) forget() {
	o.p = nil
	o.names.forget()
	o.probe.names.forget()
	o.probe.do, o.probe.look = nil, nil
	o.names.children = o.names.children[:0]
	o.forest.all, o.forest.free = o.forest.all[:0], 0
	o.order.kept, o.order.races, o.order.odd = 0, o.order.races[:0], o.order.odd[:0]
}

// forget drops all names.
func (r *roster) forget() { r.known, r.numbers = 0, r.numbers[:0] }
