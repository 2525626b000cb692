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
	if t == nil {
		machine.Outside(&m.ref, machine.Mutex)
	} else if t.First(&m.ref) && !free(&m.real) {
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
	} else {
		m.real.Lock()
	}
}

// TryLock is TryLock of sync.Mutex. In an exploration it fails only if the lock
// is held.
func (m *Mutex) TryLock() bool {
	if t := m.thread(); t != nil {
		return t.TryLock(&m.ref, machine.Mutex)
	}
	return m.real.TryLock()
}

// Unlock is Unlock of sync.Mutex.
func (m *Mutex) Unlock() {
	if t := m.thread(); t != nil {
		t.Unlock(&m.ref, machine.Mutex)
	} else {
		m.real.Unlock()
	}
}

// RWMutex is sync.RWMutex, scheduled by package loom.
type RWMutex struct {
	real sync.RWMutex
	ref  machine.Ref
}

// thread returns the calling thread of the model, nil if there is none.
func (m *RWMutex) thread() *machine.Thread {
	t := machine.Current()
	if t == nil {
		machine.Outside(&m.ref, machine.RWMutex)
	} else if t.First(&m.ref) && !free(&m.real) {
		t.TakenOutside(&m.ref, machine.RWMutex)
	}
	return t
}

// Lock is Lock of sync.RWMutex: from here on, new readers wait too.
func (m *RWMutex) Lock() {
	if t := m.thread(); t != nil {
		t.Lock(&m.ref, machine.RWMutex)
	} else {
		m.real.Lock()
	}
}

// TryLock is TryLock of sync.RWMutex.
func (m *RWMutex) TryLock() bool {
	if t := m.thread(); t != nil {
		return t.TryLock(&m.ref, machine.RWMutex)
	}
	return m.real.TryLock()
}

// Unlock is Unlock of sync.RWMutex.
func (m *RWMutex) Unlock() {
	if t := m.thread(); t != nil {
		t.Unlock(&m.ref, machine.RWMutex)
	} else {
		m.real.Unlock()
	}
}

// RLock is RLock of sync.RWMutex.
func (m *RWMutex) RLock() {
	if t := m.thread(); t != nil {
		t.RLock(&m.ref)
	} else {
		m.real.RLock()
	}
}

// TryRLock is TryRLock of sync.RWMutex.
func (m *RWMutex) TryRLock() bool {
	if t := m.thread(); t != nil {
		return t.TryRLock(&m.ref)
	}
	return m.real.TryRLock()
}

// RUnlock is RUnlock of sync.RWMutex.
func (m *RWMutex) RUnlock() {
	if t := m.thread(); t != nil {
		t.RUnlock(&m.ref)
	} else {
		m.real.RUnlock()
	}
}

// RLocker is RLocker of sync.RWMutex.
func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
