package try

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/other"
)

func TestCache(t *testing.T) {
	var c other.Cache
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { c.Add(i) })
	}
	wg.Wait()
}

// Its calls have an order in every execution.
func TestCacheInOrder(t *testing.T) {
	var c other.Cache
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			c.Add(i)
		})
	}
	wg.Wait()
	if c.Len() != 2 {
		t.Error(c.Len())
	}
}

// Its own for each thread.
func TestCaches(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 2 {
		c := new(other.Cache)
		wg.Go(func() { c.Add(i) })
	}
	wg.Wait()
}

func TestGroup(t *testing.T) {
	var g other.Group
	n := 0
	for range 2 {
		g.Go(func() { n++ })
	}
	g.Wait()
	_ = n
}

// Done comes from a goroutine that is no thread, or not at all in time.
func TestPool(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	var n atomic.Int32
	go func() {}()
	for range 2 {
		other.Submit(func() { n.Add(1); wg.Done() })
	}
	wg.Wait()
}

// The same by goroutines that were there before.
func TestPoolOfOld(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {}()
	other.Old(func() { wg.Done() })
	wg.Wait()
}

func TestChannelElsewhere(t *testing.T) {
	q := &queue{c: make(chan int, 1)}
	var wg sync.WaitGroup
	wg.Go(func() { q.n.Add(1) })
	wg.Go(func() {
		if q.n.Load() == 2 {
			q.put() // never
		}
	})
	wg.Wait()
}

func TestChannelReached(t *testing.T) {
	q := &queue{c: make(chan int, 1)}
	var wg sync.WaitGroup
	wg.Go(func() { q.n.Add(1) })
	wg.Go(func() {
		if q.n.Load() == 1 {
			q.put()
		}
	})
	wg.Wait()
}

func TestTimerReached(t *testing.T) {
	go func() {}()
	later()
}

type queue struct {
	n atomic.Int32
	c chan int
}

func (q *queue) put() { q.c <- 1 }

func later() { time.NewTicker(time.Hour).Stop() }

func TestPlain(t *testing.T) {}
