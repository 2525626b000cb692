package try

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A loop that loads anew what it goes by, as bounded queues do: it carries pos and
// slot, and waits.
func TestRoundReloads(t *testing.T) {
	var head atomic.Uint64
	slots := make([]atomic.Uint64, 2)
	var wg sync.WaitGroup
	wg.Go(func() { slots[0].Store(1) })
	take := func() {
		var slot *atomic.Uint64
		pos := head.Load()
	L:
		for {
			slot = &slots[pos&1]
			switch seq := slot.Load(); {
			case seq == pos+1:
				if head.CompareAndSwap(pos, pos+1) {
					break L
				}
			default:
				pos = head.Load()
			}
			runtime.Gosched()
		}
	}
	take()
	wg.Wait()
	if head.Load() != 1 {
		t.Error(head.Load())
	}
}

// A lock with a backoff that grows up to a bound, in a loop within a loop.
func TestRoundBackoff(t *testing.T) {
	var lock atomic.Uint32
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			backoff := 1
			for !lock.CompareAndSwap(0, 1) {
				for i := 0; i < backoff; i++ {
					runtime.Gosched()
				}
				if backoff < 4 {
					backoff <<= 1
				}
			}
			n++
			lock.Store(0)
		})
	}
	wg.Wait()
	if n != 2 {
		t.Error(n)
	}
}

// givesUp tries three times: no wait, whoever calls it and how often.
func givesUp(ready *atomic.Bool) bool {
	for i := 0; i < 3; i++ {
		if ready.Load() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// Nothing makes it ready for the first two calls, and the third needs not wait.
func TestRoundGivesUp(t *testing.T) {
	var ready, asked atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		if asked.Load() {
			ready.Store(true)
		}
	})
	for i := 0; i < 2; i++ {
		if givesUp(&ready) {
			break
		}
	}
	asked.Store(true)
	wg.Wait()
}

// What it counts in is watched, and no variable of its own.
func TestRoundCountsInMemory(t *testing.T) {
	var ready atomic.Bool
	tries := new(struct{ n int })
	go func() {}()
	for !ready.Load() {
		if tries.n++; tries.n == 5 {
			return
		}
		runtime.Gosched()
	}
}

// One that nobody ends: with what it carries it has been before.
func TestRoundForEver(t *testing.T) {
	var ready atomic.Bool
	go func() {}()
	seen := false
	for !seen {
		seen = seen || ready.Load()
		runtime.Gosched()
	}
}

// One that counts, and would end by itself some time: it cannot be told from one
// that waits.
func TestRoundCounts(t *testing.T) {
	var ready atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() { ready.Store(true) })
	for spins := 0; !ready.Load(); spins++ {
		if spins > 1<<30 {
			t.Fatal("too long")
		}
		runtime.Gosched()
	}
	wg.Wait()
}
