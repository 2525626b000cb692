package graph

import (
	"hash/maphash"
	"reflect"
	"sync"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/internal/memory"
)

// digest is a 128-bit hash of a key.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func hash(key []byte) digest {
	return digest{maphash.Bytes(seeds[0], key), maphash.Bytes(seeds[1], key)}
}

// keys writes down states.
type keys struct {
	s       *Search
	w       *memory.Writer
	written []bool         // by object: its state is in the key
	views   map[int32]view // by object, of words that are rewritten
}

func newKeys(s *Search) *keys {
	k := &keys{s: s, views: map[int32]view{}}
	k.w = memory.New(map[reflect.Type]memory.Special{
		reflect.TypeFor[machine.Ref](): func(_ *memory.Writer, p unsafe.Pointer) { k.object(s.m.Object((*machine.Ref)(p))) },
		// The real ones inside the shim: not used in an exploration.
		reflect.TypeFor[sync.Mutex]():   nil,
		reflect.TypeFor[sync.RWMutex](): nil,
		reflect.TypeFor[sync.Once]():    nil,
		reflect.TypeFor[*sync.Cond]():   nil,
		reflect.TypeFor[func(int)]():    nil,
	})
	return k
}

func (k *keys) object(id int32) {
	for int(id) >= len(k.written) {
		k.written = append(k.written, false)
	}
	if id >= 0 {
		k.written[id] = true
	}
	k.w.Bytes = k.s.m.Locks(k.w.Bytes, id)
}

// write appends the key of the state in which the machine is. No thread of the
// model runs.
func (k *keys) write(b []byte) ([]byte, error) {
	k.w.Reset()
	clear(k.written)
	clear(k.views)
	if !k.s.opts.Exact {
		for _, v := range k.s.setup.views {
			if ref := v.word.Ref(); ref != nil {
				k.views[k.s.m.Object((*machine.Ref)(ref))] = v
			}
			k.w.Override(v.word.At, func(w *memory.Writer) { w.Uint(v.read(v.word.Load())) })
		}
	}
	if !k.s.opts.Exact {
		for _, r := range k.s.setup.turned {
			if err := k.w.Rotate(r.pointer, r.field, r.from); err != nil {
				return b, err
			}
		}
	}
	for _, p := range k.s.setup.ignore {
		k.w.Override(p, func(*memory.Writer) {})
	}
	for _, r := range k.s.setup.roots {
		if err := k.w.Root(r.name, r.pointer); err != nil {
			return b, err
		}
	}
	for i := range k.s.m.Threads() {
		if err := k.thread(k.s.m.Thread(i)); err != nil {
			return b, err
		}
	}
	return append(b, k.w.Bytes...), nil
}

// thread writes what a thread is and has seen since its boundary.
func (k *keys) thread(t *machine.Thread) error {
	k.w.Bytes = t.Standing(k.w.Bytes)
	if t.Ended() {
		return nil
	}
	k.w.Uint(t.BoundaryKey())
	seen := t.Observations()

	k.w.Uint(uint64(len(seen)))
	for i := range seen {
		o := &seen[i]
		if o.Any != nil {
			if err := k.w.Value("an observation", o.Any); err != nil {
				return err
			}
			continue
		}
		v := o.Value
		if by, ok := k.views[o.Object]; ok && o.Code != machine.CompareAndSwap {
			v = by.read(v)
		}
		k.w.Uint(v)
		if o.Code != machine.Choose {
			k.local(o.Object)
		}
	}
	k.local(t.Pending().Object())
	return nil
}

// local writes the state of an object that no root leads to. The operation that
// has used it since its boundary may use it again.
func (k *keys) local(id int32) {
	if id >= 0 && (int(id) >= len(k.written) || !k.written[id]) {
		k.w.Uint(1 << 20) // unlike any value
		k.object(id)
	}
}
