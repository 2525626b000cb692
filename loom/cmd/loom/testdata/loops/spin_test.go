package try

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestSpin(t *testing.T) {
	var ready [4]atomic.Bool
	var tries atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range ready {
			ready[i].Store(true)
		}
	})
	for !ready[0].Load() {
	}
	for !ready[1].Load() {
		runtime.Gosched()
	}
	for {
		if ok := ready[2].Load(); ok {
			break
		}
		time.Sleep(time.Second)
	}
	// Gives up: no wait.
	for i := 0; i < 3 && !ready[3].Load(); i++ {
		tries.Add(1)
		runtime.Gosched()
	}
	wg.Wait()
}

func TestGivesUp(t *testing.T) {
	var ready atomic.Bool
	go func() {}()
	n := 0
	for !ready.Load() {
		if n++; n == 3 {
			return
		}
		time.Sleep(time.Hour)
	}
}

func TestForEver(t *testing.T) {
	var ready atomic.Bool
	go func() {}()
	for !ready.Load() {
		time.Sleep(time.Millisecond)
	}
}
