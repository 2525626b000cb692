package fuzz

import (
	"iter"
	"slices"

	"github.com/filch-sched/filch/loom"
)

// among runs a program by some schedules and returns the first failure that is like
// the best.
func (s *shrinker) among(run runner, schedules iter.Seq[[]byte]) *Failure {
	for schedule := range schedules {
		if s.over() {
			return nil
		}
		_, err := run.steered(schedule, loom.AsFound())
		if f := s.alike(err); f != nil {
			return f
		}
	}
	return nil
}

// nearby are a schedule and, if it is a short one, those that differ from it in one
// stretch: in its length or in who comes after it. What a program does by a schedule,
// it does without one of its operations by one of these, most often.
func nearby(schedule []byte) iter.Seq[[]byte] {
	const picks = 4 // see loom.Bytes
	return func(yield func([]byte) bool) {
		if !yield(schedule) || len(schedule) > 3 {
			return
		}
		for i, b := range schedule {
			with := func(v int) bool {
				other := slices.Clone(schedule)
				other[i] = byte(v)
				return yield(other)
			}
			for v := int(b) - picks; v >= 0; v -= picks { // what is left out makes it shorter
				if !with(v) {
					return
				}
			}
			for d := 1; d < picks; d++ {
				if !with(int(b)/picks*picks + (int(b)+d)%picks) {
					return
				}
			}
			for v := int(b) + picks; v <= min(255, int(b)+4*picks); v += picks {
				if !with(v) {
					return
				}
			}
		}
	}
}

// short are schedules for p of no byte, of one, and some of two.
func short(p Program) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !yield(nil) {
			return
		}
		for b := range 256 {
			if !yield([]byte{byte(b)}) {
				return
			}
		}
		draw := drawsOf(p)
		for range 4 * 256 {
			if !yield([]byte{byte(draw.Uint32()), byte(draw.Uint32())}) {
				return
			}
		}
	}
}

// straighten looks for a shorter schedule of the best program: a short one, or one
// with a byte less.
func (s *shrinker) straighten() {
	if !loom.Enabled || s.best.How != concurrent {
		return
	}
	p := s.best.Program
	run := s.by.concurrent(p)
	shorter := func(yield func([]byte) bool) {
		for schedule := range short(p) {
			if len(schedule) >= len(p.Schedule) || !yield(schedule) {
				return
			}
		}
	}
	if f := s.among(run, shorter); f != nil {
		s.best = f
		return
	}
	for i := 0; i < len(s.best.Program.Schedule); {
		less := slices.Delete(slices.Clone(s.best.Program.Schedule), i, i+1)
		if f := s.among(run, slices.Values([][]byte{less})); f != nil {
			s.best = f
		} else {
			i++
		}
	}
}

// explain runs the best once more, for the short schedule that loom finds.
func (s *shrinker) explain() {
	if !loom.Enabled || s.best.How != concurrent {
		return
	}
	_, err := s.by.concurrent(s.best.Program).steered(s.best.Program.Schedule)
	if f := s.alike(err); f != nil {
		s.best = f
	}
}
