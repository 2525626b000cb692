package graph

import (
	"sync"
	"unsafe"
)

// store numbers byte strings, in the order in which they come, and keeps something
// with each. Several workers may use it.
type store[T any] struct {
	mu  sync.RWMutex
	of  map[string]int32
	all []kept[T]
	n   int // bytes, about
}

type kept[T any] struct {
	bytes string
	with  T
}

// find returns the number of b, -1 if it has none.
func (s *store[T]) find(b []byte) int32 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n, ok := s.of[string(b)]; ok {
		return n
	}
	return -1
}

// add gives b a number, and keeps what comes with it, unless it has one.
func (s *store[T]) add(b []byte, with T) int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.of[string(b)]
	if !ok {
		if s.of == nil {
			s.of = map[string]int32{}
		}
		text := string(b)
		n = int32(len(s.all))
		s.of[text], s.all = n, append(s.all, kept[T]{text, with})
		s.n += len(text) + perKey + int(unsafe.Sizeof(s.all[0]))
	}
	return n
}

// size returns about how many bytes the store takes.
func (s *store[T]) size() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.n
}

// glance is how one worker looks at a store: numbers keep what they have, so it asks
// only for those that are new.
type glance[T any] struct {
	of  *store[T]
	all []kept[T]
}

// at returns what has number n.
func (g *glance[T]) at(n int32) *kept[T] {
	if int(n) >= len(g.all) {
		g.of.mu.RLock()
		g.all = g.of.all
		g.of.mu.RUnlock()
	}
	return &g.all[n]
}

// pairs is a table by two numbers: open addressing, at most three quarters full, in
// parts that several workers can use at the same time.
type pairs[T any] struct {
	parts [1 << pairBits]struct {
		sync.Mutex
		keys []uint64 // 0: free
		vals []T
		used int
	}
}

const pairBits = 7

func paired(a, b int32) (key, hash uint64) {
	key = (uint64(uint32(a))<<32 | uint64(uint32(b))) + 1
	hash = key * 0x9e3779b97f4a7c15
	return key, hash ^ hash>>29
}

// get returns what a and b have.
func (t *pairs[T]) get(a, b int32) (v T, ok bool) {
	key, hash := paired(a, b)
	p := &t.parts[hash>>(64-pairBits)]
	p.Lock()
	defer p.Unlock()
	if len(p.keys) > 0 {
		if i := seat(p.keys, key, hash); p.keys[i] != 0 {
			return p.vals[i], true
		}
	}
	return v, false
}

// put gives v to a and b, unless they have something, and returns what they then have
// and whether that is v.
func (t *pairs[T]) put(a, b int32, v T) (has T, anew bool) {
	key, hash := paired(a, b)
	p := &t.parts[hash>>(64-pairBits)]
	p.Lock()
	defer p.Unlock()
	if 4*(p.used+1) > 3*len(p.keys) {
		keys, vals := p.keys, p.vals
		p.keys, p.vals = make([]uint64, max(16, 2*len(keys))), make([]T, max(16, 2*len(keys)))
		for i, k := range keys {
			if k != 0 {
				_, hash := paired(int32((k-1)>>32), int32(k-1))
				j := seat(p.keys, k, hash)
				p.keys[j], p.vals[j] = k, vals[i]
			}
		}
	}
	i := seat(p.keys, key, hash)
	if anew = p.keys[i] == 0; anew {
		p.keys[i], p.vals[i] = key, v
		p.used++
	}
	return p.vals[i], anew
}

// seat returns where a key is, or belongs.
func seat(keys []uint64, key, hash uint64) uint64 {
	mask := uint64(len(keys) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		if keys[i] == key || keys[i] == 0 {
			return i
		}
	}
}

// size returns about how many bytes the table takes.
func (t *pairs[T]) size() (n int) {
	var v T
	for i := range t.parts {
		p := &t.parts[i]
		p.Lock()
		n += len(p.keys) * (8 + int(unsafe.Sizeof(v)))
		p.Unlock()
	}
	return n
}
