package stranger

import (
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
)

// Tagged is a stack of free buffers. The upper half of its head counts the Gets,
// so that a head is never what it was before.
type Tagged struct {
	head atomic.Uint64
	all  [buffers]buffer
}

// Put gives a buffer back.
func (s *Tagged) Put(b uint32) {
	for {
		head := s.head.Load()
		s.all[b-1].next.Store(uint32(head))
		if s.head.CompareAndSwap(head, head>>32<<32|uint64(b)) {
			return
		}
	}
}

// Get takes a buffer, 0 if none is free.
func (s *Tagged) Get() uint32 {
	for {
		head := s.head.Load()
		if uint32(head) == 0 {
			return 0
		}
		next := s.all[uint32(head)-1].next.Load()
		if s.head.CompareAndSwap(head, (head>>32+1)<<32|uint64(next)) {
			return uint32(head)
		}
	}
}

// Bytes is what is in a buffer. Only its owner may ask.
func (s *Tagged) Bytes(b uint32) *cell.Cell[string] { return &s.all[b-1].bytes }
