package fuzz

import (
	"fmt"
	"slices"

	"github.com/filch-sched/filch/model"
)

// Shape bounds the programs that are made. All choices are prefixes of the same
// tables, so that a program of one shape is one of every larger shape.
type Shape struct {
	// Target is what all programs run on; 0 is any of those that a scenario may have.
	Target model.Target
	// MinThreads and MaxThreads bound the threads; there are names for four.
	MinThreads, MaxThreads int
	// Setup is the largest number of operations before the threads start, Ops
	// that of one thread's, ParkOps that of one thread's on Park.
	Setup, Ops, ParkOps int
	// Capacities and Sizes say how many entries of the tables of ring
	// capacities and of batch sizes are used.
	Capacities, Sizes int
	// InOrder says that the programs are only run in order: some of their other
	// orders may leave a thread waiting for ever.
	InOrder bool

	// kinds, if not nil, replaces the tables of what a thread may do.
	kinds func(threads, thread int, setup bool) []model.Kind
	// untimed says that there are no timed Parks: what would wait for ever unparks
	// itself. lawless says that tasks spawn none.
	// once says that there is at most one Close.
	untimed, lawless, once bool
}

// The shapes.
var (
	// Bytes is what Decode makes and Encode takes.
	Bytes = Shape{MinThreads: 1, MaxThreads: 4, Setup: 10, Ops: 40, ParkOps: 6, Capacities: 5, Sizes: 7}
	// Quick is a program that takes some ten microseconds to run by one schedule.
	Quick = Shape{MinThreads: 1, MaxThreads: 3, Setup: 6, Ops: 8, ParkOps: 5, Capacities: 3, Sizes: 5}
	// Small is a program that can be explored to the end.
	Small = Shape{MinThreads: 2, MaxThreads: 3, Setup: 5, Ops: 3, ParkOps: 3, Capacities: 2, Sizes: 3}
	// Wide is a program on rings that keeps two processors busy for some
	// microseconds, so that its threads do meet.
	Wide = Shape{Target: model.Ring, MinThreads: 2, MaxThreads: 3, Setup: 4, Ops: 40, Capacities: 2, Sizes: 3}
	// Long is a program to run in order.
	Long = Shape{MinThreads: 1, MaxThreads: 3, Setup: 0, Ops: 250, ParkOps: 250, Capacities: 5, Sizes: 7, InOrder: true}
)

// mostChoices is how many choices one byte can be.
const mostChoices = 256

// check panics if there is no program of the shape, or none that bytes can stand for.
func (sh Shape) check() {
	between := func(what string, n, least, most int) {
		if n < least || n > most {
			panic(fmt.Sprintf("fuzz: no shape: %s is %d, want %d to %d", what, n, least, most))
		}
	}
	if sh.Target != 0 && sh.kinds == nil && !slices.Contains(targets, sh.Target) {
		panic(fmt.Sprintf("fuzz: no shape: target %v is none that programs run on", sh.Target))
	}
	between("MinThreads", sh.MinThreads, 1, len(names))
	between("MaxThreads", sh.MaxThreads, sh.MinThreads, len(names))
	between("Setup", sh.Setup, 0, mostChoices-1)
	between("Ops", sh.Ops, 1, mostChoices)
	if sh.Target == 0 || sh.Target == model.Park {
		between("ParkOps", sh.ParkOps, 1, mostChoices)
	}
	if sh.Target == 0 || sh.Target == model.Ring {
		between("Capacities", sh.Capacities, 1, len(capacities))
	}
	if sh.Target == 0 || sh.Target == model.Ring || sh.Target == model.Inject {
		between("Sizes", sh.Sizes, 1, len(sizes))
	}
}
