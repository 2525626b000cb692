package graph

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// common is what the workers of a search share: the graph, and what is to be done.
type common struct {
	opts  Options
	begin time.Time

	mu      sync.Mutex // of all that follows
	g       *Graph
	hubs    hubs
	memo    *memo // nil: every edge is a step that is taken
	unfit   bool  // there can be no memo
	res     Result
	cap     int32 // no longer paths are of interest: there is a failure at the end of such a one
	bad     []failing
	stop    bool
	aims    []*Search
	cursor  int32 // no state before it had edges to be followed when it was passed
	left    int   // how many walks are to be made at random
	until   int   // how many edges there may be before paths are made shorter
	picks   int   // how many states were picked
	found   bool  // there were edges to be followed
	told    time.Time
	lean    bool // the garbage collector keeps close to what is in use
	percent int  // what it did before
}

func newCommon(opts Options) *common {
	return &common{opts: opts, g: newGraph(opts.FullKeys), begin: time.Now(), cap: 1<<31 - 1}
}

func newSearch(body func(), opts Options) *Search { return newCommon(opts).worker(body) }

func (c *common) worker(body func()) *Search {
	s := &Search{common: c, body: body, aim: -1}
	c.aims = append(c.aims, s)
	return s
}

// search follows all edges of all states whose paths are of interest.
//
// Workers go on at the same time, each on its own walk; an edge that one of them
// has begun is nobody else's. From time to time all stop, and one makes paths and
// ways shorter. Which worker comes first makes no difference to states and edges:
// they are a function of the body.
func (c *common) search(workers []*Search) {
	if !workers[0].walk(-1) {
		return
	}
	if len(workers) > 1 {
		var all []*machine.Machine
		for _, s := range workers {
			all = append(all, s.m)
		}
		defer machine.Together(all)()
	}
	if c.memo != nil && !c.recalls(workers) && !workers[0].walk(-1) {
		return
	}
	if c.memo == nil {
		c.walks(workers)
		c.g.root()
	}
	c.again(workers)
	c.relax()
}

// walks follows all edges by executions.
func (c *common) walks(workers []*Search) {
	for c.found = true; c.found && !c.stop; {
		c.found, c.cursor = false, 0
		for int(c.cursor) < c.g.States() && !c.stop {
			c.until = c.g.Edges()*3/2 + shortenLeast
			each(workers, func(s *Search) {
				for at := s.pick(); at >= 0 && s.walk(at); at = s.pick() {
				}
			})
			c.g.shorten() // a state that was too far away may not be so
			c.slim()
		}
	}
}

// recalls follows all edges with a memo, level by level, so paths are the shortest. It
// reports false, and forgets all that was found, if there can be none.
func (c *common) recalls(workers []*Search) bool {
	m := c.memo
	m.levels.begin(len(workers))
	each(workers, func(s *Search) { s.learn() })
	for _, s := range workers {
		s.rec = recall{}
	}
	c.memo = &memo{refusal: m.refusal} // there may be much of it, and other needs for memory
	if c.memo.refusal == "" || c.res.Err != nil {
		c.res.Taken = int(m.taken.Load())
		return true
	}
	c.memo, c.unfit, c.stop = nil, true, false
	c.g, c.hubs, c.res, c.bad = newGraph(c.opts.FullKeys), hubs{}, Result{}, nil
	return false
}

// slim has the garbage collector run sooner once the graph is large: it has no
// pointers, so that takes no time, and else there would be room for several of it.
func (c *common) slim() {
	if !c.lean && c.g.States() > large {
		c.lean, c.percent = true, debug.SetGCPercent(slimPercent)
		if c.percent >= 0 && c.percent < slimPercent {
			debug.SetGCPercent(c.percent)
		}
	}
}

// relax undoes slim.
func (c *common) relax() {
	if c.lean {
		debug.SetGCPercent(c.percent)
	}
}

const (
	large       = 1 << 19 // states
	slimPercent = 30
)

// each has all workers do f.
func each(workers []*Search, f func(s *Search)) {
	var all sync.WaitGroup
	for _, s := range workers[1:] {
		all.Go(func() { f(s) })
	}
	f(workers[0])
	all.Wait()
}

// shortenLeast is how many edges there are to be before paths are made shorter.
const shortenLeast = 1000

// pick returns the state that the next path leads to, -1 if there is none for now.
func (s *Search) pick() int32 {
	c := s.common
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop || c.g.Edges() > c.until || c.late() {
		return -1
	}
	first := true
	for at := c.cursor; int(at) < c.g.States(); at++ {
		if !c.wanted(at) {
			if first {
				c.cursor = at + 1
			}
			continue
		}
		first = false
		if !c.aimed(at) {
			c.found = true
			s.aim = at
			return at
		}
	}
	return -1
}

// aimed reports whether some worker is on its way to a state.
func (c *common) aimed(at int32) bool {
	for _, s := range c.aims {
		if s.aim == at {
			return true
		}
	}
	return false
}

// wanted reports whether there are edges to follow from a state.
func (c *common) wanted(at int32) bool {
	next := c.g.open(at)
	return !next.none() && next.Made != begun && *c.g.depth.at(at)+1 < c.cap
}

// late reports, and notes, that the search has come to its bounds.
func (c *common) late() bool {
	if c.opts.MaxStates > 0 && c.g.States() > c.opts.MaxStates {
		c.stop = true
	}
	if c.picks++; c.picks%64 != 0 {
		return c.stop
	}
	if err := c.tooLarge(); err != nil && c.res.Err == nil {
		c.res.Err, c.stop = err, true
	}
	now := time.Now()
	if c.opts.Every != nil && now.Sub(c.told) > tellEvery {
		c.told = now
		var n Count
		c.count(&n, false)
		c.opts.Every(n)
	}
	c.stop = c.stop || !c.opts.Deadline.IsZero() && now.After(c.opts.Deadline)
	return c.stop
}

// tooLarge says that there is no memory, or there are no numbers, for more.
func (c *common) tooLarge() error {
	const most = 1<<31 - 1<<20
	why := ""
	bytes := c.g.Bytes()
	if c.memo != nil {
		bytes += c.memo.size()
	}
	switch limit := debug.SetMemoryLimit(-1); {
	case int64(bytes) > limit-limit/8:
		why = fmt.Sprintf("GOMEMLIMIT is %d MiB", limit>>20)
	case c.g.Edges() > most:
		why = "there are no numbers for more edges"
	default:
		return nil
	}
	return fmt.Errorf("loom: a graph of %d states and %d edges, %d of the states not done with, takes %d MiB, and %s: the option MaxStates asks for a bounded run",
		c.g.States(), c.g.Edges(), c.g.waiting, bytes>>20, why)
}

// tellEvery is how often Every is called.
const tellEvery = time.Second

// count counts. The depth is exact once paths are as short as they get.
func (c *common) count(n *Count, exactly bool) {
	*n = c.res.Count
	n.States, n.Edges, n.Elapsed = c.g.States(), c.g.Edges(), time.Since(c.begin)
	n.Waiting, n.Depth = c.g.waiting, int(c.g.deepest)
	if exactly && !c.g.dense {
		n.Depth = 0
		c.g.depth.each(func(d *int32) { n.Depth = max(n.Depth, int(*d)) })
	}
}

// walked books that an execution has ended, and reports whether the search can go
// on.
func (s *Search) walked() bool {
	c := s.common
	c.mu.Lock()
	defer c.mu.Unlock()
	c.res.Executions++
	c.res.Steps += s.m.Steps + s.steps
	s.steps = 0
	c.res.Threads = max(c.res.Threads, s.m.Threads())
	s.aim = -1
	if s.err != nil && c.res.Err == nil {
		c.res.Err = s.err
	}
	if c.g.full && c.res.Err == nil {
		c.res.Err = fmt.Errorf("loom: more than %d kinds of edges: steps with fewer choices make fewer", ending)
	}
	c.stop = c.stop || c.res.Err != nil
	return !c.stop
}

// again walks along known edges, drawn at random, to see whether they lead where
// they led when they were found, from whatever execution the state was reached
// now: if keys merge states that differ, that is where it shows.
func (c *common) again(workers []*Search) {
	if c.res.Err != nil || c.cap == 0 {
		return
	}
	c.stop = false
	c.left = againLeast + min(c.g.States()/againEvery, againMost)
	each(workers, func(s *Search) {
		for s.astrayFrom() && s.walk(0) {
		}
	})
}

// astrayFrom begins a random walk, if there are to be more. Their edges are those
// that the number of the walk says.
func (s *Search) astrayFrom() bool {
	c := s.common
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop || c.left == 0 {
		return false
	}
	c.left--
	s.run.random = rand.New(rand.NewPCG(uint64(c.left), uint64(c.g.Edges())))
	return true
}
