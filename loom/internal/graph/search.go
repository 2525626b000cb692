package graph

import (
	"fmt"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Options bound a search and say how states are told apart.
type Options struct {
	MaxStates int       // stop there; 0: no bound
	Deadline  time.Time // zero: none
	MaxSteps  int       // of one execution
	FullKeys  bool      // keep the keys and not only their hashes
	Retries   []string  // functions with a loop whose failed round leaves nothing behind
	Symmetric [][]int   // threads that are interchangeable
	Exact     bool      // leave Rewrite, Retries and Symmetric out
}

// Result is the graph as far as it was searched.
type Result struct {
	States, Edges, Depth, Executions, Steps int
	Closed                                  bool // there is nothing left to search
	Failure                                 *machine.Failure
	Path                                    []Edge // that leads to the failure
	Err                                     error
	Graph                                   *Graph
}

// Graph is the states and edges by number; state 0 is the first.
type Graph struct {
	parent []int32 // by state
	via    []Edge  // the edge from the parent
	depth  []int32
	may    []uint64 // the threads that can take a step
	holds  []uint32 // the conditions of NotForEver
	from   []int32  // by edge: its source; its target; what it did
	to     []int32
	label  []Edge
}

// Edge is what leads from one state to the next: the step of a thread, with the
// outcomes of the choices that it makes before its next step, four bits each.
type Edge struct {
	Choices  uint32
	Thread   uint8
	Made     uint8 // how many choices
	Complete bool  // an operation of the driver was completed
}

func (e Edge) choice(i int) int { return int(e.Choices >> (4 * i) & 15) }

// maxChoices and maxOutcomes are what fits into an Edge.
const (
	maxChoices  = 8
	maxOutcomes = 16
)

// Search is a breadth-first search by re-execution. It is the controller of its
// machine: it leads the execution along the path to a state, then along one more
// edge, and there ends it.
type Search struct {
	opts Options
	m    *machine.Machine
	body func()
	keys *keys
	res  Result
	g    *Graph

	index map[digest]int32 // states by key
	full  map[string]int32 // the same with full keys, if they are kept

	// The execution that runs.
	setup    setup
	path     []Edge
	taken    int   // edges of the path that have been begun
	passing  bool  // the thread of the last edge has left a boundary and not come to a step
	outcome  []int // of how many each choice was made since the edge began
	complete bool  // an operation has been completed since the edge began
	arrived  bool
	key      []byte
	may      uint64 // the threads enabled at its end
	holds    uint32
	effects  []machine.Effect
	err      error
}

// Run searches all states of body.
func Run(body func(), opts Options) Result {
	s := &Search{opts: opts, body: body, g: &Graph{}, index: map[digest]int32{}, full: map[string]int32{}}
	s.m = machine.New(s)
	defer s.m.Close()
	s.m.MaxSteps, s.m.Watch = opts.MaxSteps, &machine.Watch{}
	s.keys = newKeys(s)
	if len(opts.Retries) > 0 && !opts.Exact {
		s.m.Watch.Rounds = &rounds{opts.Retries, map[uint64]int32{}}
	}
	s.res.Graph = s.g
	if !s.run(nil) {
		return s.res
	}
	s.add(-1, Edge{})
	for at := 0; at < len(s.g.parent); at++ {
		if s.late(at) || !s.expand(at) {
			return s.res
		}
	}
	s.res.Closed = true
	return s.res
}

func (s *Search) late(at int) bool {
	if s.opts.MaxStates > 0 && len(s.g.parent) > s.opts.MaxStates {
		return true
	}
	return at%64 == 0 && !s.opts.Deadline.IsZero() && time.Now().After(s.opts.Deadline)
}

// expand follows every edge out of a state.
func (s *Search) expand(at int) bool {
	path := s.g.lead(at)
	may := s.g.may[at]
	for t := 0; may>>t != 0; t++ {
		if may&(1<<t) == 0 {
			continue
		}
		e := Edge{Thread: uint8(t)}
		for more := true; more; {
			if !s.run(append(path, e)) {
				return false
			}
			e.Made, e.Complete = uint8(len(s.outcome)), s.complete
			s.reach(int32(at), e)
			e, more = s.following(e)
		}
	}
	return true
}

// following returns the edge that makes the next outcomes of the same choices.
func (s *Search) following(e Edge) (Edge, bool) {
	for i := len(s.outcome) - 1; i >= 0; i-- {
		v := e.choice(i) + 1
		e.Choices &^= 15 << (4 * i)
		if v < s.outcome[i] {
			e.Choices |= uint32(v) << (4 * i)
			return e, true
		}
	}
	return e, false
}

// lead returns the path to a state, with room for one more edge.
func (g *Graph) lead(at int) []Edge {
	n := int(g.depth[at])
	path := make([]Edge, n, n+1)
	for i := int32(at); i > 0; i = g.parent[i] {
		n--
		path[n] = g.via[i]
	}
	return path
}

// run executes the body along a path. It reports whether it came to a state at
// its end: if not, the search is over.
func (s *Search) run(path []Edge) bool {
	s.setup.reset()
	s.path, s.taken, s.passing, s.complete, s.arrived, s.err = path, 0, false, false, false, nil
	s.outcome = s.outcome[:0]
	s.m.Run(s.body)
	s.res.Executions++
	s.res.Steps += s.m.Steps
	switch {
	case s.err != nil:
		s.res.Err = s.err
	case s.m.Err != nil:
		s.res.Err = s.m.Err
	case s.m.Failure != nil:
		s.res.Failure, s.res.Path = s.m.Failure, append([]Edge(nil), s.path...)
	case s.m.Done && s.taken == len(path): // all threads have ended
		s.key, s.may, s.holds = append(s.key[:0], "end"...), 0, 0
		return true
	case !s.arrived:
		s.res.Err = fmt.Errorf("loom: the body is not deterministic: a path of %d edges ends after %d", len(path), s.taken)
	default:
		return true
	}
	return false
}

// reach books the state at the end of the execution as reached from another.
func (s *Search) reach(from int32, e Edge) {
	to, known := s.find()
	if !known {
		to = s.add(from, e)
	}
	s.g.from, s.g.to, s.g.label = append(s.g.from, from), append(s.g.to, to), append(s.g.label, e)
	s.res.Edges++
}

func (s *Search) find() (int32, bool) {
	if s.opts.FullKeys {
		i, ok := s.full[string(s.key)]
		return i, ok
	}
	i, ok := s.index[hash(s.key)]
	return i, ok
}

// add makes the state at the end of the execution a new one.
func (s *Search) add(parent int32, e Edge) int32 {
	g := s.g
	n, depth := int32(len(g.parent)), int32(0)
	if parent >= 0 {
		depth = g.depth[parent] + 1
	}
	g.parent, g.via, g.depth = append(g.parent, parent), append(g.via, e), append(g.depth, depth)
	g.may, g.holds = append(g.may, s.may), append(g.holds, s.holds)
	if s.opts.FullKeys {
		s.full[string(s.key)] = n
	} else {
		s.index[hash(s.key)] = n
	}
	s.res.States, s.res.Depth = int(n)+1, max(s.res.Depth, int(depth))
	return n
}
