package explore

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long an execution may take. [machine.Machine.MaxSteps] ends a
// long one in less than a second.
const patience = time.Minute

// watch calls opts.Stuck if runs, the number of executions begun, stays the same
// for too long. The function that it returns ends the watch.
func watch(runs *atomic.Uint64, opts Options) (stop func()) {
	limit := opts.Patience
	if limit == 0 {
		limit = patience
	}
	// A timer, not a goroutine: most searches are over before one would have run.
	var mu sync.Mutex
	var timer *time.Timer
	seen, over := uint64(0), false
	look := func() {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		n := runs.Load()
		if n == seen {
			stuck(opts, limit)
			return
		}
		seen = n
		timer.Reset(limit)
	}
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(limit, look)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
		timer.Stop()
	}
}

func stuck(opts Options, limit time.Duration) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	if opts.Stuck != nil {
		opts.Stuck(string(stacks))
		return
	}
	panic(fmt.Sprintf("loom: an execution has not ended for %v: a thread waits for something that is no step, "+
		"a channel, real time, a mutex of package sync, or loops without a step\n%s", limit, stacks))
}
