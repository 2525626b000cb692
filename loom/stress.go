//go:build !loom

package loom

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// How long one round may take before it counts as a deadlock: less if the run is
// bounded, in which a fuzzer may wait for it.
const (
	roundLimit   = time.Minute
	boundedLimit = 5 * time.Second
)

// run executes body c.rounds times on real goroutines.
func run(body func(), c *config) (Report, error) {
	if c.replay != "" {
		return Report{}, fmt.Errorf("loom: replay of %q needs the build tag loom", c.replay)
	}
	if token := os.Getenv(replayVariable); token != "" {
		return Report{}, fmt.Errorf("loom: %s=%s needs the build tag loom", replayVariable, token)
	}
	if err := c.outside(); err != nil {
		return Report{}, err
	}
	turn.Lock()
	defer turn.Unlock()
	begin := time.Now()
	var r Report
	for r.Executions < c.rounds {
		if c.deadline > 0 && time.Since(begin) > c.deadline {
			break
		}
		r.Executions++
		v := round(body, c)
		if v == nil && c.failed != nil && c.failed() {
			v = &Violation{Claim: ClaimFailed, Message: "the test failed"}
		}
		if v != nil {
			r.Failures++
			r.Elapsed = time.Since(begin)
			return r, v
		}
	}
	r.Elapsed = time.Since(begin)
	return r, nil
}

// round runs body once, with the threads it starts by Go, to its end.
func round(body func(), c *config) *Violation {
	s := &stress{failed: make(chan struct{})}
	stressed.Store(s)
	defer stressed.Store(nil)
	start(body)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.threads.Wait()
	}()
	patience := roundLimit
	if c.deadline > 0 {
		patience = max(boundedLimit, c.deadline)
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-done:
		return s.violation()
	case <-s.failed: // its threads may wait for ever for the one that failed
		return s.violation()
	case <-limit.C:
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		return &Violation{
			Claim:   c.deadlock,
			Message: fmt.Sprintf("the body has not ended after %v\n%s", patience, stacks),
		}
	}
}

// warn says nothing: that nothing was explored is known from how it was built.
func (c *config) warn(Report) {}

func describe(r Report) string {
	return fmt.Sprintf("loom: built without the tag loom: %d rounds on real goroutines, nothing explored", r.Executions)
}
