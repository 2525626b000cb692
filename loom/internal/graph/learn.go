package graph

import (
	"fmt"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// learn runs executions that take steps for the memo, and follows edges in between,
// until there is nothing left to do.
func (s *Search) learn() {
	rec := &s.rec
	for s.err == nil && !s.memo.levels.done() {
		s.setup.reset()
		s.run.begin(0, s.g)
		s.run.frame = s.run.frame[:0] // threads have their own names
		rec.on, rec.ready = true, false
		s.m.Run(s.body)
		rec.on = false
		if s.err == nil {
			s.err = s.m.Err
		}
		if s.err == nil {
			s.cut()
		}
		if !s.walked() {
			break
		}
	}
	s.memo.levels.end()
}

// cut books how an execution has ended if that was in the middle of a step.
func (s *Search) cut() {
	ms := &s.rec.miss
	if !ms.on || !s.run.begun {
		return
	}
	switch f := s.m.Failure; {
	case ms.at > len(ms.chain): // on the way home, where it is another state's edge
	case f != nil && ms.at == len(ms.chain):
		s.moved(move{fails: s.memo.failed(*f)})
	case f != nil:
		s.err = fmt.Errorf("loom: the body is not deterministic: a step of thread %d fails that did not before: %s", ms.thread, f.Message)
	case s.m.Done:
		s.memo.refuse("the last thread has ended, and memory with it")
	}
	ms.again()
}

// taking returns the thread that takes the next step for the memo, nil at the end of
// the execution.
func (s *Search) taking() *machine.Thread {
	rec, r := &s.rec, &s.run
	ms := &rec.miss
	switch {
	case !rec.ready:
		if s.picture(); s.image == nil || !s.home() {
			s.err = fmt.Errorf("loom: the body is not deterministic: its threads begin elsewhere than before")
			return nil
		}
		s.settle()
	case r.begun:
		r.begun = false
		if !s.took() {
			return nil
		}
	}
	for {
		switch {
		case !ms.on:
			missing := false
			s.m.Beside(func() { missing = s.level() })
			s.rise()
			if !missing {
				return nil
			}
		case ms.chain == nil:
			s.find()
		case ms.at <= len(ms.chain):
			return s.retrace()
		case s.atHome(ms.thread):
			ms.again()
		default:
			if ms.home++; ms.home > maxHome || !s.m.Thread(ms.thread).CanStep() || s.m.Objects() > maxObjects {
				ms.again()
				return nil // another execution begins at home
			}
			return s.follow(Edge{Thread: uint8(ms.thread)})
		}
	}
}

// retrace begins the next step of the chain, or the one that is missing.
func (s *Search) retrace() *machine.Thread {
	rec := &s.rec
	ms := &rec.miss
	if ms.at == 0 {
		s.steps += s.m.Anew()
	}
	l := ms.link()
	s.put(l.image)
	s.putOwn(ms.thread, l.local)
	return s.follow(Edge{Thread: uint8(ms.thread), Choices: l.choices})
}
