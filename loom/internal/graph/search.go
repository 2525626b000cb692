package graph

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Options bound a search and say how states are told apart.
type Options struct {
	MaxStates int         // stop there; 0: no bound
	Deadline  time.Time   // zero: none
	MaxSteps  int         // of one execution, in operations; 0: no bound
	FullKeys  bool        // keep the keys and not only their hashes
	Retries   []string    // functions with a loop whose failed round leaves nothing behind
	Exact     bool        // leave all that makes graphs smaller out, Retries apart
	Cells     bool        // accesses to cells are steps of their own
	Every     func(Count) // called now and then; may be nil

	// Failed, if it is not nil, is called for every failure, and the search goes on
	// as if it led nowhere.
	Failed func(machine.Failure)
}

// Count says how far a search has come.
type Count struct {
	States, Edges, Depth, Waiting int // Waiting: states some of whose edges are not known
	Executions, Steps, Threads    int
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

// Search is a search by re-execution. It is the controller of its machine.
type Search struct {
	opts  Options
	m     *machine.Machine
	body  func()
	keys  *keys
	g     *Graph
	res   Result
	begin time.Time
	setup setup
	run   run
	cap   int32 // no longer paths are of interest: there is a failure at the end of such a one
	bad   []failing
}

// failing is an edge that leads to a failure and not to a state.
type failing struct {
	from int32 // -1: the failure is in the first state
	by   Edge
	what machine.Failure
}

// Run searches all states of body.
func Run(body func(), opts Options) Result {
	s := newSearch(body, opts)
	s.m = machine.New(s)
	defer s.m.Close()
	s.watch()
	s.all()
	s.g.shorten()
	s.again()
	s.count(&s.res.Count)
	s.res.Closed = s.res.Err == nil && len(s.bad) == 0 && s.res.Waiting == 0
	s.res.Graph = s.g
	s.verdict()
	if s.res.Closed {
		s.endless()
	}
	return s.res
}

func newSearch(body func(), opts Options) *Search {
	return &Search{opts: opts, body: body, g: newGraph(opts.FullKeys), begin: time.Now(), cap: 1<<31 - 1}
}

// watch sets the machine up.
func (s *Search) watch() {
	s.m.MaxSteps, s.m.Watch = s.opts.MaxSteps, &machine.Watch{}
	s.keys = newKeys(s)
	if len(s.opts.Retries) > 0 {
		s.m.Watch.Rounds = &rounds{s.opts.Retries, map[uint64]int32{}}
	}
}

// all follows all edges of all states whose paths are of interest.
func (s *Search) all() {
	if !s.walk(-1) {
		return
	}
	for again := true; again; {
		again = false
		shortened := s.res.Executions
		for at := int32(0); at < int32(len(s.g.parent)); at++ {
			for s.wanted(at) {
				again = true
				if s.late() || !s.walk(at) {
					return
				}
			}
			if s.res.Executions-shortened > len(s.g.to)/shortenEvery {
				s.g.shorten()
				s.g.guide()
				shortened = s.res.Executions
			}
		}
		s.g.shorten() // a state that was too far away may not be so
	}
}

// again walks along known edges, drawn at random, to see whether they lead where
// they led when they were found, from whatever execution the state was reached
// now: if keys merge states that differ, that is where it shows.
func (s *Search) again() {
	if s.res.Err != nil || len(s.g.parent) == 0 {
		return
	}
	s.run.random = rand.New(rand.NewPCG(uint64(len(s.g.parent)), uint64(len(s.g.to))))
	for range againLeast + len(s.g.parent)/againEvery {
		if !s.walk(0) {
			return
		}
	}
}

// How many walks again makes, and how many edges long each is.
const (
	againLeast = 32
	againEvery = 200
	againSteps = 64
)

// shortenEvery is how many edges take as long to look at as an execution.
const shortenEvery = 100

// wanted reports whether there are edges to follow from a state.
func (s *Search) wanted(at int32) bool { return !s.g.next[at].none() && s.g.depth[at]+1 < s.cap }

func (s *Search) late() bool {
	if s.opts.MaxStates > 0 && len(s.g.parent) > s.opts.MaxStates {
		return true
	}
	if s.res.Executions%1024 != 0 {
		return false
	}
	if s.opts.Every != nil {
		var c Count
		s.count(&c)
		s.opts.Every(c)
	}
	return !s.opts.Deadline.IsZero() && time.Now().After(s.opts.Deadline)
}

func (s *Search) count(c *Count) {
	c.Executions, c.Steps, c.Threads = s.res.Executions, s.res.Steps, s.m.Threads()
	c.States, c.Edges, c.Elapsed = len(s.g.parent), len(s.g.to), time.Since(s.begin)
	for i, d := range s.g.depth {
		c.Depth = max(c.Depth, int(d))
		if !s.g.next[i].none() {
			c.Waiting++
		}
	}
}

// walk runs the program once: along the path to a state, and then on along edges
// that are not known yet, for as long as there are some close by. It reports
// whether the search can go on.
func (s *Search) walk(from int32) bool {
	s.setup.reset()
	s.run.begin(from, s.g)
	s.m.Run(s.body)
	s.res.Executions++
	s.res.Steps += s.m.Steps
	r := &s.run
	switch {
	case s.res.Err != nil:
	case s.m.Err != nil:
		s.res.Err = s.m.Err
	case !r.walking && from >= 0:
		s.res.Err = fmt.Errorf("loom: the body is not deterministic: a path of %d edges ends after %d%s", len(r.path), r.taken, s.ending())
	case s.m.Failure != nil:
		return s.failed(*s.m.Failure)
	case s.m.Done: // all threads have ended
		s.keys.end()
		s.arrive(0)
	}
	return s.res.Err == nil
}

// ending says how an execution has ended that should not have.
func (s *Search) ending() string {
	if s.m.Failure != nil {
		return ": " + s.m.Failure.Message
	}
	return ""
}

// failed books the failure that has ended the execution.
func (s *Search) failed(f machine.Failure) bool {
	r := &s.run
	if r.at < 0 {
		s.bad, s.cap = append(s.bad, failing{-1, Edge{}, f}), 0
		return false
	}
	if !r.open {
		s.res.Err = fmt.Errorf("loom: the body is not deterministic: a state fails that did not before: %s", f.Message)
		return false
	}
	r.edge.Made = uint8(len(r.outcome))
	if s.opts.Failed != nil {
		s.opts.Failed(f)
	} else {
		s.bad = append(s.bad, failing{r.at, r.edge, f})
		s.cap = min(s.cap, s.g.depth[r.at]+1)
	}
	s.g.next[r.at] = s.following(r.at)
	return true
}

// endless looks for runs without an end that violate a claim.
func (s *Search) endless() {
	for _, p := range s.setup.progress {
		if l := s.g.Stalled(p.threads); l != nil {
			s.res.Lasso, s.res.Claim = l, p.claim
			return
		}
	}
	for i, d := range s.setup.during {
		if l := s.g.ForEver(i); l != nil {
			s.res.Lasso, s.res.Claim = l, d.claim
			return
		}
	}
}

// verdict picks the failure with the shortest path.
func (s *Search) verdict() {
	best := -1
	for i, b := range s.bad {
		if best < 0 || b.from >= 0 && s.g.depth[b.from] < s.g.depth[s.bad[best].from] {
			best = i
		}
	}
	if best < 0 {
		return
	}
	b := &s.bad[best]
	s.res.Failure = &b.what
	if b.from >= 0 {
		s.res.Path, _ = unroll(append(s.g.lead(b.from), b.by), s.g.frame)
	}
}
