// Package sync stands in for package sync in source that "go tool loom" has
// rewritten. It is loom/sync with types of the size of those of sync, on which
// the source may depend: an exploration knows the objects by their addresses.
package sync

import (
	"sync"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
	loom "github.com/filch-sched/filch/loom/sync"
)

// What has the size that it needs.
type (
	Locker = loom.Locker
	Cond   = loom.Cond
	Pool   = loom.Pool
	Map    = loom.Map
)

// NewCond is sync.NewCond.
func NewCond(l Locker) *Cond { return loom.NewCond(l) }

// OnceFunc is sync.OnceFunc.
func OnceFunc(f func()) func() { return loom.OnceFunc(f) }

// OnceValue is sync.OnceValue.
func OnceValue[T any](f func() T) func() T { return loom.OnceValue(f) }

// OnceValues is sync.OnceValues.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) { return loom.OnceValues(f) }

// thread returns the calling thread of the exploration and what it knows the lock
// at p by; nil if there is none. A lock that is held outside is refused.
func thread(p unsafe.Pointer, k machine.Kind, real interface {
	TryLock() bool
	Unlock()
}) (*machine.Thread, *machine.Ref) {
	t := machine.Current()
	if t == nil {
		machine.OutsideAt(p)
		return nil, nil
	}
	r := t.At(p)
	if t.First(r) {
		if !real.TryLock() {
			t.TakenOutside(r, k)
		}
		real.Unlock()
	}
	return t, r
}

// Mutex is sync.Mutex, scheduled by package loom.
type Mutex struct{ real sync.Mutex }

// thread returns the calling thread of the exploration and what it knows the lock
// by; nil if there is none.
func (m *Mutex) thread() (*machine.Thread, *machine.Ref) {
	return thread(unsafe.Pointer(m), machine.Mutex, &m.real)
}

// Lock is Lock of sync.Mutex.
func (m *Mutex) Lock() {
	if t, r := m.thread(); t != nil {
		t.Lock(r, machine.Mutex)
	} else {
		m.real.Lock()
	}
}

// TryLock is TryLock of sync.Mutex.
func (m *Mutex) TryLock() bool {
	if t, r := m.thread(); t != nil {
		return t.TryLock(r, machine.Mutex)
	}
	return m.real.TryLock()
}

// Unlock is Unlock of sync.Mutex.
func (m *Mutex) Unlock() {
	if t, r := m.thread(); t != nil {
		t.Unlock(r, machine.Mutex)
	} else {
		m.real.Unlock()
	}
}

// RWMutex is sync.RWMutex, scheduled by package loom.
type RWMutex struct{ real sync.RWMutex }

// thread returns the calling thread of the exploration and what it knows the lock
// by; nil if there is none.
func (m *RWMutex) thread() (*machine.Thread, *machine.Ref) {
	return thread(unsafe.Pointer(m), machine.RWMutex, &m.real)
}

// Lock is Lock of sync.RWMutex.
func (m *RWMutex) Lock() {
	if t, r := m.thread(); t != nil {
		t.Lock(r, machine.RWMutex)
	} else {
		m.real.Lock()
	}
}

// TryLock is TryLock of sync.RWMutex.
func (m *RWMutex) TryLock() bool {
	if t, r := m.thread(); t != nil {
		return t.TryLock(r, machine.RWMutex)
	}
	return m.real.TryLock()
}

// Unlock is Unlock of sync.RWMutex.
func (m *RWMutex) Unlock() {
	if t, r := m.thread(); t != nil {
		t.Unlock(r, machine.RWMutex)
	} else {
		m.real.Unlock()
	}
}

// RLock is RLock of sync.RWMutex.
func (m *RWMutex) RLock() {
	if t, r := m.thread(); t != nil {
		t.RLock(r)
	} else {
		m.real.RLock()
	}
}

// TryRLock is TryRLock of sync.RWMutex.
func (m *RWMutex) TryRLock() bool {
	if t, r := m.thread(); t != nil {
		return t.TryRLock(r)
	}
	return m.real.TryRLock()
}

// RUnlock is RUnlock of sync.RWMutex.
func (m *RWMutex) RUnlock() {
	if t, r := m.thread(); t != nil {
		t.RUnlock(r)
	} else {
		m.real.RUnlock()
	}
}

// RLocker is RLocker of sync.RWMutex.
func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
