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
	if o.Kind == ClosePark {
		return eventsOf(o, []Phase{Shut, Publish})
	}
	return eventsOf(o, []Phase{Effect})
}

// Step is the law of a binary token. A Park takes the token or, if there is
// none, needs the parker closed; once it is, a Park may also leave the token. A
// timed one may go without only if at some moment there was no token.
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
	case ParkToken, ParkTimed:
		return sp.park(s, o, on, bits)
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

// park is the law of the end of a Park on a parker with these bits.
func (sp parkSpec) park(s parkState, o *Operation, on int, bits byte) []State {
	if o.Outcome == TimedOut {
		return when(o.Kind == ParkTimed && (bits&hasToken == 0 || sp.waives(TokenKept)), s)
	}
	if o.Kind == ParkTimed && o.Outcome != Token || o.Kind == ParkToken && o.Outcome != Done {
		return nil
	}
	closed := bits&isClosed != 0 && o.Kind == ParkToken
	if bits&hasToken == 0 && !closed && !sp.waives(TokenSingle) {
		return nil
	}
	taken := s.set(on, bits&^hasToken)
	if closed && bits&hasToken != 0 {
		// A Park that sees no token, and after that the parker closed, leaves
		// there what an Unpark, or Close itself, has brought in between.
		return []State{taken, s}
	}
	return one(taken)
}
