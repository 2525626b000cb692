package explore

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// particle is a node of the tree that a search with sleep sets visits, drawn at
// random.
type particle struct {
	path   []decision
	asleep uint64
	weight float64 // the inverse of how often it is drawn
	score  float64 // how much it is worth to go on from it
}

// walker is the controller that takes a particle deeper into the tree.
type walker struct {
	m     *machine.Machine
	rand  *rand.Rand
	sight foresight
	trail trail

	from    particle
	until   int  // decisions: stop there
	free    bool // draw threads uniformly instead, and ignore sleep sets
	path    []decision
	asleep  uint64
	weight  float64
	paused  bool
	steps   []passed
	done    [machine.MaxThreads]int
	effects []machine.Effect
	objects int
	options []option
}

// option is a child of a node: the thread that goes on.
type option struct {
	thread int
	asleep uint64
	p      float64
	meets  float64 // the chance that some thread takes a conflicting step first
}

// run takes the particle p to depth until, or to a leaf of the tree. The path of
// the walker is new: p keeps its own.
func (w *walker) run(body func(), p particle, until int) {
	w.from, w.until, w.free = p, until, false
	w.execute(body)
}

// roam runs a random execution, to learn from it.
func (w *walker) roam(body func()) {
	w.from, w.until, w.free = particle{weight: 1}, 0, true
	w.execute(body)
}

func (w *walker) execute(body func()) {
	w.path, w.asleep, w.weight, w.paused = make([]decision, 0, w.until+2), w.from.asleep, w.from.weight, false
	w.steps, w.objects = w.steps[:0], 0
	clear(w.done[:])
	w.trail.reset()
	w.sight.reset()
	w.m.Run(body)
}

// learn lets later executions profit from the last.
func (w *walker) learn() { w.sight.learn(w.steps, w.objects) }

// particle returns the node at which the walker has paused.
func (w *walker) particle() particle {
	chance := w.sight.chance(w.asleep, w.done[:len(w.sight.index)])
	return particle{w.path, w.asleep, w.weight, w.weight * math.Sqrt(chance)}
}

// exchange draws n particles by their scores, each about as often as its score
// is part of their sum, and lets them count for that much less. It writes over
// list.
func (w *walker) exchange(list, from []particle, n int) []particle {
	total := 0.0
	for i := range from {
		total += from[i].score
	}
	list = list[:0]
	at, first := 0.0, w.rand.Float64()
	for i := range from {
		share := from[i].score / total * float64(n)
		at += share
		for float64(len(list))+first < at && len(list) < n {
			p := from[i]
			p.weight /= share
			list = append(list, p)
		}
	}
	return list
}

// ended reports whether the execution came to the end of a trace.
func (w *walker) ended() bool {
	return w.m.Done && w.m.Failure == nil || w.m.Failure != nil && w.m.Failure.Kind == machine.DeadlockFailure
}

// Next is part of machine.Controller.
func (w *walker) Next(m *machine.Machine) *machine.Thread {
	w.trail.meet(m)
	w.sight.meet(&w.trail)
	enabled, effects := m.Enabled(w.effects[:0])
	w.effects = effects
	if enabled == 0 {
		m.Deadlock()
		return nil
	}
	k := len(w.path)
	switch {
	case k < len(w.from.path):
		return w.take(m, w.from.path[k].thread)
	case w.free:
		for n := w.rand.IntN(bits.OnesCount64(enabled)); n > 0; n-- {
			enabled &= enabled - 1
		}
		return w.take(m, bits.TrailingZeros64(enabled))
	case k >= w.until:
		w.paused = true
		return nil
	case enabled&^w.asleep == 0:
		w.weight = 0
		return nil
	}
	o := w.pick(enabled &^ w.asleep)
	w.weight /= o.p
	w.asleep = o.asleep
	return w.take(m, o.thread)
}

func (w *walker) take(m *machine.Machine, id int) *machine.Thread {
	e := w.effects[id]
	w.path = append(w.path, decision{id, -1})
	w.steps = append(w.steps, passed{decision{id, -1}, w.done[id], e.Object, int(e.Mode)})
	w.objects = max(w.objects, int(e.Object)+1)
	w.done[id]++
	w.trail.step(id, e, 0)
	return m.Thread(id)
}

// Choose is part of machine.Controller.
func (w *walker) Choose(t *machine.Thread, n int) int {
	w.trail.meet(w.m)
	w.sight.meet(&w.trail)
	v := 0
	if k := len(w.path); k < len(w.from.path) {
		v = w.from.path[k].choice
	} else {
		w.weight *= float64(n)
		v = w.rand.IntN(n)
	}
	w.path = append(w.path, decision{t.ID(), v})
	w.trail.step(t.ID(), machine.Effect{Object: -1}, v+1)
	return v
}

// solitary is the chance below which a step is put before those of threads that
// may meet others.
const solitary = 0.02

// curious is how much of the probability children share equally, whatever is
// foreseen.
const curious = 0.1

// pick draws a child of the node, one of the threads that are awake, by the
// chance that those which then sleep are woken: if one is not, no trace ends
// below that child.
func (w *walker) pick(awake uint64) option {
	w.children(awake)
	total, asleep, threads := 0.0, w.asleep, len(w.sight.index)
	for i := range w.options {
		o := &w.options[i]
		for rest := asleep; rest != 0; rest &= rest - 1 {
			z := bits.TrailingZeros64(rest)
			if w.effects[z].Independent(w.effects[o.thread]) {
				o.asleep |= 1 << z
			}
		}
		asleep |= 1 << o.thread // below the children that come later
		w.done[o.thread]++
		o.p = w.sight.chance(o.asleep, w.done[:threads])
		w.done[o.thread]--
		total += o.p
	}
	at, last := w.rand.Float64(), len(w.options)-1
	for i := range w.options {
		o := &w.options[i]
		o.p = (1-curious)*o.p/total + curious/float64(len(w.options))
		if at -= o.p; at < 0 {
			return *o
		}
	}
	return w.options[last]
}

// children lists the children of the node in the order in which a search would
// visit them. Any order will do; if first come those that others are unlikely to
// meet, the other children, below which they sleep, can be left alone.
func (w *walker) children(awake uint64) {
	w.options = w.options[:0]
	threads := len(w.sight.index)
	for rest := awake; rest != 0; rest &= rest - 1 {
		o := option{thread: bits.TrailingZeros64(rest)}
		for u := range threads {
			if u != o.thread {
				o.meets = max(o.meets, w.sight.meets(o.thread, w.done[o.thread], u, w.done[u], threads))
			}
		}
		w.options = append(w.options, o)
		for i := len(w.options) - 1; i > 0 && w.options[i].meets < min(w.options[i-1].meets, solitary); i-- {
			w.options[i], w.options[i-1] = w.options[i-1], w.options[i]
		}
	}
}
