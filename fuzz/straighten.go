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

// most is how long a schedule may be to be varied.
const most = 4

// nearby are a schedule and those that differ from it in one byte: what a program
// does by a schedule, it does without one of its operations by one of these, most
// often. Of a long one a byte is left out, of a short one also the stretch changed,
// in its length or in who comes after it.
func nearby(schedule []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !yield(schedule) {
			return
		}
		for i, b := range schedule {
			if !yield(slices.Delete(slices.Clone(schedule), i, i+1)) {
				return
			}
			for _, v := range varied(int(b), len(schedule) <= most) {
				other := slices.Clone(schedule)
				other[i] = byte(v)
				if !yield(other) {
					return
				}
			}
		}
	}
}

// varied are bytes that differ from b in one of the two things that b says.
func varied(b int, much bool) (all []int) {
	const picks = 4 // see loom.Bytes
	if !much {
		return nil
	}
	for v := b - picks; v >= 0; v -= picks { // without an operation it is shorter
		all = append(all, v)
	}
	for d := 1; d < picks; d++ {
		all = append(all, b/picks*picks+(b+d)%picks)
	}
	for v := b + picks; v <= min(255, b+4*picks); v += picks {
		all = append(all, v)
	}
	return all
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
		s.better(f)
		return
	}
	for i := 0; i < len(s.best.Program.Schedule); {
		less := slices.Delete(slices.Clone(s.best.Program.Schedule), i, i+1)
		if f := s.among(run, slices.Values([][]byte{less})); f != nil {
			s.better(f)
		} else {
			i++
		}
	}
}

// explain runs the best once more, for the short schedule that loom finds, which
// takes up to some seconds.
func (s *shrinker) explain() {
	if !loom.Enabled || s.best.How != concurrent {
		return
	}
	_, err := s.by.concurrent(s.best.Program).steered(s.best.Program.Schedule)
	if f := s.alike(err); f != nil {
		s.better(f)
	}
}
