package linearizability

import (
	"fmt"

	"github.com/filch-sched/filch/model"
)

// ringState is what one ring is, in places. The tasks that ever were in a ring,
// in FIFO order, have the places 0, 1, 2, ...; an overflow gives the places of
// the newest half back, and the next pushes fill them again.
type ringState struct {
	// Places from steal to real are claimed by the active thief, those from
	// real to tail are visible, unless an overflow has them in hand.
	steal, real, tail int32
	// looked has a bit for each thread that has seen how many tasks there are
	// and may still claim: the head has not moved since.
	looked uint32
	// active is the thread of the active thief, plus 1; 0 if there is none.
	active int8
	hidden bool // an overflow has taken all and not yet given half of it back
}

func (s ringState) visible() int32 {
	if s.hidden {
		return 0
	}
	return s.tail - s.real
}

// taken is how many slots are not free.
func (s ringState) taken() int32 { return s.tail - s.steal }

// ringLaw is the law of one ring, for a history whose tasks have been given
// their places. It is that of package model, with counters for tasks.
type ringLaw struct {
	ops      []model.Operation
	ring     int // its number, which is its owner's
	capacity int32
	place    []int32 // per operation, of the first task that it takes
	waived   model.Claim
}

func (l *ringLaw) waives(c model.Claim) bool { return l.waived == c }

// observe appends a move that changes nothing, if it is honest now.
func (l *ringLaw) observe(buf []move[ringState], s ringState, honest bool) []move[ringState] {
	if honest {
		buf = append(buf, move[ringState]{s, done, true})
	}
	return buf
}

func (l *ringLaw) moves(buf []move[ringState], s ringState, op int, at step) []move[ringState] {
	o := &l.ops[op]
	if o.Return == Never {
		return l.hanging(buf, s, o)
	}
	if o.Thread == l.ring {
		return l.owner(buf, s, op, at)
	}
	v, honest := s.visible(), l.waives(model.BusyIsHonest)
	switch {
	case o.Kind == model.Peek:
		return l.observe(buf, s, o.N == int(v) || l.waives(model.LenHint))
	case o.Kind == model.Vacant:
		return l.observe(buf, s, (o.N == 1) == (v == 0) || l.waives(model.LenHint))
	case o.Outcome == model.Stole:
		return l.thief(buf, s, op, at)
	case o.Outcome == model.Busy:
		return l.observe(buf, s, s.active != 0 || honest)
	case o.Outcome == model.Empty:
		// A thief that finds another active is told busy, never empty.
		return l.observe(buf, s, v == 0 && s.active == 0 || honest)
	}
	return l.observe(buf, s, true) // no room: says nothing of the victim
}

// hanging is an operation that never ended. Nothing in a ring waits, so it could
// have; what it has pushed may have come to be there all the same.
func (l *ringLaw) hanging(buf []move[ringState], s ringState, o *model.Operation) []move[ringState] {
	if o.Thread == l.ring && len(o.Args) > 0 {
		buf = l.publish(buf, s, int32(len(o.Args)), true)
	}
	return append(buf, move[ringState]{s, done, false})
}

// thief is a steal from this ring: look, claim, release.
func (l *ringLaw) thief(buf []move[ringState], s ringState, op int, at step) []move[ringState] {
	o := &l.ops[op]
	me, n := int8(o.Thread+1), int32(o.N)
	switch {
	case at == 1: // release
		if s.active == me {
			s.active, s.steal = 0, s.real
		}
		s.looked = 0
		return append(buf, move[ringState]{s, done, false})
	case s.looked&(1<<o.Thread) != 0: // claim
		s.looked = 0
		s.real += n
		if s.active == 0 { // always, unless SingleThief is waived
			s.active = me
		}
		return append(buf, move[ringState]{s, 1, false})
	}
	v := s.visible()
	half := n == v-v/2 || l.waives(model.StealHalf)
	alone := s.active == 0 || l.waives(model.SingleThief)
	if half && alone && 0 < n && n <= v && l.place[op] == s.real {
		s.looked |= 1 << o.Thread
		buf = append(buf, move[ringState]{s, 0, true})
	}
	return buf
}

// owner is an operation of the thread whose ring this is.
func (l *ringLaw) owner(buf []move[ringState], s ringState, op int, at step) []move[ringState] {
	o := &l.ops[op]
	unbound, honest := l.waives(model.CapacityFromSteal), l.waives(model.BusyIsHonest)
	switch o.Kind {
	case model.Push:
		return l.push(buf, s, o, at)
	case model.Batch:
		room := s.taken()+int32(len(o.Args)) <= l.capacity
		if o.Outcome == model.NoRoom {
			return l.observe(buf, s, !room || honest)
		}
		return l.publish(buf, s, int32(len(o.Args)), room || unbound)
	case model.Pop:
		if o.Outcome == model.Empty {
			return l.observe(buf, s, s.visible() == 0 || honest)
		}
		if s.visible() > 0 && l.place[op] == s.real {
			s.real++
			if s.active == 0 {
				s.steal = s.real
			}
			s.looked = 0
			buf = append(buf, move[ringState]{s, done, false})
		}
		return buf
	case model.Len:
		return l.observe(buf, s, o.N == int(s.visible()) || l.waives(model.LenHint))
	case model.Free:
		return l.observe(buf, s, o.N == int(l.capacity-s.taken()) || unbound)
	}
	return l.refill(buf, s, o)
}

// refill is the owner's own steal from another ring, on this one: all but the
// returned task are published, and over half full means no room.
func (l *ringLaw) refill(buf []move[ringState], s ringState, o *model.Operation) []move[ringState] {
	crowded := s.taken() > l.capacity/2
	switch o.Outcome {
	case model.NoRoom:
		return l.observe(buf, s, crowded || l.waives(model.BusyIsHonest))
	case model.Stole:
		fits := !crowded && s.taken()+int32(o.N)-1 <= l.capacity
		return l.publish(buf, s, int32(o.N)-1, fits || l.waives(model.CapacityFromSteal))
	}
	return l.observe(buf, s, true) // says nothing of the thief's own ring
}

// publish makes n more tasks visible.
func (l *ringLaw) publish(buf []move[ringState], s ringState, n int32, lawful bool) []move[ringState] {
	if lawful {
		s.tail += n
		buf = append(buf, move[ringState]{s, done, n == 0})
	}
	return buf
}

// push is the law of the three ways in which a Push ends.
func (l *ringLaw) push(buf []move[ringState], s ringState, o *model.Operation, at step) []move[ringState] {
	full, unbound := s.taken() >= l.capacity, l.waives(model.CapacityFromSteal)
	switch {
	case o.Outcome == model.Kept:
		return l.publish(buf, s, 1, !full || unbound)
	case o.Outcome == model.Handed:
		return l.observe(buf, s, full && s.active != 0 || l.waives(model.BusyIsHonest))
	case at == 0: // an overflow takes all
		if full && s.active == 0 || unbound {
			s.hidden, s.looked = true, 0
			buf = append(buf, move[ringState]{s, 1, false})
		}
		return buf
	}
	// and gives the oldest half back
	s.hidden = false
	s.tail -= int32(len(o.Tasks) - 1)
	return append(buf, move[ringState]{s, done, false})
}

// String describes the ring as a reader of a report wants it.
func (s ringState) String() string {
	switch {
	case s.hidden:
		return "looked empty, an overflow having taken all"
	case s.active != 0:
		return fmt.Sprintf("had %s, and thread %d active on %d slots", countOf(s.visible(), "visible task"), s.active-1, s.real-s.steal)
	}
	return fmt.Sprintf("had %s and no thief", countOf(s.visible(), "visible task"))
}
