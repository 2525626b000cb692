//go:build loom

package sync

import (
	"sync"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Pool is sync.Pool. In an exploration Get returns what the same thread put last
// and has not got back, else a new item. sync.Pool behaves so when every thread
// stays on a processor of its own: items are reused, which is where the bugs
// are, and threads do not influence each other, so that Get and Put are no
// steps. That an item moves from one thread to another, or vanishes, is not
// explored.
type Pool struct {
	// New makes an item when there is none to reuse; nil: Get returns nil then.
	New func() any

	real  sync.Pool
	run   uint64  // the execution that items belongs to
	items [][]any // by thread
}

// Get is Get of sync.Pool.
func (p *Pool) Get() any {
	t := machine.Current()
	if t == nil {
		if x := p.real.Get(); x != nil {
			return x
		}
	} else if own := p.of(t); len(*own) > 0 {
		n := len(*own) - 1
		x := (*own)[n]
		*own = (*own)[:n]
		return x
	}
	if p.New == nil {
		return nil
	}
	return p.New()
}

// Put is Put of sync.Pool.
func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	t := machine.Current()
	if t == nil {
		p.real.Put(x)
		return
	}
	own := p.of(t)
	*own = append(*own, x)
}

// of returns the items of thread t in the running execution.
func (p *Pool) of(t *machine.Thread) *[]any {
	if p.run != t.Run() {
		p.run, p.items = t.Run(), nil
	}
	for len(p.items) <= t.ID() {
		p.items = append(p.items, nil)
	}
	return &p.items[t.ID()]
}
