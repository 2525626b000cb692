package graph

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/internal/memory"
)

// keys writes down states.
type keys struct {
	s       *Search
	w       *memory.Writer
	plain   *memory.Writer // of what no operation tells
	written []int32        // by object: where in the key its state is, from 1; 0: nowhere
	count   int32
	views   []int32 // by object, of words that are rewritten, which view from 1; 0: none
	ready   [2]int  // for which version of the setup the writers, and views are ready
	viewed  [2]int  // the setup and how many objects there were when views was made

	parts []portion // the key: what is shared, then each thread that has a name, then the others
	n     int       // how many parts there are
	sums  []byte
	bytes []byte  // all of the key, if keys are kept
	frame []uint8 // the interchangeable threads by rank
}

// newKeys makes the writers. The real objects inside those of the shim are not
// used in an exploration, so their fields are left out.
func newKeys(s *Search) *keys {
	k := &keys{s: s}
	special := map[reflect.Type]memory.Special{
		reflect.TypeFor[machine.Ref]():  func(_ *memory.Writer, p unsafe.Pointer) { k.object(s.m.Object((*machine.Ref)(p))) },
		reflect.TypeFor[sync.Mutex]():   nil,
		reflect.TypeFor[sync.RWMutex](): nil,
		reflect.TypeFor[sync.Once]():    nil,
		reflect.TypeFor[*sync.Cond]():   nil,
		reflect.TypeFor[func(int)]():    nil,
	}
	k.w = memory.New(maps.Clone(special))
	special[reflect.TypeFor[machine.Ref]()] = nil
	k.plain = memory.New(special)
	k.plain.Leave = func(t reflect.Type) bool { return inShim(t.PkgPath()) && !memory.Pointy(t) }
	s.m.Watch.Plain = k.guarded
	return k
}

func inShim(path string) bool {
	const shim = "github.com/filch-sched/filch/loom/"
	return path == shim+"atomic" || path == shim+"cell"
}

// object writes the state of an object, and that it is in the key.
func (k *keys) object(id int32) {
	k.mark(id)
	k.w.Bytes = k.s.m.Locks(k.w.Bytes, id, k.s.setup.class)
}

// mark notes that an object is in the key, if it has a number yet.
func (k *keys) mark(id int32) {
	k.count++
	if id < 0 {
		return
	}
	for int(id) >= len(k.written) {
		k.written = append(k.written, 0)
	}
	k.written[id] = k.count
}

// prepare makes w ready to write the roots.
func (k *keys) prepare(w *memory.Writer) {
	w.Reset()
	ready := &k.ready[0]
	if w == k.plain {
		ready = &k.ready[1]
	}
	if *ready == k.s.setup.version {
		return
	}
	*ready = k.s.setup.version
	w.Restore()
	k.override(w)
}

// override has w write as the driver says.
func (k *keys) override(w *memory.Writer) {
	set := &k.s.setup
	for _, p := range set.ignore {
		w.Override(p, func(*memory.Writer) {})
	}
	if k.s.opts.Exact {
		return
	}
	for _, v := range set.views {
		w.Override(v.word.At, func(w *memory.Writer) {
			w.Uint(v.read(v.word.Load()))
			if ref := v.word.Ref(); ref != nil && w == k.w {
				k.mark(k.s.m.Object((*machine.Ref)(ref)))
			}
		})
	}
	for _, r := range set.turned {
		w.Rotate(r.slice, r.from)
	}
}

// find makes views say which objects are words that are rewritten. An object has
// a number from its first use on.
func (k *keys) find() {
	set := &k.s.setup
	now := [2]int{set.version, k.s.m.Objects()}
	if k.viewed == now {
		return
	}
	k.viewed = now
	k.views = slices.Grow(k.views[:0], now[1])[:now[1]]
	clear(k.views)
	if k.s.opts.Exact {
		return
	}
	for i, v := range set.views {
		if ref := v.word.Ref(); ref != nil {
			if id := k.s.m.Object((*machine.Ref)(ref)); id >= 0 {
				k.views[id] = int32(i) + 1
			}
		}
	}
}

// guarded returns what a thread that takes a lock may learn by that. An error
// shows when the key is written.
func (k *keys) guarded(t *machine.Thread) string {
	k.prepare(k.plain)
	only, some := k.behind(t.Pending().Object())
	for _, r := range k.s.setup.roots {
		if k.s.setup.class(r.owner) != 0 && r.owner != t.ID() || some && !slices.Contains(only, r.name) {
			continue
		}
		if k.plain.Root(r.name, r.pointer) != nil {
			return ""
		}
	}
	return string(k.plain.Bytes)
}

// behind returns in which roots the memory is that a lock guards, if the driver
// has said so.
func (k *keys) behind(lock int32) (roots []string, said bool) {
	if k.s.opts.Exact {
		return nil, false
	}
	for _, g := range k.s.setup.guards {
		if k.s.m.Object(g.lock) == lock {
			return g.roots, true
		}
	}
	return nil, false
}

// unkeyed says of what cannot be written what that means to the search.
func unkeyed(err error) error {
	if err != nil {
		err = fmt.Errorf("loom: a Graph cannot tell states apart: %w", err)
	}
	return err
}

// thread writes what a thread is and has seen since its boundary.
func (k *keys) thread(t *machine.Thread) error {
	k.w.Bytes = t.Standing(k.w.Bytes)
	if t.Ended() {
		return nil
	}
	k.w.Uint(t.BoundaryKey())
	seen := t.Observations()
	if alive := k.s.dead(t, seen); alive >= 0 {
		seen = seen[:alive]
		k.w.Uint(1 << 20) // unlike any number of observations
	}
	k.w.Uint(uint64(len(seen)))
	for i := range seen {
		if err := k.observation(&seen[i]); err != nil {
			return err
		}
	}
	if k.s.glues() {
		touched := t.Touched()
		k.w.Uint(uint64(len(touched)))
		for _, c := range touched {
			k.w.Uint(uint64(k.place(c.Object)))
			k.w.Bytes = append(k.w.Bytes, truth(c.Store))
		}
	}
	return k.local(t.Pending().Code, t.Pending().Object())
}

func truth(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (k *keys) place(id int32) int32 {
	if int(id) >= len(k.written) {
		return 0
	}
	return k.written[id]
}

func (k *keys) observation(o *machine.Observation) error {
	// Which operations they were tells which way the thread went where a rewritten
	// value does not.
	k.w.Bytes = append(k.w.Bytes, byte(o.Code))
	if o.Code == machine.Boundary {
		return k.head(o)
	}
	if o.Any != nil {
		k.w.Uint(1 << 21) // unlike any number of bytes of a type
		return unkeyed(k.w.Value("an observation", o.Any))
	}
	v := o.Value
	switch o.Code {
	case machine.Load, machine.Swap, machine.Add, machine.And, machine.Or: // the others return no value of the word
		if by := k.views[o.Object]; by != 0 {
			v = k.s.setup.views[by-1].read(v)
		}
	}
	k.w.Uint(v)
	return k.local(o.Code, o.Object)
}

// head writes where a thread is that remembers nothing else, see Head.
func (k *keys) head(o *machine.Observation) error {
	at := k.place(o.Object)
	if at == 0 {
		return fmt.Errorf("loom: a HeadAt at %s, to which no root leads", k.s.m.ObjectName(o.Object))
	}
	k.w.Uint(o.Value)
	k.w.Uint(uint64(at))
	return nil
}

// local writes the state of an object that no root leads to. Only the operation
// that has used it since its boundary may use it again.
func (k *keys) local(code machine.Code, id int32) error {
	if id < 0 || code == machine.Choose || k.place(id) != 0 {
		return nil
	}
	if k.s.m.Wandered(id) {
		return fmt.Errorf("loom: %s is used by several operations, and no root leads to it", k.s.m.ObjectName(id))
	}
	k.w.Uint(1 << 20) // unlike any value
	k.object(id)
	return nil
}
