package graph

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"sync"

	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/internal/memory"
)

// hubs are states in which every thread is at the boundary at which it was in the
// first state, or has ended like there: between two operations, with equal keys. No
// lock is held and nobody waits, so such states differ by nothing but what memory
// holds: an execution that has come to one of them goes to another one when that is
// put in place. No path has to be run again from the first state.
//
// What is put in place is all that the roots lead to and that is no pointer; the
// shape, which is the pointers, must be that of the first state, or the state is no
// hub. That it is all, as far as anything depends on it, is what keys rely on, too;
// where paths from hubs lead is compared with their keys.
type hubs struct {
	halts  []machine.Halt // where threads are; nil: there is no hub but the first state
	size   int            // of what is saved
	saved  [][]byte       // by hub, some in one page
	turned []uint8        // by hub, with which turn of its frame
}

const (
	hubsInPage = 256
	// A graph may have hubsLeast bytes for what is saved, and hubsEach for a state.
	hubsLeast = 32 << 20
	hubsEach  = 24
)

// left are the types that keys know, and real objects that an exploration does not use.
var left = []reflect.Type{
	reflect.TypeFor[machine.Ref](), reflect.TypeFor[sync.Mutex](), reflect.TypeFor[sync.RWMutex](),
	reflect.TypeFor[sync.Once](), reflect.TypeFor[*sync.Cond](), reflect.TypeFor[func(int)](),
}

// picture makes the image of an execution that is in its first state.
func (s *Search) picture() {
	s.image = nil
	if s.opts.Straight || s.run.from >= 0 && s.hubs.halts == nil || s.run.random != nil {
		return
	}
	m := memory.NewImage(left, s.setup.ignore)
	m.Mark(left[0])
	add := func(mine func(r root) bool) {
		m.Section()
		for _, r := range s.setup.roots {
			if mine(r) {
				m.Root(r.pointer)
			}
		}
	}
	add(func(r root) bool { return s.setup.class(r.owner) == 0 })
	for _, members := range s.setup.symmetric {
		for _, id := range members {
			add(func(r root) bool { return r.owner == id })
		}
	}
	if m.Ready() {
		s.image = m
	}
}

// begins makes the first state a hub, if it can be one. No other worker runs yet.
func (s *Search) begins() {
	var halts []machine.Halt
	for i := range s.m.Threads() {
		h, is := s.m.Thread(i).Halt()
		if !is {
			return
		}
		halts = append(halts, h)
	}
	if s.image == nil || !s.m.Idle() || !s.clean() {
		return
	}
	s.hubs.halts, s.hubs.size = halts, s.image.Size()
	s.hubs.save(s.image, 0)
}

// home reports whether the execution is where every hub is, memory apart.
func (s *Search) home() bool {
	if s.image == nil || s.m.Threads() != len(s.hubs.halts) {
		return false
	}
	return s.away() == 0 && s.m.Idle() && s.image.Same()
}

// clean reports whether all threads are.
func (s *Search) clean() bool {
	for i := range s.m.Threads() {
		if !s.m.Thread(i).Clean() {
			return false
		}
	}
	return true
}

// hub makes the state in which the execution is, number n, a hub if it can be one.
func (s *Search) hub(n int32) {
	if !s.home() || !s.clean() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g, h := s.g, &s.hubs
	if *g.parent.at(n) < 0 || len(g.hubs)*(h.size+16) > hubsLeast+hubsEach*g.States() {
		return
	}
	*g.parent.at(n) = -1 - int32(len(g.hubs))
	g.hubs = append(g.hubs, n)
	h.save(s.image, turned(g.frame, s.keys.frame))
}

// save adds a hub.
func (h *hubs) save(image *memory.Image, turn uint8) {
	if len(h.turned)%hubsInPage == 0 {
		h.saved = append(h.saved, make([]byte, 0, hubsInPage*h.size))
	}
	page := &h.saved[len(h.saved)-1]
	*page = image.Save(*page)
	h.turned = append(h.turned, turn)
}

// saves returns what a hub has saved.
func (h *hubs) saves(i int32) []byte {
	from := int(i) % hubsInPage * h.size
	return h.saved[int(i)/hubsInPage][from : from+h.size]
}

// head makes the path to a state the one to follow, and where it begins the state
// in which the execution is, which is home or its first.
func (s *Search) head(at int32) {
	r := &s.run
	s.mu.Lock()
	hub, path := s.g.lead(at)
	r.from, r.path, r.taken, r.walking, r.steps = at, path, 0, false, 0
	r.frame = append(r.frame[:0], s.g.frame...)
	var saved []byte
	if hub > 0 || r.leaps > 0 {
		saved = s.hubs.saves(hub)
		r.frame = turn(r.frame, s.hubs.turned[hub])
	}
	s.mu.Unlock()
	if saved != nil {
		s.image.Restore(saved)
		s.steps += s.m.Anew()
	}
}

// depart begins the path of an execution that is in its first state.
func (s *Search) depart() bool {
	r := &s.run
	r.ready = true
	s.picture()
	if r.from < 0 || r.random != nil {
		return true
	}
	if s.hubs.halts != nil && !s.home() {
		s.err = fmt.Errorf("loom: the body is not deterministic: its threads begin elsewhere than before")
		return false
	}
	s.head(r.from)
	return true
}

// leap goes on to the next state with edges to be followed, if the execution is home.
func (s *Search) leap() bool {
	r := &s.run
	if !s.home() || r.leaps == maxLeaps || s.m.Objects() > maxObjects {
		return false
	}
	at := s.pick()
	if at < 0 {
		return false
	}
	r.leaps++
	s.head(at)
	return true
}

// After so many leaps, or objects, most of which are gone, an execution ends.
const (
	maxLeaps   = 1 << 14
	maxObjects = 1 << 12
)

// homeward makes known edges the plan that lead home, as one thread after the other
// comes to where it was in the first state; or to a state with edges to be followed
// that is on the way. It reports whether there are such.
func (s *Search) homeward(limit int32) bool {
	r, g := &s.run, s.g
	r.plan, r.homing = r.plan[:0], false
	if s.image == nil || s.m.Threads() != len(s.hubs.halts) {
		return false
	}
	at, frame := r.at, append(s.spare[:0], r.frame...)
	away := s.away()
	for moved := true; away != 0 && moved; {
		moved = false
		for left := away; left != 0; {
			i := bits.TrailingZeros64(left)
			e := s.any(at, uint8(i), frame)
			if e < 0 { // it waits for another one
				left &^= 1 << i
				continue
			}
			if len(r.plan) == maxHome {
				return false
			}
			label := g.edge(e)
			at, moved = *g.to.at(e), true
			r.plan = append(r.plan, pace{label, at})
			if s.wanted(at) && *g.depth.at(at) <= limit {
				slices.Reverse(r.plan)
				return true
			}
			frame = turn(frame, label.Turn)
			if label.Ends&halts != 0 {
				left, away = left&^(1<<i), away&^(1<<i)
			}
		}
	}
	slices.Reverse(r.plan)
	r.homing = away == 0
	return r.homing
}

// away returns the threads that are not where they are in hubs.
func (s *Search) away() (set uint64) {
	for i, want := range s.hubs.halts {
		if h, is := s.m.Thread(i).Halt(); !is || h != want {
			set |= 1 << i
		}
	}
	return set
}

// maxHome is how long a way home may be.
const maxHome = 48

// any returns a known edge of a thread, drawn; -1 if there is none.
func (s *Search) any(at int32, thread uint8, frame []uint8) int32 {
	drawn, n := int32(-1), uint32(0)
	for e := s.g.from(at); e >= 0; e = s.g.rest(e) {
		if actual(frame, s.g.edge(e).Thread) != thread {
			continue
		}
		s.dice = s.dice*1664525 + 1013904223
		if n++; uint64(s.dice)*uint64(n)>>32 == 0 {
			drawn = e
		}
	}
	return drawn
}
