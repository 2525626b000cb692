package machine

// outward has the calls, of the execution numbered run, of what no step shows: of
// packages whose synchronization is what it is. Like Current it relies on one
// machine running at a time.
var outward struct {
	run   uint64
	calls map[any]*Clock // by what they share, the clock of the last call of each thread
}

// Outward notes that t calls something that no step shows, and which calls with
// the same key share. It returns a thread whose call has no order with this one,
// -1 if there is none. With none in any execution, the calls add nothing to what
// the steps do: like plain memory without races.
func (t *Thread) Outward(key any) int {
	if t.over() {
		return -1
	}
	if outward.run != t.m.run {
		outward.run, outward.calls = t.m.run, map[any]*Clock{}
	}
	c := outward.calls[key]
	if c == nil {
		c = &Clock{}
		outward.calls[key] = c
	}
	other := -1
	for i, at := range *c {
		if i != t.id && t.clock.at(i) < at {
			other = i
		}
	}
	c.set(t.id, t.clock.at(t.id))
	return other
}

// Reject ends the execution, and the calling thread, because the program cannot be
// run: why says all.
func (t *Thread) Reject(why string) {
	t.m.misuse("loom: %s", why)
	t.unwind()
}
