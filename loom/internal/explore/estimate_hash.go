package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// conflicting has, for a mode, the modes with which it does not commute.
var conflicting = func() (list [machine.Modes][]int) {
	for a := range machine.Modes {
		for b := range machine.Modes {
			e, f := machine.Effect{Mode: machine.Mode(a)}, machine.Effect{Mode: machine.Mode(b)}
			if !e.Independent(f) {
				list[a] = append(list[a], b)
			}
		}
	}
	return list
}()

// trail computes the fingerprint of an execution step by step, at a cost that
// does not depend on how many steps there were. Like that of [fingerprint] it is
// a sum over the steps of numbers that each depend on the steps which must come
// before. But nothing in it depends on the numbers of threads and objects, which
// equivalent executions may give out in another order: a thread is named by its
// ancestors, and an object not at all, since a step is known by what it depends
// on.
type trail struct {
	names    [machine.MaxThreads]uint64
	children [machine.MaxThreads]uint64
	born     int
	past     [machine.MaxThreads]uint64 // the sum of the steps of each thread
	objects  [][machine.Modes]uint64    // the sums of the steps on each object, by mode
	sum      uint64
	salt     uint64 // trails of different salts are independent
}

func (tr *trail) reset() {
	clear(tr.children[:tr.born])
	clear(tr.past[:tr.born])
	tr.born, tr.sum, tr.objects = 0, 0, tr.objects[:0]
}

// meet names the threads that have been started since it was last called.
func (tr *trail) meet(m *machine.Machine) {
	for ; tr.born < m.Threads(); tr.born++ {
		parent := m.Thread(tr.born).Parent()
		if parent < 0 {
			tr.names[tr.born] = mix(1 + tr.salt)
			continue
		}
		tr.children[parent]++
		tr.names[tr.born] = mix(tr.names[parent] + mix(tr.children[parent]))
	}
}

// step adds the step of a thread that meet has named. choice is 0, or one more
// than the outcome of a choice.
func (tr *trail) step(thread int, e machine.Effect, choice int) {
	h := tr.hash(thread, e, choice)
	tr.past[thread] += h
	tr.sum += h
	if e.Object >= 0 {
		tr.objects[e.Object][e.Mode] += h
	}
}

// hash returns what step would add to the sum.
func (tr *trail) hash(thread int, e machine.Effect, choice int) uint64 {
	before := tr.past[thread]
	if e.Object >= 0 {
		for int(e.Object) >= len(tr.objects) {
			tr.objects = append(tr.objects, [machine.Modes]uint64{})
		}
		object := &tr.objects[e.Object]
		for _, mode := range conflicting[e.Mode] {
			before += object[mode]
		}
	}
	return mix(tr.names[thread] + mix(uint64(choice)+mix(before+1)))
}

// fingerprint returns a number that executions of one trace share and others,
// in all likelihood, do not.
func (tr *trail) fingerprint(deadlocked bool) uint64 {
	if deadlocked {
		return tr.sum + 1
	}
	return tr.sum
}
