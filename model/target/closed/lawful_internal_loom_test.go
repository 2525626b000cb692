//go:build loom

package closed

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// subject is something whose histories the law is asked about; some do not keep it.
type subject interface {
	do(thread int, op model.Op) model.Result
	roots(d *loom.Driver)
}

// toy is an inject queue of words with room for a few tasks in all.
type toy struct {
	mu         sync.Mutex
	head, tail atomic.Int32
	closed     atomic.Bool
	slots      [6]atomic.Int32
	fault      int
}

// The faults of a toy, from 1.
const (
	pushUnlocked = 1 + iota
	popUnlocked
	lengthTorn
	closedOutside
	newestFirst
	slotLate
	toyFaults = iota
)

func (q *toy) roots(d *loom.Driver) { d.Root("toy", q) }

func (q *toy) do(_ int, op model.Op) model.Result {
	switch op.Kind {
	case model.InjectPush:
		return q.push(int32(op.Args[0]))
	case model.InjectPop:
		return q.pop()
	case model.InjectLen:
		if q.fault != lengthTorn {
			defer q.locked()()
		}
		return model.Result{Outcome: model.Counted, N: max(0, int(q.tail.Load()-q.head.Load()))}
	}
	defer q.locked()()
	return model.Result{Outcome: model.Done, N: int(1 - truth(q.closed.Swap(true)))}
}

func (q *toy) locked() (unlock func()) {
	q.mu.Lock()
	return q.mu.Unlock
}

func (q *toy) push(v int32) model.Result {
	closed := q.fault == closedOutside && q.closed.Load()
	if q.fault != pushUnlocked {
		defer q.locked()()
	}
	if closed || q.fault != closedOutside && q.closed.Load() {
		return model.Result{Outcome: model.Closed}
	}
	t := q.tail.Load()
	if q.fault == slotLate {
		q.tail.Store(t + 1)
		q.mu.Unlock()
		q.mu.Lock()
		q.slots[t].Store(v)
	} else {
		q.slots[t].Store(v)
		q.tail.Store(t + 1)
	}
	return model.Result{Outcome: model.Kept}
}

func (q *toy) pop() model.Result {
	if q.fault != popUnlocked {
		defer q.locked()()
	}
	h, t := q.head.Load(), q.tail.Load()
	if h == t {
		return model.Result{Outcome: model.Empty}
	}
	if q.fault == newestFirst {
		q.tail.Store(t - 1)
		return taken(true, model.Task(q.slots[t-1].Load()))
	}
	v := q.slots[h].Load()
	q.head.Store(h + 1)
	return taken(true, model.Task(v))
}

// rung is a ring of thread 0, from which others steal; what overflows is kept by nobody.
type rung struct {
	rings []*queue.Ring[int]
	fault int // 1: busy is called empty; 2: lengths are made up
}

func (r *rung) roots(d *loom.Driver) {
	for i, q := range r.rings {
		d.Root(fmt.Sprint("ring ", i), q)
	}
}

func (r *rung) do(thread int, op model.Op) model.Result {
	own := r.rings[thread]
	switch op.Kind {
	case model.Push:
		own.Push(int(op.Args[0]), nil)
		return model.Result{Outcome: model.Kept}
	case model.Pop:
		v, ok := own.Pop()
		return taken(ok, model.Task(v))
	case model.Peek:
		n := r.rings[0].Stealer().Len()
		if r.fault == 2 {
			n = (n + r.rings[0].Stealer().Len() + 1) / 2
		}
		return model.Result{Outcome: model.Counted, N: n}
	}
	v, n, out := r.rings[0].Stealer().StealInto(own)
	res := stolen(v, n, out)
	if r.fault == 1 && res.Outcome == model.Busy {
		res.Outcome = model.Empty
	}
	return res
}

// trial is a random program on a subject.
type trial struct {
	spec    model.Spec
	answers model.Answers
	make    func() subject
	threads [][]model.Op
	fault   int
}

func randomTrial(r *rand.Rand) (p trial) {
	threads, next := 2+r.IntN(2), model.Task(0)
	op := func(kinds ...model.Kind) model.Op {
		o := model.Op{Kind: kinds[r.IntN(len(kinds))]}
		if o.Kind == model.Push || o.Kind == model.InjectPush {
			next++
			o.Args = []model.Task{next}
		}
		return o
	}
	ring := r.IntN(3) == 0
	for t := range threads {
		var ops []model.Op
		for range 1 + r.IntN(4-threads) {
			switch {
			case !ring:
				ops = append(ops, op(model.InjectPush, model.InjectPush, model.InjectPop, model.InjectPop, model.InjectLen, model.InjectClose))
			case t > 0:
				ops = append(ops, op(model.Steal, model.Steal, model.Peek))
			default:
				ops = append(ops, op(model.Push, model.Push, model.Pop))
			}
		}
		p.threads = append(p.threads, ops)
	}
	p.answers = model.Answers{Room: int(next), Capacity: 4}
	for v := range next {
		p.answers.Tasks = append(p.answers.Tasks, v+1)
	}
	if ring {
		p.spec, p.fault = model.Queues(threads, 4), r.IntN(3)
		p.make = func() subject {
			q := &rung{fault: p.fault}
			for range threads {
				own, err := queue.NewRing[int](4)
				if err != nil {
					panic(err)
				}
				q.rings = append(q.rings, own)
			}
			return q
		}
		return p
	}
	p.spec, p.fault = model.Queues(0, 0), r.IntN(toyFaults+1)
	p.make = func() subject { return &toy{fault: p.fault} }
	return p
}

// traced has the executions searched, and each history judged when it is over.
func (p trial) traced() {
	s := p.make()
	histories := make([]model.History, len(p.threads))
	var all []*loom.Thread
	for t, ops := range p.threads {
		all = append(all, loom.Go(func() {
			for _, op := range ops {
				o := model.Operation{Thread: t, Op: op, Call: loom.Call()}
				o.Result = s.do(t, op)
				o.Return = loom.Return()
				histories[t] = append(histories[t], o)
			}
		}))
	}
	var h model.History
	for t := range all {
		all[t].Join()
		h = append(h, histories[t]...)
	}
	if v := model.Check(p.spec, h); v != nil {
		loom.Failf(string(model.Linearizable), "%v", v)
	}
}

// stated returns a body that has the states searched, with the law beside them; early
// has calls made in the step of what comes before them, and not in that of their own.
func (p trial) stated(early bool) func() {
	l := newLaw(p.spec, p.answers)
	return func() {
		d, s := loom.Drive(), p.make()
		s.roots(d)
		w := l.begin(d)
		for t, ops := range p.threads {
			loom.Go(func() {
				for i, op := range ops {
					if !early {
						loom.Boundary(uint64(i))
					}
					w.call(t, op)
					w.returns(t, op, s.do(t, op))
				}
			})
		}
	}
}

// verdict returns which claim is violated, if one is, and whether that is known.
func verdict(t *testing.T, p trial, r loom.Report, err error) (claim string, known bool) {
	var v *loom.Violation
	if errors.As(err, &v) {
		return v.Claim, true
	}
	require.NoError(t, err, "%+v", p)
	return "", r.Exhausted
}

// TestLawAlongStatesIsLawOfHistories: a graph with the law beside it violates it exactly
// if one of the program's executions has a history that is unlawful.
func TestLawAlongStatesIsLawOfHistories(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if word := os.Getenv("LOOM_SEED"); word != "" {
		var err error
		seed, err = strconv.ParseUint(word, 10, 64)
		require.NoError(t, err, "LOOM_SEED")
	}
	t.Logf("seed %d: LOOM_SEED=%d go test -tags loom -run '^%s$' ./model/target/closed", seed, seed, t.Name())
	r := rand.New(rand.NewPCG(seed, 0))
	unlawful, lawful, faulty := 0, 0, 0
	for begin := time.Now(); unlawful+lawful < 1500 && time.Since(begin) < 20*time.Second; {
		p := randomTrial(r)
		rt, err := loom.Explore(p.traced, loom.Deadline(time.Second))
		want, known := verdict(t, p, rt, err)
		if !known {
			continue
		}
		rg, err := loom.Graph(p.stated(false))
		got, closed := verdict(t, p, rg, err)
		require.True(t, closed)
		require.Equal(t, want, got, "%+v\n%v", p, err)
		switch {
		case want != "":
			unlawful++
		case p.fault > 0:
			faulty++
			fallthrough
		default:
			lawful++
		}
	}
	t.Logf("%d programs are unlawful, %d lawful, %d of these in spite of a fault", unlawful, lawful, faulty)
	require.Greater(t, unlawful, 10)
	require.Greater(t, lawful, 30)
}

// TestCallIsMadeInItsOwnStep: one that is made with what its thread does before is too
// early, and hides what is unlawful. So a Boundary comes before it.
func TestCallIsMadeInItsOwnStep(t *testing.T) {
	p := trial{spec: model.Queues(0, 0), answers: model.Answers{Tasks: []model.Task{1}, Room: 1}, fault: closedOutside,
		threads: [][]model.Op{{{Kind: model.InjectPop}}, {{Kind: model.InjectClose}}, {{Kind: model.InjectPush, Args: []model.Task{1}}}}}
	p.make = func() subject { return &toy{fault: p.fault} }
	_, err := loom.Graph(p.stated(false))
	require.ErrorContains(t, err, "loom: Linearizable violated: ")
	require.ErrorContains(t, err, "\n\tt2: inject.push 1 = kept\n")
	_, err = loom.Graph(p.stated(true))
	require.NoError(t, err)
}
