package explore

import (
	"fmt"
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// bounded is the search of all traces that have an execution with at most so many
// preemptions. A preemption is a step of another thread than took the step
// before, although that one could have taken another; so the first step is none.
// A thread that has ended, or waits for a lock, a signal, a Join or in Yield, loses
// its turn for nothing; one that comes through a Yield which does not wait could go
// on. A timer is a thread, and so it is a preemption if it fires while the one
// before could go on. A choice is no step.
//
// Reduction and a bound do not mix well: of the executions of one trace, the one
// that a search with sleep sets or wakeup trees runs may be over the bound when
// another is not, and an order that it does not try because it has been tried
// elsewhere may have been cut off there. So this is a search of all schedules,
// made fast by two things that lose nothing.
//
// It goes by levels: the executions without a preemption first, then those with
// one, and so on. What costs a preemption is put off to the next level. So what
// is found first needs the fewest preemptions.
//
// And it takes a step only once from equivalent beginnings. Orders of the same
// steps that differ only in the order of steps that commute lead to one state. If
// the same thread has taken the last step there, what can follow costs the same,
// too; and since levels come in order, the first time was the cheapest. A
// beginning and the thread whose step comes next are in one to one correspondence
// with the beginning after that step and who took it last. So it suffices to
// remember, for each beginning, which threads' steps from there have been run or
// put off; and a step after which nothing would be left to do is not taken at all.
// A beginning is known by 128 bits of two independent trails: to confuse two of
// 10 million has a probability of about 10^-25.
//
// When a level is done, and every step that was put off leads to a beginning that
// has been met in some other way, then no execution leaves what has been met: all
// traces have been seen, whatever the bound. Else what it leads to that has not
// been met is counted as cut.
//
// Bounds by levels: Musuvathi and Qadeer, Iterative Context Bounding for
// Systematic Testing of Multithreaded Programs, PLDI 2007; equivalent beginnings:
// the same, Partial-Order Reduction for Context-Bounded State Exploration, 2007.
// Why a bound makes other reduction unsound: Coons, Musuvathi, McKinley, Bounded
// Partial-Order Reduction, OOPSLA 2013.
type bounded struct {
	p     *path
	level int // preemptions of the executions that are run now
	known map[beginning]ways
	cut   int // known beginnings that only steps lead to which have been put off

	frames     []frame // by point of the path
	exits      []exit  // of all frames, end to end
	floor      int     // the first points of the path, which repeat those before a step that was put off
	nodes      []node  // the first means no decision
	now, later []deferred
	scratch    []int32

	other trail // see beginning
	ranks [machine.MaxThreads]uint8
	born  uint8 // threads that have a rank
}

// frame is what the search knows of a point on the path: its exits that are to be
// run, too, and the node of its decision, 0 if it has none yet.
type frame struct{ first, next, end, node int32 }

// mostKnown is how many beginnings are remembered. With what is put off they take
// up to about a gigabyte.
const mostKnown = 1 << 22

func newBounded(p *path) *bounded {
	return &bounded{p: p, known: make(map[beginning]ways), nodes: make([]node, 1), other: trail{salt: 1}}
}

func (b *bounded) begin() {
	b.other.reset()
	b.born = 0
}

func (b *bounded) stuck() {}

func (b *bounded) step(pt *point) bool {
	b.meet()
	at := b.here()
	w := b.known[at]
	free := pt.enabled // what costs nothing
	if last := b.p.m.Last(); last != nil && pt.enabled&(1<<last.ID()) != 0 {
		free = 1 << last.ID()
	}
	run := b.without(free, w.run)
	if run == 0 {
		return false
	}
	off := b.without(pt.enabled&^free, w.run|w.due)
	b.arrive(at, ways{w.run | b.ranked(run), w.due | b.ranked(off), b.born})
	for t := range threads(off) {
		b.putOff(at, b.exit(pt, t))
	}
	f := frame{first: int32(len(b.exits))}
	for t := range threads(run) {
		b.exits = append(b.exits, b.exit(pt, t))
	}
	f.next, f.end = f.first, int32(len(b.exits))
	b.frames = append(b.frames, f)
	t, ok := b.take(len(b.frames) - 1)
	if !ok {
		b.pop()
		return false
	}
	pt.thread = t
	return true
}

// take returns the thread of the next exit of frame i that is to be run.
func (b *bounded) take(i int) (thread int, ok bool) {
	for f := &b.frames[i]; f.next < f.end; {
		e := &b.exits[f.next]
		f.next++
		if !b.covered(e) {
			return int(e.thread), true
		}
	}
	return 0, false
}

// pop removes the last frame.
func (b *bounded) pop() {
	n := len(b.frames) - 1
	b.exits = b.exits[:b.frames[n].first]
	b.frames = b.frames[:n]
}

// putOff leaves a step from the last point to the next level.
func (b *bounded) putOff(at beginning, e exit) {
	if _, seen := b.known[e.to]; !seen {
		b.known[e.to] = ways{}
		b.cut++
	}
	if b.level < b.p.opts.Bound {
		b.later = append(b.later, deferred{exit: e, at: at, after: b.node(len(b.p.points) - 1)})
	}
	if len(b.known) > mostKnown && b.p.err == nil {
		b.p.err = fmt.Errorf("loom: executions with at most %s have more than %d different beginnings, more than are remembered: a smaller bound, or a sampler, may do",
			Count(b.p.opts.Bound, "preemption"), mostKnown)
	}
}

func (b *bounded) choice(*point) {
	b.arrive(b.here(), ways{born: ended})
	n := int32(len(b.exits))
	b.frames = append(b.frames, frame{first: n, next: n, end: n})
}

// finish notes that an execution has come to its end, and reports whether no
// equivalent one had.
func (b *bounded) finish() bool {
	fresh := b.known[b.here()].born != ended
	b.arrive(b.here(), ways{born: ended})
	return fresh
}

func (b *bounded) back(bool) bool {
	p := b.p
	for n := len(p.points); n > b.floor; n-- {
		pt := &p.points[n-1]
		b.frames[n-1].node = 0
		if pt.n > 0 {
			if pt.value++; pt.value < pt.n {
				return true
			}
		} else if t, ok := b.take(n - 1); ok {
			pt.take(p, t)
			return true
		}
		p.cut(n - 1)
		b.pop()
	}
	return b.next()
}

// next turns to a step that was put off and that no execution has taken since.
// It reports false if the bound allows none.
func (b *bounded) next() bool {
	for {
		for n := len(b.now); n > 0; n-- {
			d := b.now[n-1]
			b.now = b.now[:n-1]
			w := b.known[d.at]
			if w.run&(1<<d.rank) != 0 {
				continue
			}
			w.run |= 1 << d.rank
			b.known[d.at] = w
			if !b.covered(&d.exit) {
				b.follow(d)
				return true
			}
		}
		if b.level == b.p.opts.Bound || b.cut == 0 {
			b.p.res.Cut = b.cut
			return false
		}
		b.level++
		b.now, b.later = b.later, b.now
	}
}

// follow has the next execution repeat the decisions before a step that was put
// off, and then take it. Those that are also the first of the last execution are
// kept.
func (b *bounded) follow(late deferred) {
	p := b.p
	ids := b.scratch[:0]
	for at := late.after; at != 0; at = b.nodes[at].from {
		ids = append(ids, at)
	}
	b.scratch = ids
	n := len(ids)
	kept := 0
	for kept < min(n, len(p.points)) && b.frames[kept].node == ids[n-1-kept] {
		kept++
	}
	p.cut(kept)
	b.frames = b.frames[:kept]
	g := slices.Grow(p.guide.points[:0], n+1)[:n+1]
	for i := kept; i < n; i++ {
		id := ids[n-1-i]
		d := &b.nodes[id]
		g[i] = guided{thread: int(d.thread), n: int(d.n), value: int(d.value), code: d.code, object: d.object}
		b.frames = append(b.frames, frame{node: id})
	}
	g[n] = guided{thread: int(late.thread)}
	b.frames = append(b.frames, frame{})
	p.guide.points, b.floor = g, n+1
}
