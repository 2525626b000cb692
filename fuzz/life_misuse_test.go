package fuzz_test

import (
	"errors"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/sched"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Misuse uses a context where it must not be used, and nothing for functions.
func (l *life) Misuse(t *rapid.T) {
	var kept sched.Ctx
	f := l.expect("misuser", returns)
	l.letAll() // its end is waited for
	f.over.Add(1)
	err := l.s.Go(l.body(f, func(c sched.Ctx) {
		defer f.over.Done()
		kept = c
		for what, misuse := range map[string]func(){
			"Go of nothing": func() { _ = c.Go(nil) }, "GoTask of nothing": func() { _ = c.GoTask(nil) },
			"SpawnIn of nothing":     func() { _, _ = sched.SpawnIn[int](c, nil) },
			"SpawnInWith of nothing": func() { _, _ = sched.SpawnInWith[int, int](c, nil, 0) },
		} {
			l.see(panicked(misuse), "%s does not panic", what)
		}
	}))
	if l.settle(f, err); err != nil {
		return
	}
	f.over.Wait()
	require.Panics(t, func() { _ = kept.Go(func(sched.Ctx) {}) }, "%s violated", model.ContextBound)
	require.Panics(t, func() { kept.Worker() }, "%s violated", model.ContextBound)
	l.inherit(t, kept)
	require.NoError(t, kept.Context().Err())
	require.Panics(t, func() { sched.Ctx{}.Worker() }, "%s violated", model.ContextBound)
	require.Panics(t, func() { sched.Ctx{}.Scheduler() }, "%s violated", model.ContextBound)
	require.Panics(t, func() { _ = l.s.Go(nil) })
	require.Panics(t, func() { _ = l.s.GoTask(nil) })
	require.Panics(t, func() { _, _ = sched.Spawn[int](l.s, nil) })
	require.Panics(t, func() { _, _ = sched.SpawnWith[int, int](l.s, nil, 0) })
}

// inherit has a task use the context of one that has ended, on the same worker if
// there is but one.
func (l *life) inherit(t *rapid.T, kept sched.Ctx) {
	f := l.expect("heir", returns)
	f.over.Add(1)
	err := l.s.Go(l.body(f, func(sched.Ctx) {
		defer f.over.Done()
		l.see(panicked(func() { kept.Worker() }), "%s violated: a context outlives its task", model.ContextBound)
	}))
	if l.settle(f, err); err == nil {
		f.over.Wait()
	}
}

func panicked(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return
}

// CloseInside has a task close the scheduler, which it cannot wait for.
func (l *life) CloseInside(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "rarely") > 0 {
		t.Skip("not now")
	}
	f := l.expect("closer", returns)
	l.letAll()
	l.mu.Lock()
	was := l.closed
	l.closed = true // a task may see it before its closer has returned
	l.mu.Unlock()
	f.over.Add(1)
	err := l.s.Go(l.body(f, func(sched.Ctx) {
		defer f.over.Done()
		err := l.s.Close()
		l.see(errors.Is(err, sched.ErrInsideTask), "Close inside a task answers %v", err)
	}))
	if l.settle(f, err); err != nil {
		require.True(t, was, "%s violated", model.ClosedReturnsTasks)
		return
	}
	f.over.Wait()
}
