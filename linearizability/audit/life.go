package main

import (
	"math/rand/v2"
	"runtime"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// driver drives one kind of production code.
type driver interface {
	target() model.Target
	// claims are those that the judge of its histories can find violated.
	claims() []model.Claim
	// logs lists the thread of each log that a life needs, and size is how many
	// operations there must be room for in each.
	logs() (threads []int, size int)
	// play lives one life of the code from its making to its end, with the
	// threads of c.
	play(l *life, c *crew.Crew)
}

// life is one run of something from its making to its end, and its history:
// short, so that it can be judged whole.
type life struct {
	rng     *rand.Rand
	logs    []*linearizability.Log // by thread
	h       linearizability.History
	start   uint32 // the index at which the rings began
	trouble crew.Trouble
	load    string // the pattern of load
	procs   int    // GOMAXPROCS
	// wrong is what the driver itself saw go wrong and the history does not tell.
	wrong *linearizability.Violation
	unfit string // why the history is not what happened, "" if it is
}

// newLife returns a life with a log for each of threads and room for ops
// operations in each.
func newLife(c *linearizability.Clock, threads []int, ops int) *life {
	l := &life{}
	for _, t := range threads {
		l.logs = append(l.logs, linearizability.NewLog(c, t, ops))
	}
	return l
}

// begin makes l ready for a life driven by seed.
func (l *life) begin(d driver, seed uint64) {
	l.rng = rand.New(rand.NewPCG(seed, uint64(d.target())))
	l.h = linearizability.History{Target: d.target(), Threads: len(l.logs), Ops: l.h.Ops[:0]}
	l.trouble, l.wrong, l.unfit, l.start = crew.Trouble{}, nil, "", 0
	l.load, l.procs = "", runtime.GOMAXPROCS(0)
	for _, log := range l.logs {
		log.Reset()
	}
}

// end makes the history of what was recorded.
func (l *life) end() {
	l.h.Stuck = l.trouble.Any()
	l.h.Ops = linearizability.Merge(l.h.Ops, l.logs)
}

// upTo returns 0 to n-1.
func upTo(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// seeds returns a seed for each thread.
func (l *life) seeds(threads int) []uint64 {
	out := make([]uint64, threads)
	for i := range out {
		out[i] = l.rng.Uint64()
	}
	return out
}

// pause sometimes lets others run, and sometimes takes a moment, so that
// threads do not run in step.
func pause(rng *rand.Rand, yield int) {
	switch k := rng.IntN(4 * yield); {
	case k < 4:
		runtime.Gosched()
	case k < 8:
		for range rng.IntN(100) {
			rng.Uint64()
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// count records an operation that answers a number.
func count(log *linearizability.Log, kind model.Kind, on int, f func() int) {
	log.Begin(model.Op{Kind: kind, On: on})
	n := f()
	log.End(model.Result{Outcome: model.Counted, N: n})
}

func popInject(log *linearizability.Log, q *queue.Inject[model.Task], n int) bool {
	var buf [64]model.Task
	dst := buf[:min(n, len(buf))]
	log.Begin(model.Op{Kind: model.InjectPopN, Max: len(dst)})
	got := q.PopN(dst)
	log.End(model.Result{Outcome: model.Empty})
	if got > 0 {
		log.Amend(model.Result{Outcome: model.Took, Tasks: log.Tasks(dst[:got]...)})
	}
	return got > 0
}

func closeInject(log *linearizability.Log, q *queue.Inject[model.Task]) {
	log.Begin(model.Op{Kind: model.InjectClose})
	first := q.Close()
	log.End(model.Result{Outcome: model.Done, N: boolInt(first)})
}
