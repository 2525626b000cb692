package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/sched"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// fate is what the model knows of a task that was accepted.
type fate struct {
	what string
	runs atomic.Int32
	end  ending
	// wait asks the task's handle, if it has one, for its error.
	wait func() error
	over sync.WaitGroup // until the task has begun its end
}

// ending is how a task ends.
type ending int

const (
	returns ending = iota
	fails
	panics
	exits
)

var errTask, errPanic = errors.New("the task's own error"), errors.New("the task's own panic")

// do ends a task in its way.
func (e ending) do() error {
	switch e {
	case fails:
		return errTask
	case panics:
		panic(errPanic)
	case exits:
		runtime.Goexit()
	}
	return nil
}

// require checks what a handle says of a task that has ended so.
func (e ending) require(t require.TestingT, err error) {
	switch e {
	case returns:
		require.NoError(t, err, "%s violated", model.JoinResolves)
	case fails:
		require.Equal(t, errTask, err, "%s violated", model.JoinResolves)
	case panics:
		var p *sched.PanicError
		require.ErrorAs(t, err, &p, "%s violated", model.PanicContained)
		require.NotEmpty(t, p.Stack)
		require.ErrorIs(t, err, errPanic, "%s violated", model.PanicContained)
		require.Equal(t, "sched: task panicked: the task's own panic", err.Error())
	case exits:
		require.ErrorIs(t, err, sched.ErrGoexit, "%s violated", model.PanicContained)
	}
}

// life is a scheduler and the model that it is held against: what was accepted
// and how each of that has to end.
type life struct {
	s        *sched.Scheduler
	mu       sync.Mutex
	accepted []*fate
	closed   bool
	broken   error // by a task: what it has seen
	gates    []chan struct{}
	reported atomic.Int32 // panics that no handle was there for
	silent   int          // and that there have to be
}

func newLife(t *rapid.T) *life {
	l := new(life)
	var err error
	l.s, err = sched.New(l.options(t)...)
	require.NoError(t, err)
	return l
}

// options draws the settings of a scheduler.
func (l *life) options(t *rapid.T) []sched.Option {
	opts := []sched.Option{
		sched.Workers(rapid.IntRange(1, 4).Draw(t, "workers")),
		sched.RingCapacity(rapid.SampledFrom([]int{2, 4, 8, 256}).Draw(t, "capacity")),
		sched.OnPanic(func(*sched.PanicError) { l.reported.Add(1) }),
	}
	if rapid.Bool().Draw(t, "interval given") {
		opts = append(opts, sched.GlobalInterval(rapid.SampledFrom([]int{1, 2, 61, 127}).Draw(t, "interval")))
	}
	if rapid.Bool().Draw(t, "no LIFO slot") {
		opts = append(opts, sched.NoLIFOSlot())
	}
	// One seed gives worker 0 the state of all zeros, which would stay so.
	zeros := ^uint64(0x9e3779b97f4a7c15) + 1
	return append(opts, sched.Seed(rapid.OneOf(rapid.Uint64(), rapid.Just(zeros)).Draw(t, "seed")))
}

// expect notes a task that is about to be spawned.
func (l *life) expect(what string, end ending) *fate {
	f := &fate{what: what, end: end}
	l.mu.Lock()
	l.accepted = append(l.accepted, f)
	l.mu.Unlock()
	return f
}

// settle takes f back if its spawn was answered by an error.
func (l *life) settle(f *fate, err error) {
	if err == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, g := range l.accepted {
		if g == f {
			l.accepted = append(l.accepted[:i], l.accepted[i+1:]...)
		}
	}
	if !errors.Is(err, sched.ErrClosed) || !l.closed {
		l.broken = fmt.Errorf("%s violated: %s answered %w, closed %v", model.ClosedReturnsTasks, f.what, err, l.closed)
	}
}

// see notes what a task must not see.
func (l *life) see(ok bool, format string, args ...any) {
	if !ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.broken = fmt.Errorf(format, args...)
	}
}

// body is the function of a task without a handle.
func (l *life) body(f *fate, then func(sched.Ctx)) func(sched.Ctx) {
	if f.end == panics || f.end == exits {
		l.silent++
	}
	return func(c sched.Ctx) {
		f.runs.Add(1)
		if then != nil {
			then(c)
		}
		_ = f.end.do()
	}
}

func (l *life) Go(t *rapid.T) {
	f := l.expect("Go", ending(rapid.SampledFrom([]ending{returns, returns, panics, exits}).Draw(t, "end")))
	was := l.silent
	err := l.s.Go(l.body(f, nil))
	if err != nil {
		l.silent = was
	}
	l.settle(f, err)
}

func (l *life) Spawn(t *rapid.T) {
	f := l.expect("Spawn", ending(rapid.IntRange(0, 3).Draw(t, "end")))
	value := rapid.Int().Draw(t, "value")
	var h sched.Handle[int]
	var err error
	if rapid.Bool().Draw(t, "with an argument") {
		h, err = sched.SpawnWith(l.s, func(_ sched.Ctx, v int) (int, error) { f.runs.Add(1); return v, f.end.do() }, value)
	} else {
		h, err = sched.Spawn(l.s, func(sched.Ctx) (int, error) { f.runs.Add(1); return value, f.end.do() })
	}
	l.settle(f, err)
	f.wait = func() error {
		v, err := h.Wait()
		l.see(err != nil || v == value, "%s violated: a task that returns %d has %d for its handle", model.JoinResolves, value, v)
		l.see(h.Ready(), "%s violated: a handle that was waited for is not ready", model.JoinResolves)
		return err
	}
	if err != nil {
		_, again := h.Wait()
		require.ErrorIs(t, again, sched.ErrClosed, "%s violated", model.JoinResolves)
		return
	}
	switch rapid.IntRange(0, 2).Draw(t, "wait") {
	case 0:
		l.letAll()
		f.end.require(t, f.wait())
	case 1:
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := h.WaitContext(ctx); !h.Ready() {
			require.ErrorIs(t, err, context.Canceled)
		}
	}
}

// Tree is a task that spawns others, which spawn others, in all four ways: more
// than rings hold.
func (l *life) Tree(t *rapid.T) {
	depth, breadth := rapid.IntRange(1, 3).Draw(t, "depth"), rapid.IntRange(1, 6).Draw(t, "breadth")
	f := l.expect("root", returns)
	l.settle(f, l.s.GoTask(sched.Func(l.body(f, func(c sched.Ctx) { l.grow(c, depth, breadth) }))))
}

func (l *life) grow(c sched.Ctx, depth, breadth int) {
	l.see(c.Worker() >= 0 && c.Worker() < l.s.Workers(), "worker %d of %d", c.Worker(), l.s.Workers())
	l.see(c.Scheduler() == l.s, "the scheduler of a context is another one")
	if depth == 0 {
		return
	}
	for i := range breadth {
		f := l.expect("branch", returns)
		run := func(c sched.Ctx) { f.runs.Add(1); l.grow(c, depth-1, breadth) }
		var err error
		switch i % 4 {
		case 0:
			err = c.Go(run)
		case 1:
			err = c.GoTask(sched.Func(run))
		case 2:
			var h sched.Handle[int]
			h, err = sched.SpawnIn(c, func(c sched.Ctx) (int, error) { run(c); return i, nil })
			if _, waited := h.Wait(); err == nil {
				l.see(waited == nil || errors.Is(waited, sched.ErrWouldDeadlock), "%s violated: Wait inside a task: %v", model.JoinResolves, waited)
			}
		case 3:
			_, err = sched.SpawnInWith(c, func(c sched.Ctx, v int) (int, error) { run(c); return v, nil }, i)
		}
		l.settle(f, err)
	}
}

// Hold keeps a worker in a task until Let, or the end, with tasks in its LIFO slot
// and its ring.
func (l *life) Hold(t *rapid.T) {
	if len(l.gates) == l.s.Workers() {
		t.Skip("all workers are held")
	}
	gate, children := make(chan struct{}), rapid.IntRange(0, 5).Draw(t, "children")
	f := l.expect("holder", returns)
	err := l.s.Go(l.body(f, func(c sched.Ctx) {
		l.grow(c, min(children, 1), children)
		<-gate
	}))
	if l.settle(f, err); err == nil {
		l.gates = append(l.gates, gate)
	}
}

func (l *life) Let(t *rapid.T) {
	if len(l.gates) == 0 {
		t.Skip("nobody is held")
	}
	close(l.gates[0])
	l.gates = l.gates[1:]
}

// Flood is more tasks than a worker keeps headers of.
func (l *life) Flood(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "rarely") > 0 {
		t.Skip("not now")
	}
	for range 600 {
		f := l.expect("drop", returns)
		l.settle(f, l.s.Go(l.body(f, nil)))
	}
}

// letAll ends all that hold a worker.
func (l *life) letAll() {
	for _, gate := range l.gates {
		close(gate)
	}
	l.gates = nil
}

func (l *life) Stats(t *rapid.T) {
	st := l.s.Stats()
	require.LessOrEqual(t, st.Sleeping, l.s.Workers())
	require.GreaterOrEqual(t, st.Sleeping, 0)
}

// Check is what holds at any time.
func (l *life) Check(t *rapid.T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	require.NoError(t, l.broken)
	for _, f := range l.accepted {
		require.LessOrEqual(t, f.runs.Load(), int32(1), "%s violated: %s", model.EveryTaskRuns, f.what)
	}
}

// end ends the scheduler in one of two ways and holds everything to account.
func (l *life) end(t *rapid.T) {
	var r sched.ShutdownReport
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	hurried := rapid.IntRange(0, 2).Draw(t, "hurried") == 0
	if hurried {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var err error
		r, err = l.s.Shutdown(ctx)
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
	}
	l.letAll()
	require.NoError(t, l.s.Close())
	l.Check(t)
	ran, cancelled := 0, 0
	for _, f := range l.accepted {
		if f.runs.Load() == 1 {
			ran++
			if f.wait != nil {
				f.end.require(t, f.wait())
			}
			continue
		}
		cancelled++
		if f.wait != nil {
			require.ErrorIs(t, f.wait(), sched.ErrCancelled, "%s violated: %s", model.JoinResolves, f.what)
		}
	}
	require.NoError(t, l.broken)
	st := l.s.Stats()
	require.EqualValues(t, cancelled, st.Cancelled, "%s violated: tasks that never ran, hurried %v, %+v", model.EveryTaskRuns, hurried, st)
	require.EqualValues(t, ran, st.Ran+st.Panicked, "%s violated: %+v", model.EveryTaskRuns, st)
	require.EqualValues(t, len(l.accepted), st.Spawned, "%s violated: %+v", model.EveryTaskRuns, st)
	require.LessOrEqual(t, r.Cancelled, cancelled, "%s violated", model.ShutdownDrains)
	require.Equal(t, l.s.Workers(), l.s.Workers()-st.Sleeping, "%s violated: after Close %d workers sleep", model.NoLeak, st.Sleeping)
	if !hurried {
		require.Zero(t, cancelled, "%s violated: Close cancels", model.EveryTaskRuns)
		require.EqualValues(t, l.silent, l.reported.Load(), "%s violated: panics reported", model.PanicContained)
	}
	require.ErrorIs(t, l.s.Go(func(sched.Ctx) {}), sched.ErrClosed, "%s violated", model.ClosedReturnsTasks)
}

// lives is one life of a scheduler, with whatever is asked of it.
func lives(t *rapid.T) {
	l := newLife(t)
	defer func() { // whatever fails, its goroutines end
		l.letAll()
		_ = l.s.Close()
	}()
	t.Repeat(patient(l))
	l.end(t)
}

// TestLife holds the whole scheduler against a model of what its callers see.
func TestLife(t *testing.T) {
	effort(t, 150, 25)
	rapid.Check(t, lives)
}

// FuzzLife is TestLife with the fuzzer's choices.
func FuzzLife(f *testing.F) { fuzzed(f, lives) }
