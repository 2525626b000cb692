package sched

import (
	"runtime/debug"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/gid"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/park"
	"github.com/filch-sched/filch/queue"
)

const (
	// lifoCap is how many tasks from the LIFO slot run in a row (LIFOBounded).
	lifoCap = 3
	// keepHeaders is how many free task headers a worker keeps.
	keepHeaders = 256
	lineSize    = 128
)

// worker runs tasks. Its goroutine owns it; a task that calls Goexit takes the
// goroutine with it, and a new one takes over.
type worker struct {
	// These never change after newWorker; others read them.
	s       *Scheduler
	id      int
	stealer queue.Stealer[*task]
	parker  *park.Parker

	// The rest, down to the padding, is the owner's.
	ring      *queue.Ring[*task]
	searching bool // counted as searching by idle
	lifoRun   int  // tasks from the LIFO slot since another source was looked at
	current   *task
	random    random
	interval  tuner
	batch     []*task // a refill on its way from inject to the ring
	pending   func() bool
	free      *task // free headers, kept of them
	kept      int
	counts    Stats
	_         [lineSize]byte

	// lifo is a task that the owner runs next. Only the owner fills it; the
	// owner and, on their last pass, thieves empty it.
	lifo atomic.Pointer[task]
	// g is the owner's goroutine, for onWorker.
	g atomic.Uintptr
	// published is what others may read of counts; mu guards it.
	mu        sync.Mutex
	published Stats
	_         [lineSize]byte
}

func newWorker(s *Scheduler, id int) (*worker, error) {
	ring, err := queue.NewRing[*task](s.opts.capacity)
	if err != nil {
		return nil, err
	}
	w := &worker{
		s: s, id: id, ring: ring, stealer: ring.Stealer(), parker: park.New(),
		random:   newRandom(s.opts.seed, id),
		interval: newTuner(s.opts.interval),
		batch:    make([]*task, s.opts.capacity/2),
	}
	w.pending = s.pending
	return w, nil
}

// start is the body of a worker's goroutine.
func (w *worker) start() {
	st := &seat{w: w, g: gid.Get()}
	w.g.Store(st.g)
	left := false
	defer func() {
		w.g.Store(0)
		if !left {
			// A Goexit ends this goroutine, whatever its deferred functions do,
			// panic and recover included. It does not end the worker.
			w.s.live.Go(w.start)
		}
	}()
	for !w.serve(st) {
	}
	w.leave()
	left = true
}

// serve runs tasks until there will be no more, and then returns true. If a
// task panics it returns false, to be called again; if a task calls Goexit it
// does not return. One deferred call serves any number of tasks.
func (w *worker) serve(st *seat) (ended bool) {
	defer func() {
		if ended || w.current == nil {
			return // or a panic of our own, which is not to be hidden
		}
		st.leave()
		w.counts.Panicked++
		if v := recover(); v != nil {
			w.finish(&PanicError{Value: v, Stack: debug.Stack()})
			return
		}
		w.finish(ErrGoexit)
	}()
	for {
		t := w.next()
		if t == nil {
			t = w.search()
		}
		if t != nil {
			w.run(st, t)
			continue
		}
		if w.s.over.Load() { // edge over
			return true
		}
		w.sleep()
	}
}

// run runs one task, or resolves it unrun if the scheduler is past its end.
func (w *worker) run(st *seat, t *task) {
	if w.searching {
		w.searching = false
		w.s.idle.StopSearch()
	}
	w.interval.count()
	w.current = t
	if w.s.cancelling.Load() {
		w.s.cancelled.Add(1)
		w.finish(ErrCancelled)
		return
	}
	t.body.Run(st.enter())
	st.leave()
	w.counts.Ran++
	w.finish(nil)
}

// finish ends the current task.
func (w *worker) finish(err error) {
	t := w.current
	w.current = nil
	if t.fin != nil {
		t.fin.finish(err)
		return // the header is part of the job, which its handles keep
	}
	switch err := err.(type) {
	case nil:
	case *PanicError:
		w.s.opts.onPanic(err)
	default:
		if err == ErrGoexit {
			w.s.opts.onPanic(&PanicError{Value: ErrGoexit, Stack: debug.Stack()})
		}
	}
	w.keep(t)
}

// next takes a task from the worker's own places or from inject.
func (w *worker) next() *task {
	if w.interval.due() {
		w.tick()
		if t, ok := w.s.inject.Pop(); ok {
			w.lifoRun = 0
			w.counts.Injected++
			return t
		}
	}
	if w.lifoRun < lifoCap { // at the cap spawn leaves the slot alone: it is empty
		if t := w.takeLIFO(); t != nil {
			w.lifoRun++
			w.counts.LIFO++
			return t
		}
	}
	w.lifoRun = 0
	if t, ok := w.ring.Pop(); ok {
		return t
	}
	if t := w.refill(); t != nil {
		return t
	}
	t, _ := w.s.late.Pop()
	return t
}

// takeLIFO empties the LIFO slot. Anyone may call it.
func (w *worker) takeLIFO() *task {
	if w.lifo.Load() == nil {
		return nil
	}
	return w.lifo.Swap(nil) // edge slot: pairs with spawn's swap
}

// refill takes this worker's share of inject, runs the first task of it and
// puts the others in the ring, never more than half of it: a refilled task is
// not in the half that an overflow would send back.
func (w *worker) refill() *task {
	s := w.s
	queued := s.inject.Len()
	if queued == 0 {
		return nil
	}
	// At least one, even if a thief still holds the whole ring: asking for none
	// would be to take inject for empty (tokio-rs/tokio#5908).
	want := max(1, min(queued/len(s.workers)+1, w.ring.Free(), len(w.batch)))
	n := s.inject.PopN(w.batch[:want])
	if n == 0 {
		return nil
	}
	first := w.batch[0]
	w.ring.PushBatch(w.batch[1:n])
	clear(w.batch[:n])
	w.counts.Injected += uint64(n)
	if n > 1 && !w.searching {
		// Wrong: publishing in silence, as Tokio does. A worker that parked while
		// these tasks were in hand saw nothing. See ci/mutants/sched-silent-refill.txt.
		s.idle.Wake(idle.Publish)
	}
	return first
}

// spawn queues a task of the running task's. It goes to the LIFO slot, where it
// finds its data warm, and the task it displaces to the ring.
func (w *worker) spawn(t *task) {
	w.counts.Spawned++
	if w.s.opts.lifo && w.lifoRun < lifoCap {
		t = w.lifo.Swap(t) // edge slot: pairs with takeLIFO's swap
		if t == nil {
			// Filling an empty slot wakes nobody: a thief would have to come
			// for this one task, and most often this worker is sooner.
			return
		}
	}
	w.ring.Push(t, (*spillway)(w)) // which takes whatever comes
	w.s.idle.Wake(idle.Publish)
}

// spillway is a worker as the place that its ring overflows to: inject or, when
// that is closed and takes nothing from outside any more, late.
//
// Wrong: keeping what inject refuses for this worker alone. It may be inside a
// task that waits for one of them.
type spillway worker

func (w *spillway) Push(t *task) bool { return w.s.inject.Push(t) || w.s.late.Push(t) }

func (w *spillway) PushBatch(ts []*task) bool {
	w.counts.Overflows++
	return w.s.inject.PushBatch(ts) || w.s.late.PushBatch(ts)
}

// header returns a free task header, keep gives one back.
func (w *worker) header() *task {
	t := w.free
	if t == nil {
		return w.s.headers.Get().(*task)
	}
	w.free, t.next = t.next, nil
	w.kept--
	return t
}

func (w *worker) keep(t *task) {
	t.reset()
	if w.kept == keepHeaders {
		w.s.headers.Put(t)
		return
	}
	t.next, w.free = w.free, t
	w.kept++
}
