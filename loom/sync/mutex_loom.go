//go:build loom

// Package sync mirrors the part of package sync that production code uses, for
// package loom. An operation of a thread that an exploration runs is scheduled
// by it; of any other goroutine it is the real operation. An object may be used
// both ways, but not at the same time, which is refused. To an execution all locks
// are free, all counters of WaitGroups 0, and a Once is done only if it was done
// outside.
package sync

import (
	"sync"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Locker is sync.Locker.
type Locker = sync.Locker

// Mutex is sync.Mutex, scheduled by package loom.
type Mutex struct {
	real sync.Mutex
	ref  machine.Ref
}

// thread returns the calling thread of the model, nil if there is none.
func (m *Mutex) thread() *machine.Thread {
	t := machine.Current()
	if t != nil && t.First(&m.ref) && !free(&m.real) {
		t.TakenOutside(&m.ref, machine.Mutex)
	}
	return t
}

// free reports whether a real lock is free.
func free(l interface {
	TryLock() bool
	Unlock()
}) bool {
	if !l.TryLock() {
		return false
	}
	l.Unlock()
	return true
}

// Lock is Lock of sync.Mutex.
func (m *Mutex) Lock() {
	if t := m.thread(); t != nil {
		t.Lock(&m.ref, machine.Mutex)
		return
	}
	take(&m.ref, machine.Mutex, "Lock", m.real.Lock, m.real.TryLock, func() { m.real.Lock(); m.real.Unlock() })
}

// TryLock is TryLock of sync.Mutex. In an exploration it fails only if the lock
// is held.
func (m *Mutex) TryLock() bool {
	if t := m.thread(); t != nil {
		return t.TryLock(&m.ref, machine.Mutex)
	}
	return attempt(&m.ref, machine.Mutex, "TryLock", m.real.TryLock)
}

// Unlock is Unlock of sync.Mutex.
func (m *Mutex) Unlock() {
	if t := m.thread(); t != nil {
		t.Unlock(&m.ref, machine.Mutex)
		return
	}
	give(&m.ref, machine.Mutex, "Unlock", m.real.Unlock)
}

// RWMutex is sync.RWMutex, scheduled by package loom.
type RWMutex struct {
	real sync.RWMutex
	ref  machine.Ref
}

// thread returns the calling thread of the model, nil if there is none.
func (m *RWMutex) thread() *machine.Thread {
	t := machine.Current()
	if t != nil && t.First(&m.ref) && !free(&m.real) {
		t.TakenOutside(&m.ref, machine.RWMutex)
	}
	return t
}

// Lock is Lock of sync.RWMutex: from here on, new readers wait too.
func (m *RWMutex) Lock() {
	if t := m.thread(); t != nil {
		t.Lock(&m.ref, machine.RWMutex)
		return
	}
	take(&m.ref, machine.RWMutex, "Lock", m.real.Lock, m.real.TryLock, func() { m.real.Lock(); m.real.Unlock() })
}

// TryLock is TryLock of sync.RWMutex.
func (m *RWMutex) TryLock() bool {
	if t := m.thread(); t != nil {
		return t.TryLock(&m.ref, machine.RWMutex)
	}
	return attempt(&m.ref, machine.RWMutex, "TryLock", m.real.TryLock)
}

// Unlock is Unlock of sync.RWMutex.
func (m *RWMutex) Unlock() {
	if t := m.thread(); t != nil {
		t.Unlock(&m.ref, machine.RWMutex)
		return
	}
	give(&m.ref, machine.RWMutex, "Unlock", m.real.Unlock)
}

// RLock is RLock of sync.RWMutex.
func (m *RWMutex) RLock() {
	if t := m.thread(); t != nil {
		t.RLock(&m.ref)
		return
	}
	take(&m.ref, machine.RWMutex, "RLock", m.real.RLock, m.real.TryRLock, func() { m.real.RLock(); m.real.RUnlock() })
}

// TryRLock is TryRLock of sync.RWMutex.
func (m *RWMutex) TryRLock() bool {
	if t := m.thread(); t != nil {
		return t.TryRLock(&m.ref)
	}
	return attempt(&m.ref, machine.RWMutex, "TryRLock", m.real.TryRLock)
}

// RUnlock is RUnlock of sync.RWMutex.
func (m *RWMutex) RUnlock() {
	if t := m.thread(); t != nil {
		t.RUnlock(&m.ref)
		return
	}
	give(&m.ref, machine.RWMutex, "RUnlock", m.real.RUnlock)
}

// RLocker is RLocker of sync.RWMutex.
func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
