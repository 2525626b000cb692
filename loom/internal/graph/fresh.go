package graph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/filch-sched/filch/loom/internal/memory"
)

// fresh is a word of which the driver says that it only goes forward.
type fresh struct {
	memory.Word
	name string
}

// forward is what the words that are said to be fresh have done in the executions of a
// worker. They only go forward if there is one order for all executions in which every
// step that changes a word has it hold something later: so if no way leads from a value
// back to it, over all steps that were seen.
type forward struct {
	was  []uint64 // before the step that is under way
	seen map[passage]bool
}

// passage is a step of a word from one value to another.
type passage struct {
	word     int
	from, to uint64
}

// stepping notes what the words hold before a step.
func (s *Search) stepping() {
	f := &s.forward
	f.was = f.was[:0]
	if s.opts.Exact {
		return
	}
	for _, w := range s.setup.fresh {
		f.was = append(f.was, w.Load())
	}
}

// stepped notes what the step has changed.
func (s *Search) stepped() {
	f := &s.forward
	if !s.run.begun {
		return // the execution has just begun
	}
	for i, was := range f.was {
		if now := s.setup.fresh[i].Load(); now != was {
			if f.seen == nil {
				f.seen = map[passage]bool{}
			}
			f.seen[passage{i, was, now}], f.was[i] = true, now
		}
	}
}

// backward returns an error if a word that is said to be fresh has gone back.
func backward(workers []*Search) error {
	to := map[passage][]uint64{} // by word and value, what came next
	for _, s := range workers {
		for p := range s.forward.seen {
			at := passage{word: p.word, from: p.from}
			if !slices.Contains(to[at], p.to) {
				to[at] = append(to[at], p.to)
			}
		}
	}
	const under, done = 1, 2
	state := map[passage]int{}
	var back func(at passage) (last uint64, found bool)
	back = func(at passage) (uint64, bool) {
		state[at] = under
		for _, next := range to[at] {
			n := passage{word: at.word, from: next}
			if state[n] == under {
				return next, true
			}
			if state[n] == 0 {
				if last, found := back(n); found {
					return last, true
				}
			}
		}
		state[at] = done
		return 0, false
	}
	begins := slices.SortedFunc(maps.Keys(to), func(a, b passage) int { return cmp.Or(a.word-b.word, cmp.Compare(a.from, b.from)) })
	for _, at := range begins {
		if state[at] != 0 {
			continue
		}
		if value, found := back(at); found {
			return fmt.Errorf("loom: %s is no Fresh word: it comes to hold %#x after what came after that", workers[0].setup.fresh[at.word].name, value)
		}
	}
	return nil
}
