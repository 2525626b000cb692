package graph

import (
	"fmt"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/internal/memory"
)

// Options bound a search and say how states are told apart.
type Options struct {
	MaxStates int         // stop there; 0: no bound
	Deadline  time.Time   // zero: none
	MaxSteps  int         // of one execution, in operations; 0: no bound
	FullKeys  bool        // keep the keys and not only their hashes
	Retries   []string    // functions with a loop whose failed round leaves nothing behind
	Heads     []Head      // where a thread remembers nothing
	Exact     bool        // leave all that makes graphs smaller out, Retries apart
	Cells     bool        // accesses to cells are steps of their own
	Straight  bool        // all paths begin at the first state
	Live      bool        // every edge is a step that is taken, none is known from another state
	Workers   int         // executions at the same time, which share nothing; 0: one
	Every     func(Count) // called now and then, by one worker at a time; may be nil

	// Failed, if it is not nil, is called for every failure, and the search goes on
	// as if it led nowhere.
	Failed func(machine.Failure)
}

// Count says how far a search has come.
type Count struct {
	States, Edges, Depth, Waiting int // Waiting: states some of whose edges are not known
	Executions, Steps, Threads    int
	Taken                         int // edges that were steps; the others were known from these
	Elapsed                       time.Duration
}

// Result is the graph as far as it was searched.
type Result struct {
	Count
	Closed  bool // there is nothing left to search
	Failure *machine.Failure
	Path    []Edge // that leads to the failure, one of the shortest
	Lasso   *Lasso // a run without an end that violates Claim; nil: there is none
	Claim   string
	Err     error
	Graph   *Graph
}

// Search is a worker of a search by re-execution: it runs executions, one after the
// other, and is the controller of their machine. What it finds is in common.
type Search struct {
	*common
	m     *machine.Machine
	body  func()
	keys  *keys
	setup setup
	run   run
	shown string // what the driver shows of the last state that was examined
	err   error
	aim   int32         // where the path of the execution leads, -1 between executions
	image *memory.Image // of the execution, nil: it cannot leap
	steps int           // of it before it has leapt
	dice  uint32
	spare []uint8
	rec   recall

	forward forward
}

// failing is an edge that leads to a failure and not to a state.
type failing struct {
	from int32 // -1: the failure is in the first state
	by   Edge
	what machine.Failure
}

// Run searches all states of body.
func Run(body func(), opts Options) Result {
	c := newCommon(opts)
	n := max(1, opts.Workers)
	if !machine.CanTogether() {
		n = 1
	}
	workers := make([]*Search, n)
	for i := range workers {
		workers[i] = c.worker(body)
		workers[i].m = machine.New(workers[i])
		defer workers[i].m.Close()
		workers[i].watch()
	}
	c.search(workers)
	if c.res.Err == nil && len(c.bad) == 0 {
		c.res.Err = backward(workers)
	}
	c.count(&c.res.Count, true)
	c.res.Closed = c.res.Err == nil && len(c.bad) == 0 && c.res.Waiting == 0
	c.res.Graph = c.g
	c.verdict()
	if c.res.Closed {
		c.endless(&workers[0].setup)
	}
	return c.res
}

// watch sets the machine up.
func (s *Search) watch() {
	s.m.MaxSteps, s.m.Watch = s.opts.MaxSteps, &machine.Watch{Joined: s.glues()}
	s.keys = newKeys(s)
	s.m.Watch.Rounds = newRounds(s.opts)
}

// How many walks again makes, and how many edges long each is.
const (
	againLeast = 32
	againEvery = 200
	againMost  = 1 << 14
	againSteps = 64
)

// walk runs the program once: along the path to a state, and then on along edges
// that are not known yet, for as long as there are some close by. It reports
// whether the search can go on.
func (s *Search) walk(from int32) bool {
	s.setup.reset()
	s.mu.Lock()
	s.run.begin(from, s.g)
	s.mu.Unlock()
	s.m.Run(s.body)
	r := &s.run
	switch {
	case s.err != nil:
	case s.m.Err != nil:
		s.err = s.m.Err
	case !r.walking && from >= 0:
		s.err = fmt.Errorf("loom: the body is not deterministic: a path of %d edges ends after %d%s", len(r.path), r.taken, s.ending())
	case s.m.Failure != nil:
		s.err = s.failed(*s.m.Failure)
	case s.m.Done:
		if f := s.over(); f != nil {
			s.err = s.failed(*f)
			break
		}
		s.keys.end()
		s.arrive(0)
	}
	return s.walked()
}

// over looks at the state in which all threads have ended. It is one state whatever
// the memory holds, since nothing comes after it: so it is looked at each time, and
// shows nothing.
func (s *Search) over() *machine.Failure {
	f, _ := s.examine()
	s.shown = ""
	return f
}

// ending says how an execution has ended that should not have.
func (s *Search) ending() string {
	if s.m.Failure != nil {
		return ": " + s.m.Failure.Message
	}
	return ""
}

// failed books the failure that has ended the execution.
func (s *Search) failed(f machine.Failure) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.run
	if r.at < 0 {
		s.bad, s.cap, s.stop = append(s.bad, failing{-1, Edge{}, f}), 0, true
		return nil
	}
	if !r.open {
		return fmt.Errorf("loom: the body is not deterministic: a state fails that did not before: %s", f.Message)
	}
	r.edge.Made = uint8(len(r.outcome))
	if s.opts.Failed != nil {
		s.opts.Failed(f)
	} else {
		s.bad = append(s.bad, failing{r.at, r.edge, f})
		s.cap = min(s.cap, *s.g.depth.at(r.at)+1)
	}
	s.g.follow(r.at, s.following(r.at))
	return nil
}

// endless looks for runs without an end that violate a claim.
func (s *common) endless(set *setup) {
	for _, p := range set.progress {
		l := (*Lasso)(nil)
		if p.each {
			l = s.g.Starved(p.threads)
		} else {
			l = s.g.Stalled(p.threads)
		}
		if l != nil {
			s.res.Lasso, s.res.Claim = l, p.claim
			return
		}
	}
	for i, d := range set.during {
		if l := s.g.ForEver(i); l != nil {
			s.res.Lasso, s.res.Claim = l, d.claim
			return
		}
	}
}

// verdict picks the failure with the shortest path.
func (s *common) verdict() {
	if s.g.dense && len(s.bad) > 0 {
		s.g.root()
	}
	best := -1
	for i, b := range s.bad {
		if best < 0 || b.from >= 0 && *s.g.depth.at(b.from) < *s.g.depth.at(s.bad[best].from) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	b := &s.bad[best]
	s.res.Failure = &b.what
	if b.from >= 0 {
		_, path := s.g.lead(b.from)
		s.res.Path, _ = unroll(append(path, b.by), s.g.frame)
	}
}
