package loom

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// turn lets one exploration or stress test run at a time: Failf can then tell,
// on any goroutine, whose execution it ends.
var turn sync.Mutex

// stressed is the running stress test, if any.
var stressed atomic.Pointer[stress]

// broken is set once a stress test has failed: threads of its last round may be
// left over, and what they report late is nobody's.
var broken atomic.Bool

// stress is one run of a body on real goroutines.
type stress struct {
	threads sync.WaitGroup // the body and what Go started
	failed  chan struct{}  // closed when first is set
	mu      sync.Mutex
	first   *Violation
}

func (s *stress) fail(v *Violation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		broken.Store(true)
		s.first = v
		close(s.failed)
	}
}

func (s *stress) violation() *Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first
}

// failReal is Failf on a goroutine that is no thread of an exploration.
func failReal(claim, message string) {
	s := stressed.Load()
	if s == nil && broken.Load() {
		runtime.Goexit()
	}
	if s == nil {
		panic(fmt.Sprintf("loom: Failf outside Check and Explore: %s violated: %s", claim, message))
	}
	s.fail(&Violation{Claim: claim, Message: message})
	runtime.Goexit()
}

// start runs f on a goroutine of its own. If a stress test runs, it waits for
// that goroutine, and a panic of f is its violation; elsewhere a panic ends the
// program, as it does with a go statement.
func start(f func()) *Thread {
	t := &Thread{done: make(chan struct{})}
	s := stressed.Load()
	if s == nil {
		n := machine.Started()
		go func() {
			defer close(t.done)
			machine.Note("start", n)
			defer machine.Note("end", n)
			f()
		}()
		return t
	}
	s.threads.Add(1)
	go func() {
		defer s.threads.Done()
		defer close(t.done)
		defer func() {
			if p := recover(); p != nil {
				s.fail(&Violation{Claim: ClaimPanic, Message: fmt.Sprintf("%v\n%s", p, debug.Stack())})
			}
		}()
		f()
	}()
	return t
}
