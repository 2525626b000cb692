package stranger_test

import (
	"testing"

	"example.com/stranger"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/cell"
)

type stack interface {
	Put(b uint32)
	Get() uint32
	Bytes(b uint32) *cell.Cell[string]
}

// use takes and gives back the buffers of s on two threads. A buffer with two
// owners is a data race on its bytes, which loom finds by itself; that none is
// lost is for the test to say.
func use(s stack) {
	s.Put(2)
	s.Put(1)
	get := func(owner string) uint32 {
		b := s.Get()
		if b != 0 {
			s.Bytes(b).Store(owner)
		}
		return b
	}
	one := loom.Go(func() {
		if b := get("one"); b != 0 {
			s.Put(b)
		}
	})
	two := loom.Go(func() {
		a, b := get("two"), get("two")
		for _, taken := range []uint32{a, b} {
			if taken != 0 {
				s.Put(taken)
			}
		}
	})
	one.Join()
	two.Join()
	if s.Get()+s.Get() != 1+2 || s.Get() != 0 {
		loom.Failf("NoBufferLost", "after all were given back the buffers 1 and 2 are not free, each once")
	}
}

func TestUntagged(t *testing.T) {
	loom.Check(t, func() { use(new(stranger.Untagged)) })
}

func TestTagged(t *testing.T) {
	loom.Check(t, func() { use(new(stranger.Tagged)) })
}
