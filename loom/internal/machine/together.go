package machine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// This file lets several machines run executions of one program at the same time.
// One that is alone says in running whose turn it is, and every operation looks
// there. Several that did so would wait for each other's cache line at every
// operation: so each has a seat of its own, and the goroutine that asks finds its
// coroutine in a table that changes only when goroutines begin and end.

// together are the machines that run at the same time. While there are some, running
// says that nothing runs.
var together struct {
	sync.Mutex // of changes
	on         atomic.Bool
	machines   atomic.Pointer[[]*Machine]
	seats      atomic.Pointer[seating]
}

// seat is running for one of several machines, on cache lines of its own.
type seat struct {
	_   [64]byte
	co  atomic.Pointer[coro]
	run atomic.Uint64
	_   [64]byte

	self coro // stands for the goroutine that calls Run
}

// CanTogether reports whether Together works here: goroutines must be told apart
// cheaply.
func CanTogether() bool { return known }

// Together lets machines run at the same time, until the function that it returns
// is called. No other machine runs meanwhile.
func Together(ms []*Machine) (apart func()) {
	t := &together
	t.machines.Store(&ms)
	t.seats.Store(newSeating(1 << 10))
	for _, m := range ms {
		m.seat = &seat{self: coro{m: m}}
		for _, co := range m.idle {
			enroll(co)
		}
	}
	t.on.Store(true)
	return func() {
		t.on.Store(false)
		for _, m := range ms {
			m.seat = nil
		}
		t.machines.Store(nil)
		t.seats.Store(nil)
	}
}

// hand notes that it is the turn of co, of nobody if that is nil, and returns whose
// it was.
func (m *Machine) hand(co *coro) *coro {
	if m.seat != nil {
		return m.seat.co.Swap(co)
	}
	return running.co.Swap(co)
}

// enters notes that m begins an execution, on the calling goroutine.
func (m *Machine) enters() {
	if m.seat == nil {
		running.run.Store(m.run)
		running.m.Store(m)
		return
	}
	m.seat.run.Store(m.run)
	if self := &m.seat.self; self.gid != identity() {
		self.gid = identity()
		enroll(self)
	}
}

// among is Current for machines that run at the same time.
func among() *Thread {
	co := seated()
	if co == nil || co.m.seat.co.Load() != co {
		return nil
	}
	return co.t
}

// seated returns the coroutine of the calling goroutine, nil if it has none.
func seated() *coro {
	if s := together.seats.Load(); s != nil {
		return s.find(identity())
	}
	return nil
}

// outsideOf is outside for machines that run at the same time. A goroutine of one
// of them is where Beside has led it.
func outsideOf(r *Ref, k Kind) {
	machines := together.machines.Load()
	if machines == nil || seated() != nil {
		return
	}
	stray()
	r.guest.Store(runs.Load())
	for _, m := range *machines {
		if run := m.seat.run.Load(); r.run.Load() == run {
			m.intrude(run, fmt.Sprintf("%v#%d", k, r.id))
		}
	}
}

// outsideAtOf is OutsideAt for machines that run at the same time.
func outsideAtOf(addr unsafe.Pointer) {
	machines := together.machines.Load()
	if machines == nil || seated() != nil {
		return
	}
	stray()
	for _, m := range *machines {
		m.markAt(addr, m.seat.run.Load())
	}
}

// elsewhere refuses an object that the execution of another machine uses, too.
func (m *Machine) elsewhere(r *Ref, k Kind) {
	if m.seat == nil {
		return
	}
	run := r.run.Load()
	for _, o := range *together.machines.Load() {
		if o != m && run != 0 && o.seat.run.Load() == run {
			m.misuse("loom: a %v is used at %v by two executions that run at the same time: they must share nothing, so what body uses is made in body", k, caller())
		}
	}
}

// oneOf returns the coroutine of a thread that runs now, nil if there is none.
func oneOf(machines *[]*Machine) *coro {
	if machines == nil {
		return nil
	}
	for _, m := range *machines {
		if co := m.seat.co.Load(); co != nil {
			return co
		}
	}
	return nil
}

// seating finds coroutines by the identities of their goroutines: open addressing,
// at most half full. Identities are reused, so they stay when a goroutine ends.
type seating struct {
	places []place
	used   int
}

type place struct {
	gid atomic.Uintptr // 0: free
	co  atomic.Pointer[coro]
}

func newSeating(n int) *seating { return &seating{places: make([]place, n)} }

// at returns where an identity is, or belongs.
func (s *seating) at(gid uintptr) *place {
	for i := uint64(gid>>5) * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		p := &s.places[i&uint64(len(s.places)-1)]
		if g := p.gid.Load(); g == gid || g == 0 {
			return p
		}
	}
}

func (s *seating) find(gid uintptr) *coro {
	if p := s.at(gid); p.gid.Load() == gid {
		return p.co.Load()
	}
	return nil
}

// enroll notes whose goroutine the one of co is.
func enroll(co *coro) {
	t := &together
	t.Lock()
	defer t.Unlock()
	s := t.seats.Load()
	p := s.at(co.gid)
	if p.gid.Load() == 0 {
		if s.used++; 2*s.used > len(s.places) {
			s = s.doubled()
			t.seats.Store(s)
			p = s.at(co.gid)
		}
	}
	p.co.Store(co) // first: who finds the identity finds the coroutine
	p.gid.Store(co.gid)
}

// doubled returns a larger table with the same entries.
func (s *seating) doubled() *seating {
	d := newSeating(2 * len(s.places))
	d.used = s.used
	for i := range s.places {
		if old := &s.places[i]; old.gid.Load() != 0 {
			p := d.at(old.gid.Load())
			p.co.Store(old.co.Load())
			p.gid.Store(old.gid.Load())
		}
	}
	return d
}

// dismiss forgets the goroutine of co, which is about to end.
func (m *Machine) dismiss(co *coro) {
	if m.seat == nil {
		return
	}
	t := &together
	t.Lock()
	defer t.Unlock()
	if s := t.seats.Load(); s != nil {
		if p := s.at(co.gid); p.gid.Load() == co.gid {
			p.co.CompareAndSwap(co, nil)
		}
	}
}
