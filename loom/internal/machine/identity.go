package machine

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/filch-sched/filch/loom/gid"
)

// This file is who is who: which goroutine is a thread of the running execution,
// and what becomes of a goroutine that is none and uses its objects.

// running is the execution that runs now, and the coroutine of the thread whose
// turn it is. Only one machine of a process runs at a time, or see together.
var running struct {
	co   atomic.Pointer[coro] // nil: no execution runs
	m    atomic.Pointer[Machine]
	run  atomic.Uint64 // of m
	beat atomic.Uint64 // moves on with the steps of a long execution
}

// known is gid.Known; tests can change it.
var known = gid.Known

// identity tells goroutines apart. Where package gid does not know the
// architecture, the number of the goroutine is read from its stack trace, which
// takes a microsecond.
func identity() uintptr {
	if known {
		return gid.Get()
	}
	return number()
}

// number returns the number that the runtime gives the calling goroutine.
func number() uintptr {
	var buf [64]byte
	line := buf[:runtime.Stack(buf[:], false)]
	line = bytes.TrimPrefix(line, []byte("goroutine "))
	digits, _, _ := bytes.Cut(line, []byte(" "))
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		panic(fmt.Sprintf("loom: no goroutine number in %q", line))
	}
	return uintptr(n)
}

// Current returns the calling thread of the model, nil if the caller is none.
func Current() *Thread {
	co := running.co.Load()
	if co == nil {
		if together.on.Load() {
			return among()
		}
		return nil
	}
	if known { // as in identity, which is not inlined
		if co.gid != gid.Get() {
			return nil
		}
	} else if co.gid != number() {
		return nil
	}
	return co.t
}

// Outside is called by a goroutine that is no thread of the model before it uses
// the object of r. If an execution runs that uses it, too, the two would change it
// under each other's hands: that execution is given up.
func Outside(r *Ref, k Kind) {
	if mode == perturbed {
		delays.delay()
	}
	if running.co.Load() != nil {
		outside(r, k)
	} else if together.on.Load() {
		outsideOf(r, k)
	}
}

// outside leaves its mark first, and a thread that uses the object for the first
// time looks for marks after it has left its own, so one of the two notices.
func outside(r *Ref, k Kind) {
	stray()
	run := running.run.Load()
	r.guest.Store(run)
	if r.run.Load() == run {
		running.m.Load().intrude(run, fmt.Sprintf("%v#%d", k, r.id))
	}
}

// OutsideAt is Outside for the plain word at addr.
func OutsideAt(addr unsafe.Pointer) {
	if mode == perturbed {
		delays.delay()
	}
	Stranger()
	if running.co.Load() != nil {
		stray()
		running.m.Load().markAt(addr, running.run.Load())
	} else if together.on.Load() {
		outsideAtOf(addr)
	}
}

// markAt notes that a goroutine outside uses the word at addr during an execution.
func (m *Machine) markAt(addr unsafe.Pointer, run uint64) {
	w := &m.words
	w.Lock()
	if w.guests == nil {
		w.guests = make(map[unsafe.Pointer]uint64)
	}
	w.guests[addr] = run
	w.marked.Store(true)
	r := w.byAddr[addr]
	w.Unlock()
	if r != nil && r.run.Load() == run {
		m.intrude(run, fmt.Sprintf("word#%d", r.id))
	}
}

// intrusion is a use of an object by a goroutine that is no thread of the running
// execution.
type intrusion struct {
	run  uint64
	text string
}

// intrude notes that the calling goroutine uses an object of m.
func (m *Machine) intrude(run uint64, object string) {
	var buf [16 << 10]byte
	stack := string(buf[:runtime.Stack(buf[:], false)])
	m.intruder.CompareAndSwap(nil, &intrusion{run, fmt.Sprintf("loom: %s, which this execution uses, is used at %v by a goroutine that is no thread of it%s: "+useThreads,
		object, caller(), creator(stack))})
}

// creator returns where a goroutine was started, in words, from its stack trace.
func creator(stack string) string {
	_, at, ok := strings.Cut(stack, "\ncreated by ")
	if !ok {
		return ""
	}
	who, at, _ := strings.Cut(at, "\n")
	who, _, _ = strings.Cut(who, " in goroutine ")
	at, _, _ = strings.Cut(strings.TrimSpace(at), " ")
	file, line, _ := strings.Cut(at[max(0, strings.LastIndexByte(at, '/')):], ":")
	n, _ := strconv.Atoi(line)
	return fmt.Sprintf(", started by %s at %v", who, Site{File: file, Line: n})
}

// intruded reports a goroutine that has used an object of the execution that has
// just ended.
func (m *Machine) intruded() {
	if i := m.intruder.Load(); i != nil && i.run == m.run {
		m.Failure, m.Err = nil, errors.New(i.text)
	}
}

// guest refuses an object that another goroutine has used in this execution
// before any of its threads did.
func (m *Machine) guest(k Kind, id int32) {
	m.misuse("loom: %v#%d is used at %v by this execution, and by a goroutine that is no thread of it: "+useThreads, k, id, caller())
}

const useThreads = "threads are started by loom.Go or WaitGroup.Go of loom/sync, not by a go statement or iter.Pull, and others must leave their objects alone"
