package graph

// Edge is what leads from one state to the next: the step of a thread, with the
// outcomes of the choices that it makes before its next step, four bits each.
//
// Threads that are interchangeable have no names: an edge names them by their
// ranks in its source, and says what the ranks in its target are of these.
type Edge struct {
	Choices uint32
	Thread  uint8
	Made    uint8 // how many choices
	Turn    uint8 // see turns
	Ends    ends
}

// ends is what comes to an end with an edge.
type ends uint8

const (
	completes ends = 1 << iota // an operation of the driver
	halts                      // what its thread does until it stands where it began; see hub
)

func (e Edge) choice(i int) int { return int(e.Choices >> (4 * i) & 15) }

// nothing as Thread is that of an edge after the last.
const nothing = 255

// begun as Made is that of an edge to be followed that a worker is following.
const begun = 255

func (e Edge) none() bool { return e.Thread == nothing }

// maxChoices and maxOutcomes are what fits into an Edge.
const (
	maxChoices  = 8
	maxOutcomes = 16
)

// Graph is the states and edges by number; state 0 is the first. There may be many
// million, so what there are few different ones of is a number of these.
//
// A dense graph has the edges of a state beside each other, the last one marked, and
// states by levels; paths are found when they are asked for.
type Graph struct {
	dense  bool
	parent column[int32]  // by state, the one that it is reached from on a shortest path from a hub; of hub i: -1-i
	via    column[uint16] // and by which kind of edge
	depth  column[int32]  // how long a path from the first state is
	kind   column[int32]
	next   column[uint16] // the edge to be followed next
	first  column[int32]  // its last edge that is known, -1 if none
	to     column[int32]  // by edge: its target
	label  column[uint16]
	more   column[int32] // not of a dense one: the edge of the same source known before it, -1 if none

	edges labels[Edge]
	kinds labels[kind]
	full  bool // there are more kinds of edges than have numbers

	shown []int32          // by state, what the driver shows of it, an index of texts; empty if it shows nothing
	texts []string         // the first is ""
	said  map[string]int32 // the index of each

	waiting int   // how many states have edges to be followed
	deepest int32 // what the largest depth was when it was found

	hubs  []int32 // the states that a search can go to from others of them
	frame []uint8 // of the first state, the threads by rank
	index table
	whole map[string]int32 // instead of index, if keys are kept
	keys  int              // how many bytes of keys are kept
}

// kind is what is known of a state besides its edges.
type kind struct {
	may   uint64 // the threads that can take a step, by rank
	holds uint32 // the conditions of NotForEver
}

func newGraph(whole bool) *Graph {
	g := &Graph{texts: []string{""}, said: map[string]int32{"": 0}}
	if whole {
		g.whole = map[string]int32{}
	}
	return g
}

// States and Edges return how many there are.
func (g *Graph) States() int { return int(g.kind.n) }
func (g *Graph) Edges() int  { return int(g.to.n) }

// What a state, an edge, a slot of the table and a key that is kept take, in bytes.
const (
	perState      = 4 + 2 + 4 + 4 + 2 + 4 + 16
	perStateDense = 4 + 4 + 16
	perEdge       = 4 + 2 + 4
	perEdgeDense  = 4 + 2
	perSlot       = 4
	perKey        = 48
)

// Bytes returns about how much memory the graph takes.
func (g *Graph) Bytes() int {
	state, edge := perState, perEdge
	if g.dense {
		state, edge = perStateDense, perEdgeDense
	}
	return state*g.States() + edge*g.Edges() + perSlot*g.index.room + g.keys
}

func (g *Graph) may(n int32) uint64   { return g.kinds.all[*g.kind.at(n)].may }
func (g *Graph) holds(n int32) uint32 { return g.kinds.all[*g.kind.at(n)].holds }

// open returns the edge of a state to be followed next, none if there is none.
func (g *Graph) open(n int32) Edge { return g.edges.all[*g.next.at(n)] }

// edge returns a known edge.
func (g *Graph) edge(e int32) Edge { return g.edges.all[*g.label.at(e)&^ending] }

// ending marks, in labels of a dense graph, the first edge of a state, after which
// there is none: they are looked at from the last on.
const ending = 1 << 15

// name returns the number of a kind of edge.
func (g *Graph) name(e Edge) uint16 {
	n := g.edges.number(e)
	g.full = g.full || n >= ending
	return uint16(n)
}

// find returns the number of the state with a key, -1 if it is new.
func (g *Graph) find(key []byte, at digest) int32 {
	if g.whole != nil {
		if i, ok := g.whole[string(key)]; ok {
			return i
		}
		return -1
	}
	return g.index.find(at)
}

// add makes a state with a key that is reached from another one, -1 for the first.
func (g *Graph) add(key []byte, at digest, parent int32, via Edge, what kind) int32 {
	n := g.kind.n
	if parent < 0 {
		g.hubs = append(g.hubs, n)
	}
	if !g.dense {
		depth := int32(0)
		if parent >= 0 {
			depth = *g.depth.at(parent) + 1
		}
		g.parent.add(parent)
		g.via.add(g.name(via))
		g.depth.add(depth)
		g.deepest = max(g.deepest, depth)
		g.next.add(g.name(Edge{Thread: nextThread(what.may, 0)}))
	}
	g.kind.add(g.kinds.number(what))
	g.first.add(-1)
	if what.may != 0 {
		g.waiting++
	}
	if g.whole != nil {
		g.whole[string(key)] = n
		g.keys += len(key) + perKey
	} else {
		g.index.add(at, n)
	}
	return n
}

// keepShown keeps what the driver shows of the state that is added next, if it
// shows anything.
func (s *Search) keepShown() {
	if s.setup.show != nil {
		s.g.show(s.shown)
	}
}

// show keeps what the driver shows of the state that is added next.
func (g *Graph) show(text string) {
	i, ok := g.said[text]
	if !ok {
		i = int32(len(g.texts))
		g.texts, g.said[text] = append(g.texts, text), i
	}
	g.shown = append(g.shown, i)
}

// nextThread returns the first thread of a set from t on.
func nextThread(set uint64, t int) uint8 {
	for ; t < 64; t++ {
		if set>>t&1 != 0 {
			return uint8(t)
		}
	}
	return nothing
}

// follow says which edge of a state, that has had some to be followed, is the next.
func (g *Graph) follow(n int32, next Edge) {
	if *g.next.at(n) = g.name(next); next.none() {
		g.waiting--
	}
}

// link adds an edge. To a dense graph, all edges of a state are added one after the
// other.
func (g *Graph) link(from int32, e Edge, to int32) {
	first, label := g.first.at(from), g.name(e)
	switch {
	case !g.dense:
		g.more.add(*first)
	case *first < 0:
		label |= ending
	}
	*first = g.to.n
	g.to.add(to)
	g.label.add(label)
}

// from returns the first of the known edges of a state, then rest the next, and so on
// until there is none, -1.
func (g *Graph) from(n int32) int32 { return *g.first.at(n) }

func (g *Graph) rest(e int32) int32 {
	switch {
	case !g.dense:
		return *g.more.at(e)
	case *g.label.at(e)&ending != 0:
		return -1
	}
	return e - 1
}

// done notes that all edges of a state of a dense graph are known.
func (g *Graph) done(n int32) {
	if g.may(n) != 0 {
		g.waiting--
	}
}

// lead returns a path to a state and where it begins: which hub. Once paths are
// those of [Graph.root], that is the first state.
func (g *Graph) lead(at int32) (hub int32, path []Edge) {
	n, i := 0, at
	for ; *g.parent.at(i) >= 0; i = *g.parent.at(i) {
		n++
	}
	hub = -1 - *g.parent.at(i)
	path = make([]Edge, n, n+1)
	for i = at; n > 0; i = *g.parent.at(i) {
		n--
		path[n] = g.edges.all[*g.via.at(i)]
	}
	return hub, path
}

// far is the depth of a state that no path is known to.
const far = int32(1<<31 - 1)

// shorten makes depths, and paths from hubs, the shortest that the known edges give.
func (g *Graph) shorten() {
	g.deepen(func(int32, int32, int32) {})
	const alone = -1 << 31
	g.parent.each(func(v *int32) { *v = alone })
	queue := make([]int32, 0, g.parent.n)
	for i, n := range g.hubs {
		*g.parent.at(n) = -1 - int32(i)
		queue = append(queue, n)
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for e := g.from(n); e >= 0; e = g.rest(e) {
			if to := *g.to.at(e); *g.parent.at(to) == alone {
				*g.parent.at(to), *g.via.at(to) = n, *g.label.at(e)
				queue = append(queue, to)
			}
		}
	}
}

// root makes all paths begin at the first state, and the shortest.
func (g *Graph) root() {
	if g.States() == 0 {
		return
	}
	for g.parent.n < g.kind.n { // a dense one
		g.parent.add(-1)
		g.via.add(0)
		g.depth.add(0)
	}
	g.hubs = g.hubs[:1]
	*g.parent.at(0) = -1
	g.deepen(func(from, e, to int32) { *g.parent.at(to), *g.via.at(to) = from, *g.label.at(e)&^ending })
}

// deepen makes depths the smallest that the known edges give, and calls reach for
// the edges of a tree of shortest paths.
func (g *Graph) deepen(reach func(from, e, to int32)) {
	g.depth.each(func(v *int32) { *v = far })
	*g.depth.at(0) = 0
	queue := make([]int32, 1, g.kind.n)
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for e := g.from(n); e >= 0; e = g.rest(e) {
			if to := *g.to.at(e); *g.depth.at(to) == far {
				*g.depth.at(to) = *g.depth.at(n) + 1
				reach(n, e, to)
				queue = append(queue, to)
			}
		}
	}
}
