package model

import "strconv"

// Parkers returns the law of n parkers, owned by the threads 0 to n-1, and of
// one variable of plain memory that their users share.
func Parkers(n int) Spec { return parkSpec{n: n} }

type parkSpec struct {
	n int
	waivers
}

// parkState has a character for each parker, and then the variable.
type parkState struct {
	parkers string
	cell    Task
}

// What a parker is: bits of its character.
const (
	hasToken = 1 << iota
	isClosed
	isClosing // Close has begun: the token that it leaves is to come
	hasTaken  // the owner's Park under way has found a token
	hasLooked // the owner's Park under way has found none
)

func (sp parkSpec) Initial() State {
	b := make([]byte, sp.n)
	for i := range b {
		b[i] = '0'
	}
	return parkState{parkers: string(b)}
}

func (s parkState) Key() string { return s.parkers + strconv.Itoa(int(s.cell)) }

// set is s with the bits of one parker changed.
func (s parkState) set(parker int, bits byte) parkState {
	b := []byte(s.parkers)
	b[parker] = '0' + bits
	s.parkers = string(b)
	return s
}

func (sp parkSpec) Events(o Operation) []Event {
	switch o.Kind {
	case ClosePark:
		return eventsOf(o, []Phase{Shut, Publish})
	case ParkToken:
		return eventsOf(o, []Phase{Look, Effect})
	}
	return eventsOf(o, []Phase{Effect})
}

// Step is the law of a binary token. A Park looks, and takes the token that it
// finds; if it finds none it waits for one, or for the parker to be closed, and
// then leaves alone a token that came in between. A timed one may go without only
// if at some moment there was no token.
func (sp parkSpec) Step(st State, e Event) []State {
	s, o := st.(parkState), e.Op
	on := o.On
	if o.Kind == ParkToken || o.Kind == ParkTimed {
		on = o.Thread
	}
	if on < 0 || on >= sp.n {
		return nil
	}
	bits := s.parkers[on] - '0'
	switch o.Kind {
	case ParkToken:
		return sp.park(s, e, on, bits)
	case ParkTimed:
		return sp.timed(s, o, on, bits)
	case Unpark:
		return one(s.set(on, bits|hasToken))
	case ClosePark:
		if e.Phase == Shut {
			return one(s.set(on, bits|isClosed|isClosing))
		}
		return when(bits&isClosing != 0, s.set(on, bits|hasToken))
	case Write:
		s.cell = o.Args[0]
		return one(s)
	case Read:
		known := len(o.Tasks) == 1 && o.Tasks[0] == s.cell
		return when(o.Outcome == Skipped || known || sp.waives(UnparkPublishes), s)
	}
	return nil
}

// park is the law of the two events of a Park on a parker with these bits.
func (sp parkSpec) park(s parkState, e Event, on int, bits byte) []State {
	looked := bits&(hasTaken|hasLooked) != 0
	if e.Op.Outcome != Done || looked != (e.Phase == Effect) {
		return nil // first it looks
	}
	if e.Phase == Look {
		if bits&hasToken != 0 {
			return one(s.set(on, bits&^hasToken|hasTaken))
		}
		return one(s.set(on, bits|hasLooked))
	}
	rest := bits &^ (hasTaken | hasLooked)
	if bits&hasTaken != 0 {
		return one(s.set(on, rest))
	}
	var ends []State
	if bits&hasToken != 0 || sp.waives(TokenSingle) {
		ends = append(ends, s.set(on, rest&^hasToken))
	}
	if bits&isClosed != 0 {
		ends = append(ends, s.set(on, rest))
	}
	return ends
}

// timed is the law of a timed Park on a parker with these bits.
func (sp parkSpec) timed(s parkState, o *Operation, on int, bits byte) []State {
	switch o.Outcome {
	case TimedOut:
		return when(bits&hasToken == 0 || sp.waives(TokenKept), s)
	case Token:
		return when(bits&hasToken != 0 || sp.waives(TokenSingle), s.set(on, bits&^hasToken))
	}
	return nil
}
