package stranger

import (
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
)

// buffers is how many buffers there are. They are numbered from 1: 0 is none.
const buffers = 2

// buffer is a node of a stack while it is free and its owner's memory while not.
type buffer struct {
	next  atomic.Uint32
	bytes cell.Cell[string]
}

// Untagged is a stack of free buffers. It is wrong: see Get.
type Untagged struct {
	head atomic.Uint32 // the top of the stack
	all  [buffers]buffer
}

// Put gives a buffer back.
func (s *Untagged) Put(b uint32) {
	for {
		head := s.head.Load()
		s.all[b-1].next.Store(head)
		if s.head.CompareAndSwap(head, b) {
			return
		}
	}
}

// Get takes a buffer, 0 if none is free. Between its load of next and its
// compare-and-swap others may take the top and the buffer below, and give the
// top back: the head is what it was, next is not, and the buffer below, which
// somebody owns, becomes the top.
func (s *Untagged) Get() uint32 {
	for {
		head := s.head.Load()
		if head == 0 {
			return 0
		}
		next := s.all[head-1].next.Load()
		if s.head.CompareAndSwap(head, next) {
			return head
		}
	}
}

// Bytes is what is in a buffer. Only its owner may ask.
func (s *Untagged) Bytes(b uint32) *cell.Cell[string] { return &s.all[b-1].bytes }
