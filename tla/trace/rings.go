package trace

import (
	"errors"
	"fmt"
	"slices"
)

// What the rings are in a run that is to be a trace.
const (
	RingCapacity = 4
	// RingStart is the first index of each, so that a run passes the wrap soon.
	RingStart uint32 = 1<<32 - 64
	// modulus is how many index values the module has: the numbers of TLC are below
	// 2^31, and of two of these the module computes the sum.
	modulus = 1 << 30
)

// Steps that are no action of RingQueue, but accesses to slots that are part of one, a
// call or what it has returned, and what the overflow is given.
const (
	stepTake   = "Take"
	stepClear  = "Clear"
	stepBring  = "Bring"
	stepCall   = "Call"
	stepReturn = "Return"
	stepOver   = "Over"
)

var ringNames = []string{
	"PushP1", "PushP1Again", "PushP4", "PushP5", "PushO1", "PushO2", "PopL1", "PopL4", "BatchP1", "BatchP4", "BatchP5",
	"StealS0", "StealS1", "StealS2", "StealS5", "StealS7", "StealS7Load", "StealS9",
	stepTake, stepClear, stepBring, stepCall, stepReturn, stepOver, End,
}

// ringMapped has for each operation of package queue the step that it is; but what
// Stealer.claim loads is head, and then tail.
var ringMapped = map[string]string{
	"Ring.Push Load": "PushP1", "Ring.pushFull Load": "PushP1Again", "Ring.pushFull CompareAndSwap": "PushO1",
	"Ring.overflow Store": "PushO2", "Ring.Pop Load": "PopL1", "Ring.Pop CompareAndSwap": "PopL4", "Ring.Free Load": "BatchP1",
	"Stealer.StealInto Load": "StealS0", "Stealer.claim Load": "StealS1", "Stealer.claim CompareAndSwap": "StealS5",
	"Ring.release CompareAndSwap": "StealS7", "Ring.release Load": "StealS7Load",
	"Ring.append Store": "PushP5", "Ring.PushBatch Store": "BatchP5", "Stealer.StealInto Store": "StealS9",
	"Ring.take Load": stepTake, "Ring.take Store": stepClear,
}

// filling has the steps of those that store a task, where those that store tail have
// the same names.
var filling = map[string]string{"PushP5": "PushP4", "BatchP5": "BatchP4", "StealS9": stepBring}

// rings knows what the objects of a record are.
type rings struct {
	heads, tails map[uint32]int // object -> ring
	slots        map[uint32]slot
	places       map[slot]uint32
	owners       map[uint64]*owner // goroutine -> worker
	numbers      map[uint64]int    // task -> its number, in the order of creation
	ends         []uint32          // ring -> tail
	steps        []Step
	tasks        int
	e            Event
}

type slot struct{ ring, number int }

// owner is what a worker is in the middle of.
type owner struct {
	worker int
	filled int   // tasks that it has stored and not shown
	over   []int // tasks that the overflow was given
	fresh  []uint64
	batch  bool // it is in a PushBatch
}

// translateRings returns the run that a record is of: one of package drive's, whose
// calls of a ring's methods are operations of the record as well.
func translateRings(record []Event, s Source) (Trace, error) {
	x := &rings{
		heads: map[uint32]int{}, tails: map[uint32]int{}, slots: map[uint32]slot{}, places: map[slot]uint32{},
		owners: map[uint64]*owner{}, numbers: map[uint64]int{0: 0},
	}
	if err := each(record, s, x.translate); err != nil {
		return Trace{}, err
	}
	if len(x.ends) == 0 {
		return Trace{}, errors.New("trace: the record has no ring")
	}
	return Trace{Workers: len(x.ends), Steps: x.steps}, nil
}

func (x *rings) translate(e Event, what string) error {
	x.e = e
	switch what {
	case "NewRing Store":
		return x.made()
	case "calls.begin Store":
		return x.call()
	case "calls.end Store":
		return x.returned()
	case "calls.Push Store", "calls.PushBatch Store":
		return x.spilled(what == "calls.Push Store")
	}
	step, known := ringMapped[what]
	o := x.owners[e.Goroutine]
	switch {
	case !known:
		return unknown(e, what)
	case step == "BatchP1" && (o == nil || !o.batch):
		return nil // a look, before the call
	case o == nil:
		return errors.New("an operation of nobody that has called a method")
	case e.Kind == plainMemory:
		return x.slot(o, step)
	case e.Op == "Load":
		return x.load(o, step)
	case e.Op == "CompareAndSwap":
		return x.swap(o, step)
	}
	return x.store(o, step)
}

// made is NewRing: of each ring in turn head is stored, then tail.
func (x *rings) made() error {
	if len(x.heads) == len(x.ends) {
		x.heads[x.e.Object] = len(x.ends)
		return nil
	}
	v, err := number(x.e.In)
	x.tails[x.e.Object] = len(x.ends)
	x.ends = append(x.ends, uint32(v))
	return err
}

func (x *rings) step(o *owner, step string, args ...any) {
	x.steps = append(x.steps, Step{x.e.Line, step, name(o.worker), args})
}

// of names the ring that an object is a word of; nobody's, if it is none.
func of(words map[uint32]int, object uint32) string {
	if i, known := words[object]; known {
		return name(i)
	}
	return "-"
}

// pair are the two indices of a head, as the module has them.
func pair(head uint64) (steal, real any) {
	s, r := indices(head)
	return int(s % modulus), int(r % modulus)
}

func (x *rings) load(o *owner, step string) error {
	v, err := number(x.e.Out)
	if _, is := x.tails[x.e.Object]; is {
		x.step(o, "StealS2", of(x.tails, x.e.Object), int(v%modulus))
		return err
	}
	if step == "PushP1" || step == "BatchP1" {
		x.create(o)
	}
	steal, real := pair(v)
	x.step(o, step, of(x.heads, x.e.Object), steal, real)
	return err
}

// create numbers the tasks that the call brings: in RingQueue it makes them.
func (x *rings) create(o *owner) {
	for _, v := range o.fresh {
		x.tasks++
		x.numbers[v] = x.tasks
	}
	o.fresh = nil
}

func (x *rings) swap(o *owner, step string) error {
	before, after, ok, err := swap(x.e)
	s, r := pair(before)
	steal, real := pair(after)
	x.step(o, step, of(x.heads, x.e.Object), s, r, steal, real, ok)
	return err
}

func (x *rings) store(o *owner, step string) error {
	v, err := number(x.e.In)
	if i, known := x.tails[x.e.Object]; known {
		x.ends[i] = uint32(v)
	}
	o.filled = 0
	x.step(o, step, of(x.tails, x.e.Object), int(v%modulus))
	return err
}

// task returns the number of a task; one that was never brought has none.
func (x *rings) task(v string) (int, error) {
	value, err := number(v)
	if n, known := x.numbers[value]; known {
		return n, err
	}
	return -1, err
}

// slot is an access to a slot. Which one it is of which ring is known since a task was
// first stored there: an owner fills its slots in order.
func (x *rings) slot(o *owner, step string) error {
	if step == stepTake {
		v, err := x.task(x.e.Out)
		x.touch(o, step, v)
		return err
	}
	v, err := x.task(x.e.In)
	if step == stepClear {
		x.touch(o, step, v)
		return err
	}
	at := slot{o.worker, (int(x.ends[o.worker]%RingCapacity) + o.filled) % RingCapacity}
	o.filled++
	_, known := x.slots[x.e.Object]
	if _, taken := x.places[at]; !known && !taken {
		x.slots[x.e.Object], x.places[at] = at, x.e.Object
	}
	x.touch(o, filling[step], v)
	return err
}

func (x *rings) touch(o *owner, step string, task int) {
	at, known := x.slots[x.e.Object]
	ring := name(at.ring)
	if !known {
		ring = "-"
	}
	x.step(o, step, ring, at.number, task)
}

func ringDefinitions(runs []Trace) string {
	tasks := 1
	for _, run := range runs {
		for _, s := range run.Steps {
			if s.Name == "PushP4" || s.Name == "BatchP4" {
				tasks = max(tasks, s.Args[2].(int))
			} else if s.Name == stepOver {
				tasks = max(tasks, slices.Max(append(s.Args[0].([]int), 0)))
			}
		}
	}
	return fmt.Sprintf("TraceWorkers == %s\nTraceCap == %d\nTraceStart == %d\nTraceModulus == %d\nTraceTasks == %d\n",
		workers(runs), RingCapacity, RingStart%modulus, modulus, tasks+RingCapacity)
}
