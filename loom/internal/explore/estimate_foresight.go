package explore

import (
	"math/bits"
	"slices"
)

// foresight learns from executions which steps meet which: for a thread's nth
// step, how often another thread takes a conflicting step, and how often before
// it, and how late. Threads are known by their names, since their numbers differ
// from execution to execution.
type foresight struct {
	threads map[uint64]int // by name
	steps   [][]prospect   // by thread and number of the step

	index []int // by number of a thread in the running execution
}

// prospect is what is known of one step: for each thread, how many conflicting
// steps it takes, up to the last of them.
type prospect struct {
	runs   int
	ever   []sizes
	before []sizes // before that step
}

// sizes counts numbers that are not 0, in order. Most steps have few different
// ones, however large these are.
type sizes []counted

type counted struct{ number, times uint32 }

// beyond returns how many are greater than n.
func (l sizes) beyond(n int) (times uint32) {
	for i := len(l) - 1; i >= 0 && int(l[i].number) > n; i-- {
		times += l[i].times
	}
	return times
}

// passed is a step of an execution.
type passed struct {
	decision
	k      int // how many steps its thread had taken
	object int32
	mode   int
}

func (fs *foresight) reset() { fs.index = fs.index[:0] }

// meet adds the threads that tr has named.
func (fs *foresight) meet(tr *trail) {
	for len(fs.index) < tr.born {
		name := tr.names[len(fs.index)]
		u, known := fs.threads[name]
		if !known {
			if fs.threads == nil {
				fs.threads = map[uint64]int{}
			}
			u = len(fs.threads)
			fs.threads[name] = u
			fs.steps = append(fs.steps, nil)
		}
		fs.index = append(fs.index, u)
	}
}

func (fs *foresight) at(thread, k int) *prospect {
	u := fs.index[thread]
	for len(fs.steps[u]) <= k {
		fs.steps[u] = append(fs.steps[u], prospect{})
	}
	return &fs.steps[u][k]
}

// learn books an execution. objects is how many it had.
func (fs *foresight) learn(steps []passed, objects int) {
	threads := len(fs.index)
	// By object, thread and mode: the number of the last step, plus one.
	need := objects * threads * len(conflicting)
	final, soFar := make([]int, need), make([]int, need)
	slot := func(s *passed) int {
		return (int(s.object)*threads + s.thread) * len(conflicting)
	}
	for i := range steps {
		if s := &steps[i]; s.object >= 0 {
			final[slot(s)+s.mode] = s.k + 1
		}
	}
	for i := range steps {
		s := &steps[i]
		if s.object < 0 {
			continue
		}
		p := fs.at(s.thread, s.k)
		p.runs++
		for t := range threads {
			if t == s.thread {
				continue
			}
			ever, before := 0, 0
			base := (int(s.object)*threads + t) * len(conflicting)
			for _, mode := range conflicting[s.mode] {
				ever, before = max(ever, final[base+mode]), max(before, soFar[base+mode])
			}
			p.ever = raise(p.ever, fs.index[t], ever)
			p.before = raise(p.before, fs.index[t], before)
		}
		soFar[slot(s)+s.mode] = s.k + 1
	}
}

// raise counts the number n for thread u.
func raise(list []sizes, u, n int) []sizes {
	if n == 0 {
		return list
	}
	for len(list) <= u {
		list = append(list, nil)
	}
	l := list[u]
	i := len(l)
	for i > 0 && int(l[i-1].number) >= n {
		i--
	}
	if i == len(l) || int(l[i].number) != n {
		l = slices.Insert(l, i, counted{uint32(n), 0})
	}
	l[i].times++
	list[u] = l
	return list
}

// meets estimates the probability that thread u, which has taken done steps,
// takes one that conflicts with the kth of thread z before that one.
func (fs *foresight) meets(z, k, u, done, threads int) float64 {
	p := fs.at(z, k)
	if p.runs == 0 {
		return 0.5
	}
	u = fs.index[u]
	if u >= len(p.ever) || p.ever[u].beyond(done) == 0 {
		return 0.3 / float64(p.runs+1) / float64(threads)
	}
	n := 0.0
	if u < len(p.before) {
		n = float64(p.before[u].beyond(done))
	}
	return (n + 0.5) / float64(p.runs+1)
}

// chance estimates how likely it is that every thread of the set asleep is woken
// by a conflicting step of another one, done[u] being how many steps thread u
// has taken.
func (fs *foresight) chance(asleep uint64, done []int) float64 {
	awake := (uint64(1)<<len(fs.index) - 1) &^ asleep
	p := 1.0
	for asleep != 0 {
		first, most := 0, -1.0
		for rest := asleep; rest != 0; rest &= rest - 1 {
			z := bits.TrailingZeros64(rest)
			never := 1.0
			for others := awake; others != 0; others &= others - 1 {
				u := bits.TrailingZeros64(others)
				never *= 1 - fs.meets(z, done[z], u, done[u], len(fs.index))
			}
			if 1-never > most {
				first, most = z, 1-never
			}
		}
		p *= most
		asleep &^= 1 << first
		awake |= 1 << first
	}
	return p
}
