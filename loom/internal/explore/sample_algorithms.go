package explore

import (
	"math/bits"
	"math/rand/v2"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// uniform draws every enabled thread with the same probability.
type uniform struct{ rand *rand.Rand }

func (u *uniform) begin(r *rand.Rand) { u.rand = r }
func (u *uniform) end()               {}

func (u *uniform) pick(_ *machine.Machine, enabled uint64) int {
	for n := u.rand.IntN(bits.OnesCount64(enabled)); n > 0; n-- {
		enabled &= enabled - 1
	}
	return bits.TrailingZeros64(enabled)
}

// pct runs the enabled thread of highest priority. Threads get their priorities
// at random, and at depth-1 steps, drawn among as many as the longest execution
// so far has had, the thread whose turn it is falls below all that have not
// fallen. A bug that shows whenever d steps come in a certain order, of n threads
// that take k steps together, shows in a run with a probability of at least
// 1/(n*k^(d-1)) if d is the depth.
//
// Burckhardt, Kothari, Musuvathi, Nagarakatte, A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010.
type pct struct {
	depth    int
	rand     *rand.Rand
	longest  int // steps
	steps    int
	changes  []int // at which step, the first being 0
	priority []float64
}

func (p *pct) begin(r *rand.Rand) {
	p.rand, p.steps, p.priority, p.changes = r, 0, p.priority[:0], p.changes[:0]
	if p.longest == 0 {
		return // nothing is known about the length
	}
	for range p.depth - 1 {
		p.changes = append(p.changes, r.IntN(p.longest))
	}
}

func (p *pct) end() { p.longest = max(p.longest, p.steps) }

func (p *pct) pick(m *machine.Machine, enabled uint64) int {
	for len(p.priority) < m.Threads() {
		p.priority = append(p.priority, 1+p.rand.Float64())
	}
	id := p.highest(enabled)
	for i, at := range p.changes {
		if at == p.steps {
			p.priority[id] = -float64(i)
			id = p.highest(enabled)
		}
	}
	p.steps++
	return id
}

func (p *pct) highest(enabled uint64) int {
	best := -1
	for ; enabled != 0; enabled &= enabled - 1 {
		if id := bits.TrailingZeros64(enabled); best < 0 || p.priority[id] > p.priority[best] {
			best = id
		}
	}
	return best
}

// walk is a uniform random walk over interleavings: it draws an enabled thread
// with a probability proportional to the number of steps that it, and threads
// that it will yet start, are expected to take. If that is what they take, and
// no thread waits for another, all interleavings are equally likely. The numbers
// are the means of earlier executions; the first is drawn as by uniform.
//
// The idea is that of Selectively Uniform Concurrency Testing, ASPLOS 2025.
type walk struct {
	trail    *trail // names the threads
	rand     *rand.Rand
	families map[uint64]*family
	steps    [machine.MaxThreads]int // so far
	born     []birth                 // by thread
}

// family has, for a thread that has taken k steps, how many it and threads that
// it had not started took from there on, together in all of runs[k] executions.
type family struct {
	left []uint64
	runs []uint64
}

type birth struct{ parent, step int }

func (w *walk) begin(r *rand.Rand) {
	w.rand, w.born = r, w.born[:0]
	clear(w.steps[:])
}

func (w *walk) pick(m *machine.Machine, enabled uint64) int {
	for len(w.born) < m.Threads() {
		b := birth{parent: m.Thread(len(w.born)).Parent()}
		if b.parent >= 0 {
			b.step = w.steps[b.parent]
		}
		w.born = append(w.born, b)
	}
	var weights [machine.MaxThreads]float64
	var sum float64
	for rest := enabled; rest != 0; rest &= rest - 1 {
		id := bits.TrailingZeros64(rest)
		weights[id] = w.expected(id)
		sum += weights[id]
	}
	at := w.rand.Float64() * sum
	id := 0
	for rest := enabled; rest != 0; rest &= rest - 1 {
		id = bits.TrailingZeros64(rest)
		if at -= weights[id]; at < 0 {
			break
		}
	}
	w.steps[id]++
	return id
}

// expected returns how many steps an enabled thread has before it.
func (w *walk) expected(id int) float64 {
	f, k := w.families[w.trail.names[id]], w.steps[id]
	if f == nil || k >= len(f.runs) || f.left[k] == 0 {
		return 1
	}
	return float64(f.left[k]) / float64(f.runs[k])
}

// end learns from the execution that has ended.
func (w *walk) end() {
	extra := make([][]birth, len(w.born)) // by parent: the families it started, as steps and when
	for id := len(w.born) - 1; id >= 0; id-- {
		total := w.learn(id, extra[id])
		if b := w.born[id]; b.parent >= 0 {
			extra[b.parent] = append(extra[b.parent], birth{total, b.step})
		}
	}
}

// learn books the steps of a thread and returns how many it and its family took.
// started has the sizes of the families of its children, in parent, and after
// how many steps it started them.
func (w *walk) learn(id int, started []birth) int {
	f := w.families[w.trail.names[id]]
	if f == nil {
		f = &family{}
		w.families[w.trail.names[id]] = f
	}
	n := w.steps[id]
	for len(f.runs) <= n {
		f.runs, f.left = append(f.runs, 0), append(f.left, 0)
	}
	for k := range n + 1 {
		left := n - k
		for _, c := range started {
			if c.step > k {
				left += c.parent
			}
		}
		f.runs[k]++
		f.left[k] += uint64(left)
	}
	total := n
	for _, c := range started {
		total += c.parent
	}
	return total
}
