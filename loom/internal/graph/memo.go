package graph

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// memo is what is known of steps that have been taken, so that they need not be taken
// again.
//
// What a step of a thread does is a function of what the memory holds that threads
// share, of what the thread's own does, of where it is and what it has observed, and of
// its choices: of nothing that other threads are. So it is taken once for each of these,
// and what it leaves behind is kept: the memory, and what the thread then is. Every
// other state with the same memory, in which the thread is the same, takes its edge
// from here, whatever the others are.
//
// A state then is some numbers: of an image, which is what shared memory holds, and for
// each thread of a local, which is all that a thread is, own memory included. Both are
// as they are, and not as keys write them. Of locals that keys write the same beside an
// image the first stands for all, since that is what equal keys say; and interchangeable
// threads share their locals. The parts of a key, too, are numbers, so what is done for
// an edge is to look some of them up.
//
// A step that is not known is taken by its thread alone (miss.go): before each of its
// steps since it was between two operations like in the first state, that memory is put
// in place which it met there, and so it comes to where it is to be. That others rest
// elsewhere meanwhile makes no difference to it. Walks at random (again) are executions
// with all threads at work, and compare.
//
// A search whose states are more than that has no memo: locks and what waits for them,
// memory that changes its shape, pointers that are observed.
type memo struct {
	images store[int32]  // and which part of keys each is
	locals store[local]  // of which the bytes are a role, own memory, and what Local writes
	parts  store[digest] // of keys, each after the role of whose it is
	moves  pairs[[]move] // by image and local
	pieces pairs[piece]  // by image and local
	first  pairs[int32]  // by image and part: the local that stands for all others
	levels levels

	slots  []slot  // by thread
	order  []int   // the interchangeable threads, as frames have them
	names  []uint8 // by thread, the rank that edges name it by
	stride int     // how many numbers a state is

	taken atomic.Int64 // how many moves are known

	mu       sync.Mutex // of all that follows
	failures []machine.Failure
	refusal  string // why there can be no memo
}

// slot is what is the same of a thread in all states.
type slot struct {
	role    uint8 // the same for interchangeable threads
	class   int
	section int // of images: its own memory; 0: it has none for itself
	own     int // of how many bytes that is
}

// sharedRole is the role of what is no thread's.
const sharedRole = 255

// local is what a search needs to know of a thread that is there.
type local struct {
	may  bool // it can take a step
	home bool // it is where it was in the first state, and remembers nothing
}

// piece is which part of keys a local is beside an image, and which local stands for
// all that are that; and what the last step of the thread was in one of the states with
// both.
//
// The step is kept here and not with the local: which plain memory a thread has looked
// at is no observation, and shows in the image at most.
type piece struct {
	part, local int32
	last        link
	may         bool // as the local says
}

// link is a step: of a thread that was a local, beside an image, with choices.
type link struct {
	image, local int32
	choices      uint32
}

// move is what a step leads to.
type move struct {
	image, local int32
	fails        int32 // which failure it is, from 1; 0: it is none
	by           Edge
}

// newMemo returns a memo for a search whose first execution is in its first state, nil
// if there cannot be one.
func (s *Search) newMemo() *memo {
	o := &s.opts
	if s.unfit || o.Live || o.Exact || o.Straight || o.Failed != nil || len(o.Retries) >= sharedRole || s.hubs.halts == nil {
		return nil
	}
	m := &memo{}
	n := s.m.Threads()
	m.stride, m.names = 1+n, make([]uint8, n)
	for i := range n {
		m.slots, m.names[i] = append(m.slots, slot{role: uint8(i)}), uint8(i)
	}
	for class, members := range s.setup.symmetric {
		for _, id := range members {
			m.order = append(m.order, id)
			section := len(m.order)
			m.slots[id] = slot{uint8(members[0]), class + 1, section, s.image.SizeOf(section)}
			// A local that is at home is so for all of a class.
			if !s.image.Alike(section, m.slots[members[0]].section) || s.hubs.halts[id] != s.hubs.halts[members[0]] {
				return nil
			}
		}
	}
	ranks := slices.Sorted(slices.Values(m.order))
	for i, id := range m.order {
		m.names[id] = uint8(ranks[i])
	}
	return m
}

// refuse notes that the search has to do without a memo.
func (m *memo) refuse(why string) {
	m.mu.Lock()
	if m.refusal == "" {
		m.refusal = why
	}
	m.mu.Unlock()
	m.levels.end()
}

// learned has a step's moves known. Two workers may have taken it.
func (m *memo) learned(what link, moves []move) {
	if _, anew := m.moves.put(what.image, what.local, moves); anew {
		m.taken.Add(int64(len(moves)))
	}
}

// useful reports whether enough of a number of edges were known from other states. If
// they are not, what a memo takes is better used for states.
func (m *memo) useful(edges int) bool { return edges < usefulFrom || 8*m.taken.Load() < 7*int64(edges) }

const usefulFrom = 1 << 11

// failed numbers a failure that a step has led to, from 1.
func (m *memo) failed(f machine.Failure) int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failures = append(m.failures, f)
	return int32(len(m.failures))
}

func (m *memo) failure(n int32) *machine.Failure {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.failures[n-1]
	return &f
}

// each calls f for all threads in the order in which keys have them.
func (m *memo) each(f func(thread int)) {
	for t := range m.slots {
		if m.slots[t].class == 0 {
			f(t)
		}
	}
	for _, t := range m.order {
		f(t)
	}
}

// size returns about how many bytes the memo takes.
func (m *memo) size() int {
	return m.images.size() + m.locals.size() + m.parts.size() + m.moves.size() + int(m.taken.Load())*perMove +
		m.pieces.size() + m.first.size() + m.levels.size()
}

const perMove = 24
