package machine

// This file is Yield in loops that carry values from one round to the next: what
// a thread is going to do then depends on more than on what it looks at.

// Circle is a loop that a thread is in, with all that it carries: the values with
// which the thread has come round since it last had a reason to go on.
type Circle struct {
	round uint32 // turns of the thread, when seen was begun
	begun bool
	seen  []Lap
}

// Lap is what a loop carries, at one of its waits. Two laps are the same if going
// on from them is.
type Lap struct {
	At     int // which wait
	Values []any
}

// maxLaps bounds how many laps are remembered. A loop with more does not wait.
const maxLaps = 256

// Round is Yield in a loop that is at lap. It returns at once unless the thread
// has been there since its last Yield: only then does it go round and round.
//
// Whether it has depends on the thread alone, and not on when others do what. What
// it has looked at is kept until it has been there twice, so that a wait is for any
// change of all that it saw on the way round.
func (t *Thread) Round(c *Circle, lap Lap) {
	if !t.over() {
		t.remembered()
	}
	if !c.begun || c.round != t.turns {
		c.seen = c.seen[:0]
	}
	if t.traced || len(t.looks) == t.fresh || t.holds(t.fresh) || c.has(lap) {
		t.Yield()
		c.seen = c.seen[:0]
	} else {
		if t.over() {
			t.unwind()
		}
		t.move()
	}
	c.begun, c.round = true, t.turns
	if len(c.seen) < maxLaps {
		c.seen = append(c.seen, lap)
	}
}

// holds reports whether t holds a lock that it did not hold before the look with a
// number.
func (t *Thread) holds(from int) bool {
	for i := from; i < len(t.looks); i++ {
		if t.looks[i].depth != 0 {
			return true
		}
	}
	return false
}

func (c *Circle) has(lap Lap) bool {
	for i := range c.seen {
		if c.seen[i].same(lap) {
			return true
		}
	}
	return false
}

func (l Lap) same(other Lap) bool {
	if l.At != other.At {
		return false
	}
	for i, v := range l.Values {
		if !equal(v, other.Values[i]) {
			return false
		}
	}
	return true
}

// equal reports whether two values are the same. Those that cannot be compared are
// not.
func equal(a, b any) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	return a == b
}

// Changing returns which of the values of the last two laps differ, nil if it does
// not matter.
func (c *Circle) Changing() []int {
	n := len(c.seen)
	if n < 2 || c.seen[n-1].At != c.seen[n-2].At {
		return nil
	}
	var list []int
	for i, v := range c.seen[n-1].Values {
		if !equal(v, c.seen[n-2].Values[i]) {
			list = append(list, i)
		}
	}
	return list
}

// Endless reports whether the execution is about to become too long. Then Circling
// says why the loop that t is in does not wait.
func (t *Thread) Endless() bool {
	m := t.m
	return m.MaxSteps > 0 && (m.Steps > m.MaxSteps-lastSteps || m.moves > m.MaxSteps-lastSteps)
}

// Circling notes why the loop that t is in does not wait.
func (t *Thread) Circling(why string) { t.circling = why }
