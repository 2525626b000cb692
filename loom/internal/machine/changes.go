package machine

// This file counts changes and remembers looks, for Yield.

// view is what a thread saw of an object, by what would have changed it.
type view uint8

const (
	whole   view = iota // all there is to see
	writer              // of an RWMutex, whether a writer has or wants it
	locking             // it took the lock: it knows all, and others could not take it
	sharing             // it took the read lock
	plain               // a cell
)

// look is a thing that a thread has looked at.
type look struct {
	object int32 // of a cell, its number
	view   view
	depth  int16  // locks taken less locks given back
	at     uint32 // what count returned then
	since  int32  // how much there was in the log
}

// maxLooks bounds what a thread remembers. If it has looked at more, its next
// Yield does not wait.
const maxLooks = 4096

// matters holds the counts that a look depends on, by its view.
var matters = [...]uint8{
	whole:   1 << anything,
	writer:  1 << writes,
	locking: 1<<anything | 1<<failed | 1<<rfailed,
	sharing: 1<<writes | 1<<failed,
	plain:   1 << anything,
}

// The counts.
const (
	anything = iota // changes of any kind
	writes          // of an RWMutex: changes of whether a writer has or wants it
	failed          // failed attempts to take the lock
	rfailed         // failed attempts to take the read lock
	counts
)

// changes counts what happens to an object. The counts only grow.
type changes struct {
	count [counts]uint32
	log   []stamp // what has moved them, only if there is a Linker

	// Who has looked at all of it, and after which Yield: a thread that looks often
	// at the same thing remembers it once.
	seenBy *Thread
	seenIn uint32
}

func (c *changes) reset() {
	c.count, c.log, c.seenIn = [counts]uint32{}, c.log[:0], 0
	if c.seenBy != nil {
		c.seenBy = nil
	}
}

// stamp says who moved which counts, a set, and how many decisions there were.
type stamp struct {
	thread    int32
	counts    uint8
	decisions int
}

// count returns the sum of the counts that l depends on.
func (m *Machine) count(l *look) (sum uint32) {
	c := m.changesOf(l)
	if matters[l.view] == 1<<anything {
		return c.count[anything]
	}
	for i, n := range c.count {
		if matters[l.view]&(1<<i) != 0 {
			sum += n
		}
	}
	return sum
}

func (m *Machine) changesOf(l *look) *changes {
	if l.view == plain {
		return &m.cells[l.object].changes
	}
	return &m.objects[l.object].changes
}

// trace notes that t has left a trace, by code: no round with that waits. What it
// looks at until its next Yield is in no other.
func (t *Thread) trace(code Code) {
	if !t.traced {
		t.traced, t.tracedBy = true, code
		t.drop(len(t.looks))
		t.base++
		t.tracedTo, t.fresh = t.base, 0
	}
}

// see notes that t has looked at o.
func (t *Thread) see(o *object, v view) {
	if !t.traced {
		t.remember(&o.changes, look{object: o.id, view: v})
	}
}

func (t *Thread) remember(c *changes, l look) {
	if l.view == whole || l.view == plain {
		if c.seenBy == t && c.seenIn == t.turns {
			return
		}
		c.seenBy, c.seenIn = t, t.turns
	}
	if len(t.looks) == maxLooks {
		t.trace(t.op.Code)
		return
	}
	l.at, l.since = t.m.count(&l), int32(len(c.log))
	t.looks = append(t.looks, l)
	if t.m.Tracing {
		t.lookSites = append(t.lookSites[:len(t.looks)-1], t.m.Trace[len(t.m.Trace)-1].Site)
	}
}

// change notes that t has changed something, by code.
func (t *Thread) change(c *changes, code Code) {
	t.trace(code)
	t.m.changed = t.m.Steps
	t.moves(c, 1<<anything)
}

// moves moves counts, a set of them, and wakes those that wait for that.
func (t *Thread) moves(c *changes, set uint8) {
	m := t.m
	if m.NoYield {
		return
	}
	c.count[anything] += uint32(set & 1)
	for i := 1; set>>i != 0; i++ {
		c.count[i] += uint32(set >> i & 1)
	}
	if m.linker != nil {
		c.log = append(c.log, stamp{int32(t.id), set, m.decisions})
	}
	if m.awaiting != 0 {
		m.rouse(t)
	}
}

// Wrote completes a step that may write: it says whether the value is another
// one now.
func (t *Thread) Wrote(changed bool) {
	if changed {
		t.change(&t.op.obj.changes, t.op.Code)
	} else {
		t.see(t.op.obj, whole)
	}
}

// locks notes that t has taken a lock (by 1) or given it back (by -1), a read
// lock if v is sharing.
func (t *Thread) locks(o *object, v view, by int16) {
	set := uint8(1 << anything)
	if v == locking {
		set |= 1 << writes
	}
	t.shift(o, false)
	t.moves(&o.changes, set)
	t.shift(o, true)
	if !t.traced {
		t.hold(o, v, by)
	}
}

// fails notes that t has failed to take a lock, of which it has seen v.
func (t *Thread) fails(o *object, v view) {
	set := uint8(1 << failed)
	if v == writer {
		set = 1 << rfailed
	}
	t.shift(o, false)
	t.moves(&o.changes, set)
	t.shift(o, true)
	t.see(o, v)
}

// shift lets the looks of t at o move with the counts: what t does itself is no
// change to it. It is called before the counts move and after.
func (t *Thread) shift(o *object, after bool) {
	if t.traced {
		return
	}
	for i := range t.looks {
		l := &t.looks[i]
		if l.object != o.id || l.view == plain {
			continue
		}
		if after {
			l.at += t.m.count(l)
		} else {
			l.at -= t.m.count(l)
		}
	}
}

// hold notes how often t holds o. Giving back what it has not taken since its
// last Yield lets others in, which is a trace.
func (t *Thread) hold(o *object, v view, by int16) {
	for i := t.fresh; i < len(t.looks); i++ {
		if l := &t.looks[i]; l.object == o.id && l.view == v {
			if l.depth += by; l.depth < 0 {
				t.trace(t.op.Code)
			}
			return
		}
	}
	if by < 0 {
		t.trace(t.op.Code)
		return
	}
	t.remember(&o.changes, look{object: o.id, view: v, depth: by})
}
