package gid_test

import (
	"sync"
	"testing"

	"github.com/filch-sched/filch/loom/gid"
)

func TestGoroutinesDiffer(t *testing.T) {
	if !gid.Known {
		t.Fatal("gid: this architecture is not supported; sched falls back to inject here")
	}
	const n = 64
	ids := make([]uintptr, n)
	var started, done sync.WaitGroup
	started.Add(n)
	for i := range ids {
		done.Go(func() {
			ids[i] = gid.Get()
			started.Done()
			started.Wait() // all of them live at once
			if again := deep(40); again != ids[i] {
				t.Errorf("gid: %#x became %#x when the stack grew", ids[i], again)
			}
		})
	}
	done.Wait()
	seen := map[uintptr]bool{gid.Get(): true}
	for _, id := range ids {
		if id == 0 || seen[id] {
			t.Fatalf("gid: %#x is zero or not unique among living goroutines", id)
		}
		seen[id] = true
	}
}

// deep grows the stack, which moves it.
func deep(n int) uintptr {
	var pad [1024]byte
	if n == 0 {
		return gid.Get() + uintptr(pad[0])
	}
	return deep(n-1) + uintptr(pad[n])
}
