package trace

import (
	"errors"
	"fmt"
)

// indices returns the two indices in a value of the head of a ring.
func indices(v uint64) (steal, real uint32) { return uint32(v >> 32), uint32(v) }

// moved notes that the head of ring i has been stored.
func (x *translator) moved(i int, head uint64) {
	x.rings[i].steal, x.rings[i].real = indices(head)
}

// popLoad is Ring.Pop that loads head: none but its owner stores tail.
func (x *translator) popLoad() error {
	v, err := number(x.e.Out)
	if _, real := indices(v); err == nil && real == x.rings[x.heads[x.e.Object]].tail {
		x.step("RingPop", false, 0)
	}
	return err
}

func (x *translator) popSwap() error {
	i := x.heads[x.e.Object]
	_, to, ok, err := swap(x.e)
	if ok {
		x.moved(i, to)
		x.step("RingPop", true, x.rings[i].visible())
	}
	return err
}

// publishing is a step that stores the tail of a ring, and says how many tasks are
// visible then; with count also how many it has brought.
func publishing(name string, count bool) func(*translator) error {
	return func(x *translator) error {
		v, err := number(x.e.In)
		if err != nil {
			return err
		}
		i, err := worker(x.tails, x.e)
		if err != nil {
			return err
		}
		n := int(uint32(v) - x.rings[i].tail)
		x.rings[i].tail = uint32(v)
		if args := []any{x.rings[i].visible()}; count {
			x.step(name, n, args[0])
		} else {
			x.step(name, args...)
		}
		x.seen(i)
		return nil
	}
}

// seen gives those who look at ring i the moment at which a task is visible.
func (x *translator) seen(i int) {
	for _, t := range x.threads {
		if t.look.open && t.look.ring == i && t.look.at < 0 && x.rings[i].visible() > 0 {
			t.look.at = len(x.steps)
			x.steps = append(x.steps, Step{})
		}
	}
}

// claimLoad is Stealer.claim, which loads head and then tail. It is told busy by the
// one and empty by the other: real only grows, up to tail.
func (x *translator) claimLoad() error {
	v, err := number(x.e.Out)
	if err != nil {
		return err
	}
	t := x.thread()
	if i, is := x.heads[x.e.Object]; is {
		t.head = v
		if steal, real := indices(v); steal != real {
			x.step("StealBusy", name(i))
		}
		return nil
	}
	i, err := worker(x.tails, x.e)
	if _, real := indices(t.head); err == nil && real == uint32(v) {
		x.step("StealEmpty", name(i))
	}
	return err
}

func (x *translator) claimSwap() error {
	i := x.heads[x.e.Object]
	_, to, ok, err := swap(x.e)
	if ok {
		before := x.rings[i].real
		x.moved(i, to)
		x.step("StealClaim", name(i), int(x.rings[i].real-before), x.rings[i].visible())
	}
	return err
}

func (x *translator) release() error {
	i := x.heads[x.e.Object]
	_, to, ok, err := swap(x.e)
	if ok {
		x.moved(i, to)
		x.step("StealRelease", name(i))
	}
	return err
}

// emptyLoad is Stealer.Empty, which loads head and then tail. That nothing is visible
// is so when tail is loaded, as in claimLoad; that something is, at some moment before.
func (x *translator) emptyLoad() error {
	v, err := number(x.e.Out)
	if err != nil {
		return err
	}
	t := x.thread()
	if i, is := x.heads[x.e.Object]; is {
		t.head, t.look = v, look{open: true, ring: i, at: -1}
		x.seen(i)
		return nil
	}
	i, err := worker(x.tails, x.e)
	if err != nil {
		return err
	}
	at := t.look.at
	t.look = look{at: -1}
	switch _, real := indices(t.head); {
	case real == uint32(v):
		x.step("LookRing", name(i), false)
	case at < 0:
		return errors.New("a look at a ring has seen a task, and none was visible during the call")
	default:
		x.steps[at] = Step{x.e.Line, "LookRing", t.name, []any{name(i), true}}
	}
	return nil
}

func (x *translator) slotLoad() error {
	if !none(x.e.Out) {
		return nil // a swap follows
	}
	return x.slotTake()
}

func (x *translator) slotTake() error {
	i, known := x.slots[x.e.Object]
	if !known {
		return fmt.Errorf("object %d is no slot", x.e.Object)
	}
	x.step("SlotTake", name(i), !none(x.e.Out))
	return nil
}

func (x *translator) slotSwap() error {
	x.step("SlotSwap", !none(x.e.Out))
	return nil
}

// late reports whether the event is of the queue late, which only overflows fill.
func (x *translator) late() bool { return x.e.Object != x.length }

func (x *translator) injectLen() error {
	v, err := number(x.e.Out)
	if x.late() {
		return empty(v, err)
	}
	x.step("InjectLen", int(v))
	return err
}

// empty is an error unless what was loaded is 0.
func empty(v uint64, err error) error {
	if err == nil && v != 0 {
		err = errors.New("a ring has overflowed, and in Sched they are never full")
	}
	return err
}

// injectEmpty is Inject.PopN, which looks at the length before it takes the lock.
func (x *translator) injectEmpty() error {
	v, err := number(x.e.Out)
	if x.late() {
		return empty(v, err)
	}
	if v == 0 {
		x.step("InjectPop", 0, 0)
	}
	return err
}

func (x *translator) injectPop() error {
	v, err := number(x.e.In)
	x.step("InjectPop", int(x.queued-v), int(v))
	x.queued = v
	return err
}

func (x *translator) submit() error {
	v, err := number(x.e.In)
	switch {
	case err != nil:
	case x.late():
		return empty(v, nil)
	case x.isWorker():
		return errors.New("a worker pushes to inject: a ring has overflowed, and in Sched they are never full")
	}
	x.thread().pushing = false
	x.step("Submit", int(v))
	x.queued = v
	return err
}

// refused is the end of a push: if it has not stored the length, inject is closed.
func (x *translator) refused() error {
	if t := x.thread(); t.pushing {
		t.pushing = false
		x.step("SubmitRefused")
	}
	return nil
}

// close closes inject. Who submitted before is another thread of Sched from now on.
func (x *translator) close() error {
	if t := x.thread(); !t.closing {
		x.closers++
		t.closing, t.name = true, fmt.Sprintf("c%d", x.closers)
		x.step("CloseInject")
	}
	return nil
}
