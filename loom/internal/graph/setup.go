package graph

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/internal/memory"
)

// setup is what the body of the running execution has said before its first step
// of another thread. It says the same in every execution.
type setup struct {
	roots     []root
	symmetric [][]int // threads that are interchangeable, by class
	fresh     []fresh
	views     []view
	turned    []rotated
	ignore    []unsafe.Pointer
	guards    []guard
	always    []always
	show      func() string
	during    []during
	progress  []progress
	version   int // another one whenever something changes, and in each execution
}

// root is memory that the threads share, or that a thread has for itself.
type root struct {
	name    string
	pointer any
	owner   int // the thread, 0 if it is shared
}

// guard says in which roots the memory is that a lock guards.
type guard struct {
	lock  *machine.Ref
	roots []string
}

// view is how a word is written in keys.
type view struct {
	word memory.Word
	read func(v uint64) uint64
}

// rotated is a slice that is written from another element on.
type rotated struct {
	slice memory.Turned
	from  func() int
}

// always is an invariant: what holds returns is what is wrong.
type always struct {
	claim string
	holds func() string
}

// during is a condition on states that must not hold for ever.
type during struct {
	claim string
	holds func() bool
}

// progress is the claim that a run without an end completes operations for ever if
// one of a set of threads takes steps for ever; of their own, if each has to.
type progress struct {
	claim   string
	threads uint64
	each    bool
}

func (u *setup) reset() {
	u.version++
	u.show = nil
	u.progress = u.progress[:0]
	u.turned, u.ignore, u.guards = u.turned[:0], u.ignore[:0], u.guards[:0]
	u.symmetric, u.fresh = u.symmetric[:0], u.fresh[:0]
	u.roots, u.views, u.always, u.during = u.roots[:0], u.views[:0], u.always[:0], u.during[:0]
}

// Of returns the search that runs t, nil if none does.
func Of(t *machine.Thread) *Search {
	switch c := t.Controller().(type) {
	case *Search:
		return c
	case *replayer:
		return c.Search
	}
	return nil
}

// Threads returns the threads that there are so far, the body first.
func (s *Search) Threads() (all []*machine.Thread) {
	for i := range s.m.Threads() {
		all = append(all, s.m.Thread(i))
	}
	return all
}

// Share names memory that the threads share. pointer is not nil.
func (s *Search) Share(name string, pointer any) {
	s.setup.roots = append(s.setup.roots, root{name, pointer, 0})
}

// Own names memory that a thread has for itself. pointer is not nil.
func (s *Search) Own(thread int, name string, pointer any) {
	s.setup.roots = append(s.setup.roots, root{name, pointer, thread})
}

// Symmetric says that threads do the same, each with its own memory: nothing
// depends on which of them is which.
func (s *Search) Symmetric(threads ...int) error {
	n := len(threads)
	for _, c := range s.setup.symmetric {
		n += len(c)
	}
	for _, p := range s.setup.progress {
		for _, t := range threads {
			if p.each && p.threads>>t&1 != 0 {
				return fmt.Errorf("loom: interchangeable threads and %s: whose operations are completed is told by names", p.claim)
			}
		}
	}
	switch {
	case len(s.setup.during) > 0:
		return fmt.Errorf("loom: interchangeable threads and %s: which thread is treated fairly is told by names", s.setup.during[0].claim)
	case n > maxInterchangeable:
		return fmt.Errorf("loom: more than %d interchangeable threads", maxInterchangeable)
	}
	if !s.opts.Exact {
		s.setup.symmetric = append(s.setup.symmetric, threads)
	}
	return nil
}

// class returns which class of interchangeable threads a thread is of, from 1, 0
// if of none.
func (u *setup) class(thread int) int {
	for i, c := range u.symmetric {
		if slices.Contains(c, thread) {
			return i + 1
		}
	}
	return 0
}

// Fresh says that the word in a field of what pointer points to only goes forward, in one
// order of its values for all executions.
func (s *Search) Fresh(pointer any, field string) error {
	w, err := memory.Field(pointer, field)
	if err == nil && w.Ref() == nil {
		err = fmt.Errorf("loom: field %s of a %T is no atomic word", field, pointer)
	}
	if err == nil {
		s.setup.fresh = append(s.setup.fresh, fresh{w, fmt.Sprintf("field %s of a %T", field, pointer)})
	}
	return err
}

func (u *setup) isFresh(m *machine.Machine, object int32) bool {
	for _, w := range u.fresh {
		if m.Object((*machine.Ref)(w.Ref())) == object {
			return true
		}
	}
	return false
}

// Rewrite has the word in a field of what pointer points to, and what threads have
// observed of it, written as read says.
func (s *Search) Rewrite(pointer any, field string, read func(v uint64) uint64) error {
	w, err := memory.Field(pointer, field)
	if err == nil {
		s.setup.views = append(s.setup.views, view{w, read})
		s.setup.version++
	}
	return err
}

// Rotate has the slice in a field of what pointer points to written from the
// element on that from returns, and around.
func (s *Search) Rotate(pointer any, field string, from func() int) error {
	slice, err := memory.Slice(pointer, field)
	if err == nil {
		s.setup.turned = append(s.setup.turned, rotated{slice, from})
		s.setup.version++
	}
	return err
}

// Ignore leaves a field of what pointer points to out of the keys: nothing that
// the code under check does depends on it.
func (s *Search) Ignore(pointer any, field string) error {
	p, err := memory.At(pointer, field)
	if err == nil {
		s.setup.ignore = append(s.setup.ignore, p)
		s.setup.version++
	}
	return err
}

// Guards says that a thread that takes the lock in a field of what pointer points
// to looks, of plain memory that others change, at what is in some roots alone.
func (s *Search) Guards(pointer any, field string, roots ...string) error {
	ref, err := memory.At(pointer, field+".ref")
	if err == nil {
		s.setup.guards = append(s.setup.guards, guard{(*machine.Ref)(ref), roots})
	}
	return err
}

// Held returns a function that reports whether the lock in a field of what pointer
// points to is held.
func (s *Search) Held(pointer any, field string) (func() bool, error) {
	ref, err := memory.At(pointer, field+".ref")
	return func() bool { return s.m.Held((*machine.Ref)(ref)) }, err
}

// Waits reports whether a thread is not done and cannot take a step.
func (s *Search) Waits(thread int) bool {
	t := s.m.Thread(thread)
	return !t.Ended() && !t.CanStep()
}

// At returns the key of the boundary at which a thread is, and whether it is at
// one.
func (s *Search) At(thread int) (key uint64, at bool) {
	t := s.m.Thread(thread)
	return t.BoundaryKey(), !t.Ended() && t.Pending().Code == machine.Boundary
}

// Within returns a function that reports whether the next step of a thread is in
// a function of Options.Retries.
func (s *Search) Within(thread int, function string) (func() bool, error) {
	i := slices.Index(s.opts.Retries, function)
	if i < 0 {
		return nil, fmt.Errorf("loom: Within %q, which no RetryAt names", function)
	}
	return func() bool {
		t := s.m.Thread(thread)
		switch t.Pending().Code {
		case machine.Boundary, machine.Choose:
			return false // what is known is the loop of the step before
		}
		return !t.Ended() && t.Where() == int32(i)+1
	}, nil
}

// Always has holds asked in every state; what it returns, unless "", is how claim
// is violated.
func (s *Search) Always(claim string, holds func() string) {
	s.setup.always = append(s.setup.always, always{claim, holds})
}

// Show has what text returns of each state kept and written with it.
func (s *Search) Show(text func() string) { s.setup.show = text }

// NotForEver says that claim is violated by a run, in which no thread that can go
// on is left waiting for ever, if holds does from some state on.
func (s *Search) NotForEver(claim string, holds func() bool) error {
	switch {
	case len(s.setup.symmetric) > 0:
		return fmt.Errorf("loom: interchangeable threads and %s: which thread is treated fairly is told by names", claim)
	case len(s.setup.during) == maxDuring:
		return fmt.Errorf("loom: more than %d conditions that must not hold for ever", maxDuring)
	}
	s.setup.during = append(s.setup.during, during{claim, holds})
	return nil
}

// Progress says that claim is violated by a run in which one of threads takes steps
// for ever and from some moment on no operation is completed. Of threads that are
// interchangeable it has all or none.
func (s *Search) Progress(claim string, threads ...int) {
	set := ^uint64(0)
	if len(threads) > 0 {
		set = 0
	}
	for _, t := range threads {
		set |= 1 << t
	}
	s.setup.progress = append(s.setup.progress, progress{claim, set, false})
}

// WaitFree says that claim is violated by a run in which one of threads takes steps
// for ever and from some moment on completes no operation, whatever others do.
func (s *Search) WaitFree(claim string, threads ...int) error {
	set := uint64(0)
	for _, t := range threads {
		if s.setup.class(t) != 0 {
			return fmt.Errorf("loom: interchangeable threads and %s: whose operations are completed is told by names", claim)
		}
		set |= 1 << t
	}
	s.setup.progress = append(s.setup.progress, progress{claim, set, true})
	return nil
}

const maxDuring = 32

// Peek returns a function that returns the word in a field of what pointer points
// to.
func Peek(pointer any, field string) (func() uint64, error) {
	w, err := memory.Field(pointer, field)
	return w.Load, err
}
