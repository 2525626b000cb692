package graph

import (
	"hash/maphash"
	"slices"
)

// Edge is what leads from one state to the next: the step of a thread, with the
// outcomes of the choices that it makes before its next step, four bits each.
//
// Threads that are interchangeable have no names: an edge names them by their
// ranks in its source, and says what the ranks in its target are of these.
type Edge struct {
	Choices  uint32
	Thread   uint8
	Made     uint8 // how many choices
	Turn     uint8 // see turns
	Complete bool  // an operation of the driver was completed
}

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

// Graph is the states and edges by number; state 0 is the first.
type Graph struct {
	parent []int32 // by state, the one that it is reached from on a shortest path
	via    []Edge  // and by which edge
	depth  []int32
	may    []uint64 // the threads that can take a step, by rank
	holds  []uint32 // the conditions of NotForEver
	next   []Edge   // the edge to be followed next
	first  []int32  // its last edge that is known, -1 if none
	to     []int32  // by edge: its target
	label  []Edge
	more   []int32  // the edge of the same source known before it, -1 if none
	toward []int32  // by state, the edge that begins a way to one with edges to be followed; negative: none, or it has
	looked []uint32 // by state, the last round in which nearest has come to it
	round  uint32

	shown []int32          // by state, what the driver shows of it, an index of texts
	texts []string         // the first is ""
	said  map[string]int32 // the index of each

	waiting int   // how many states have edges to be followed
	deepest int32 // what the largest depth was when it was found

	frame []uint8 // of the first state, the threads by rank
	index table
	full  map[string]int32 // instead of index, if keys are kept
}

func newGraph(full bool) *Graph {
	g := &Graph{texts: []string{""}, said: map[string]int32{"": 0}}
	if full {
		g.full = map[string]int32{}
	}
	return g
}

// find returns the number of the state with a key, -1 if it is new.
func (g *Graph) find(key []byte, at digest) int32 {
	if g.full != nil {
		if i, ok := g.full[string(key)]; ok {
			return i
		}
		return -1
	}
	return g.index.find(at)
}

// add makes a state with a key that is reached from another one, -1 for the first.
func (g *Graph) add(key []byte, at digest, parent int32, via Edge, may uint64, holds uint32) int32 {
	n, depth := int32(len(g.parent)), int32(0)
	if parent >= 0 {
		depth = g.depth[parent] + 1
	}
	g.parent, g.via, g.depth = append(g.parent, parent), append(g.via, via), append(g.depth, depth)
	g.looked, g.toward = append(g.looked, 0), append(g.toward, here)
	g.may, g.holds, g.first = append(g.may, may), append(g.holds, holds), append(g.first, -1)
	g.next = append(g.next, Edge{Thread: nextThread(may, 0)})
	if may != 0 {
		g.waiting++
	}
	g.deepest = max(g.deepest, depth)
	if g.full != nil {
		g.full[string(key)] = n
	} else {
		g.index.add(at, n)
	}
	return n
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
	if g.next[n] = next; next.none() {
		g.waiting--
	}
}

// link adds an edge.
func (g *Graph) link(from int32, e Edge, to int32) {
	g.to, g.label, g.more = append(g.to, to), append(g.label, e), append(g.more, g.first[from])
	g.first[from] = int32(len(g.to)) - 1
}

// lead returns the path to a state.
func (g *Graph) lead(at int32) []Edge {
	n := 0
	for i := at; i > 0; i = g.parent[i] {
		n++
	}
	path := make([]Edge, n, n+1)
	for i := at; i > 0; i = g.parent[i] {
		n--
		path[n] = g.via[i]
	}
	return path
}

// shorten makes all paths the shortest that the known edges give.
func (g *Graph) shorten() {
	if len(g.parent) == 0 {
		return
	}
	const far = int32(1<<31 - 1)
	for i := range g.depth {
		g.depth[i] = far
	}
	g.depth[0] = 0
	queue := make([]int32, 1, len(g.parent))
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for e := g.first[n]; e >= 0; e = g.more[e] {
			if to := g.to[e]; g.depth[to] == far {
				g.depth[to], g.parent[to], g.via[to] = g.depth[n]+1, n, g.label[e]
				queue = append(queue, to)
			}
		}
	}
}

// What toward says of a state if it is no edge.
const (
	unknown = -1 // there was no way when guide looked
	here    = -2 // it is, or was, one with edges to be followed
)

// trail makes ways that led to a state, whose edges are all known now, lead on: along
// an edge to a state that has some to be followed, or else to the newest of those
// that are newer, where the search has gone on.
func (g *Graph) trail(n int32) {
	best := int32(-1)
	for e := g.first[n]; e >= 0; e = g.more[e] {
		to := g.to[e]
		if next := &g.next[to]; !next.none() && next.Made != begun {
			g.toward[n] = e
			return
		}
		if to > n && (best < 0 || to > g.to[best]) {
			best = e
		}
	}
	g.toward[n] = here
	if best >= 0 {
		g.toward[n] = best
	}
}

// guide finds, from every state, a shortest way along known edges to one that has
// edges to be followed.
func (g *Graph) guide() {
	n := len(g.parent)
	first := make([]int32, n+1) // the edges by target
	for _, to := range g.to {
		first[to+1]++
	}
	for i := range n {
		first[i+1] += first[i]
	}
	in, from := make([]int32, len(g.to)), make([]int32, len(g.to))
	fill := slices.Clone(first)
	for i := range n {
		for e := g.first[i]; e >= 0; e = g.more[e] {
			in[fill[g.to[e]]] = e
			from[e] = int32(i)
			fill[g.to[e]]++
		}
	}
	g.toward = slices.Grow(g.toward[:0], n)[:n]
	queue := make([]int32, 0, n)
	for i := range n {
		g.toward[i] = unknown
		if !g.next[i].none() {
			g.toward[i] = here
			queue = append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, e := range in[first[i]:first[i+1]] {
			if g.toward[from[e]] == unknown {
				g.toward[from[e]] = e
				queue = append(queue, from[e])
			}
		}
	}
}

// digest is a 128-bit hash of a key.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// digest returns the hash of a key, nothing if keys are kept.
func (g *Graph) digest(key []byte) digest {
	if g.full != nil {
		return digest{}
	}
	return digest{maphash.Bytes(seeds[0], key), maphash.Bytes(seeds[1], key)}
}

// table finds states by the hashes of their keys: open addressing, at most three
// quarters full.
type table struct {
	of    []digest // by state
	slots []int32  // state + 1; 0: free
}

func (t *table) find(d digest) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	for i := d[0]; ; i++ {
		n := t.slots[i&uint64(len(t.slots)-1)]
		if n == 0 || t.of[n-1] == d {
			return n - 1
		}
	}
}

// add adds a state, which is the next and not there yet.
func (t *table) add(d digest, n int32) {
	t.of = append(t.of, d)
	if 4*len(t.of) > 3*len(t.slots) {
		t.slots = make([]int32, max(1024, 2*len(t.slots)))
		for i := range t.of[:n] {
			t.put(int32(i))
		}
	}
	t.put(n)
}

func (t *table) put(n int32) {
	i := t.of[n][0]
	for ; t.slots[i&uint64(len(t.slots)-1)] != 0; i++ {
	}
	t.slots[i&uint64(len(t.slots)-1)] = n + 1
}
