package explore

import (
	"iter"
	"math/bits"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// sleepSets is the search with sleep sets alone: of the executions of a trace
// exactly one is run to its end, and many are begun and abandoned. It is short
// enough to be trusted, and the reference for the others.
//
// A thread whose step has been explored at a point sleeps in the points reached
// by other steps, until a step that conflicts with its own is taken: whatever it
// could do meanwhile, the branch explored first has done. If every thread that
// could go on sleeps, all continuations are known and the execution is
// abandoned; these are counted as blocked.
type sleepSets struct{ p *path }

func (s *sleepSets) begin() {}

func (s *sleepSets) step(pt *point) bool {
	awake := pt.enabled &^ pt.asleep
	if awake == 0 {
		return false
	}
	pt.thread = prefer(s.p, awake)
	return true
}

// prefer returns the thread that took the last step if it is among those given,
// which is one switch less, and else the lowest.
func prefer(p *path, among uint64) int {
	if last := p.m.Last(); last != nil && among&(1<<last.ID()) != 0 {
		return last.ID()
	}
	return bits.TrailingZeros64(among)
}

func (s *sleepSets) choice(*point) {}
func (s *sleepSets) stuck()        {}

func (s *sleepSets) back(bool) bool {
	p := s.p
	for n := len(p.points); n > p.guide.floor; n-- {
		pt := &p.points[n-1]
		if pt.n > 0 {
			if pt.value++; pt.value < pt.n {
				return true
			}
		} else {
			pt.asleep |= 1 << pt.thread
			if rest := pt.enabled &^ pt.asleep; rest != 0 {
				pt.take(p, bits.TrailingZeros64(rest))
				return true
			}
		}
		p.cut(n - 1)
	}
	return false
}

// take replaces the decision of the last point by a step of another thread.
func (pt *point) take(p *path, thread int) {
	pt.thread, pt.effect, pt.code = thread, p.effects[pt.effects+thread], machine.None
}

// threads yields the numbers in a set.
func threads(set uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
