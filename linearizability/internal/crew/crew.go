// Package crew lets goroutines do something at the same time, and notices when
// they stand still.
package crew

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/filch-sched/filch/linearizability"
)

// Patience is for how long a run may stand still, no operation beginning or
// ending, before it is given up as stuck.
const Patience = 5 * time.Second

// Crew is the goroutines that drive the production code. They live as long as
// the audit, so that a run costs no more than waking them.
type Crew struct {
	size     int
	clock    *linearizability.Clock
	work     []chan func(thread int)
	arrived  atomic.Int64
	left     atomic.Int64
	finished chan struct{}
	panics   []string // by thread; read when all have finished
	names    sync.Map // of the goroutines, as their stacks begin
}

// New returns a crew of so many. The clock shows whether they move.
func New(size int, clock *linearizability.Clock) *Crew {
	c := &Crew{size: size, clock: clock, finished: make(chan struct{}, 1), panics: make([]string, size)}
	for t := range size {
		work := make(chan func(int), 1)
		c.work = append(c.work, work)
		go func() {
			c.names.Store(name(), true)
			for f := range work {
				c.do(t, f)
			}
		}()
	}
	return c
}

// Close ends the goroutines, those that are stuck as soon as they are not.
func (c *Crew) Close() {
	for _, w := range c.work {
		close(w)
	}
}

// do runs f as thread t, from the moment at which all threads are there.
func (c *Crew) do(t int, f func(thread int)) {
	ended := false
	defer func() {
		switch p := recover(); {
		case p != nil:
			c.panics[t] = fmt.Sprintf("thread %d panicked: %v\n%s", t, p, here(debug.Stack()))
		case !ended:
			c.panics[t] = fmt.Sprintf("thread %d has ended its goroutine, as runtime.Goexit and the FailNow of a test do\n%s", t, here(debug.Stack()))
		}
		if c.left.Add(-1) == 0 {
			c.finished <- struct{}{}
		}
	}()
	c.arrived.Add(1)
	for c.arrived.Load() < int64(c.size) {
		runtime.Gosched()
	}
	f(t)
	ended = true
}

// Trouble is what kept a run from its end.
type Trouble struct {
	Stuck bool   // nothing moved for as long as Patience
	Said  string // what threads panicked with, and where; or where they stand
}

// Any reports whether there was trouble.
func (t Trouble) Any() bool { return t.Stuck || t.Said != "" }

// Run lets all threads run f at the same time and waits for them. If there is
// trouble, the crew is not to be used again.
func (c *Crew) Run(f func(thread int)) (t Trouble) {
	c.arrived.Store(0)
	c.left.Store(int64(c.size))
	for _, w := range c.work {
		w <- f
	}
	if !c.wait() {
		c.left.Load() // what those that have finished did last happens before, in their Add
		return Trouble{Stuck: true, Said: "nothing moved for " + Patience.String() + "; the goroutines stood here:\n" + c.standing()}
	}
	for i, p := range c.panics {
		t.Said += p
		c.panics[i] = ""
	}
	return t
}

// wait waits until all have finished, and reports false if they do not.
func (c *Crew) wait() bool { return await(c.clock, c.finished) }

// await waits for done, and reports false if for as long as Patience neither
// done comes nor the clock moves.
func await(clock *linearizability.Clock, done <-chan struct{}) bool {
	last := clock.Return()
	moved := time.Now()
	tick := time.NewTimer(Patience / 20)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return true
		case <-tick.C:
		}
		if now := clock.Return(); now != last {
			last, moved = now, time.Now()
		} else if time.Since(moved) > Patience {
			return false
		}
		tick.Reset(Patience / 20)
	}
}

// Alone lets f run on thread 0 and the others do nothing.
func Alone(f func()) func(int) {
	return func(t int) {
		if t == 0 {
			f()
		}
	}
}
