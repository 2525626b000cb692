package court

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
)

// life is one run of a thing from its making to its end.
type life struct {
	threads int
	clock   *linearizability.Clock
	crew    *crew.Crew
	logs    []*linearizability.Log
	rng     *rand.Rand
	load    load
	pattern string
	h       linearizability.History
	trouble crew.Trouble
	wrong   atomic.Pointer[string] // what no history can say
	// refused and missed are answers that are allowed for any reason, so that they are
	// in no history.
	refused, missed atomic.Int64
}

// lifeOps is how many operations a thread does in a life.
const lifeOps = 200

func newLife(d driver, threads int) *life {
	l := &life{threads: threads, clock: new(linearizability.Clock)}
	l.crew = crew.New(threads, l.clock)
	n, room := d.logs(threads)
	for t := range n {
		l.logs = append(l.logs, linearizability.NewLog(l.clock, t, room))
	}
	return l
}

// begin makes l ready for life number n.
func (l *life) begin(seed, n uint64) {
	l.rng = rand.New(rand.NewPCG(seed, n))
	l.load = loads[n%uint64(len(loads))]
	l.pattern = l.load.name
	l.h = linearizability.History{Ops: l.h.Ops[:0]}
	l.trouble = crew.Trouble{}
	l.wrong.Store(nil)
	l.refused.Store(0)
	l.missed.Store(0)
	for _, log := range l.logs {
		log.Reset()
	}
}

// run lets every thread do f with random choices of its own, unless there was
// trouble before.
func (l *life) run(f func(t int, rng *rand.Rand)) {
	if l.trouble.Any() {
		return
	}
	seeds := make([]uint64, l.threads)
	for i := range seeds {
		seeds[i] = l.rng.Uint64()
	}
	l.trouble = l.crew.Run(func(t int) { f(t, rand.New(rand.NewPCG(seeds[t], 0))) })
}

// alone lets thread t do f.
func (l *life) alone(t int, f func()) {
	l.run(func(who int, _ *rand.Rand) {
		if who == t {
			f()
		}
	})
}

// disagree notes that the thing has done what its adapter says that it never does.
func (l *life) disagree(how string) { l.wrong.CompareAndSwap(nil, &how) }

// end makes the history.
func (l *life) end(target model.Target, threads, capacity int) {
	l.h.Target, l.h.Threads, l.h.Capacity, l.h.Stuck = target, threads, capacity, l.trouble.Any()
	l.h.Ops = linearizability.Merge(l.h.Ops, l.logs)
}

// load is a pattern of load: how often an operation puts something in, how long
// the same is done in a row, and how often the processor is given away.
type load struct {
	name  string
	puts  int // of 16
	burst int // up to so many of the same in a row
	yield int // one operation in so many
	rest  int // spins between operations, up to so many
}

// loads are the patterns, which lives have in turn.
var loads = []load{
	{"steady", 8, 1, 64, 0},
	{"bursts", 8, 48, 64, 0},
	{"nearly empty", 5, 1, 32, 0},
	{"nearly full", 11, 2, 64, 0},
	{"storm", 15, 64, 128, 0},
	{"idle and wake", 8, 2, 4, 400},
}

// turn draws what a thread does next and for how long.
func (l load) turn(rng *rand.Rand) (puts bool, n int) {
	return rng.IntN(16) < l.puts, 1 + rng.IntN(l.burst)
}

// pause sometimes lets others run or takes a moment.
func (l load) pause(rng *rand.Rand) {
	if rng.IntN(l.yield) == 0 {
		runtime.Gosched()
	}
	if l.rest > 0 {
		for range rng.IntN(l.rest) {
			rng.Uint64()
		}
	}
}
