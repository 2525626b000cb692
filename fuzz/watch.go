package fuzz

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/filch-sched/filch/model"
)

// How long a run in order may take. It needs a few milliseconds. After patience
// its goroutine is looked at, and again and again until limit.
const (
	patience = 100 * time.Millisecond
	limit    = 5 * time.Second
)

// panicked says that what was watched has panicked, or has ended its goroutine, and
// then with what is "".
type panicked struct{ with, stack string }

func (p *panicked) Error() string { return fmt.Sprintf("panic: %s\n%s", p.with, p.stack) }

// stuck says that what was watched did not return. Its goroutine is left behind.
type stuck struct{ stack string }

func (s *stuck) Error() string {
	return "an operation that nobody disturbs does not return:\n" + s.stack
}

// watched runs f on a goroutine of its own. The error is that of f, a *panicked if f
// panics, or a *stuck if f does not return: if it has not moved for as long as limit, or
// if hopeless says so of its stack.
func watched(f func() error, moved func() int, hopeless func(stack string) bool) error {
	done := make(chan error, 1)
	id := make(chan string, 1)
	go func() {
		returned := false
		defer func() {
			switch r := recover(); {
			case r != nil:
				done <- &panicked{fmt.Sprint(r), string(debug.Stack())}
			case !returned:
				done <- &panicked{"", string(debug.Stack())}
			}
		}()
		id <- goroutine()
		err := f()
		returned = true
		done <- err
	}()
	header := <-id
	look := time.NewTimer(patience)
	defer look.Stop()
	begin, at := time.Now(), 0
	for ; ; look.Reset(patience) {
		select {
		case err := <-done:
			return err
		case <-look.C:
		}
		if now := moved(); now != at {
			begin, at = time.Now(), now
		}
		stack := stackOf(header)
		if hopeless(stack) || time.Since(begin) > limit {
			return &stuck{stack}
		}
	}
}

// ours watches a run of a scenario on filch's own packages, of which nothing but
// another operation wakes one that waits for a condition; there is no other. The error
// is that of f, or a *[model.Violation].
func ours(s model.Scenario, f func() error) error {
	switch err := watched(f, func() int { return 0 }, func(stack string) bool {
		return waitsFor(stack) == "sync.Cond.Wait" && !strings.Contains(stack, ").ParkTimeout(")
	}).(type) {
	case *panicked:
		return &model.Violation{Claims: endless(s, ""), Message: err.Error()}
	case *stuck:
		return &model.Violation{Claims: endless(s, err.stack), Message: err.Error()}
	default:
		return err
	}
}

// waitLimit is how long an operation of somebody else's code may wait where nobody
// disturbs it: for goroutines of its own.
const waitLimit = time.Second

// theirWaits says how long somebody else's operation may wait for what nothing in the
// program can end.
func theirWaits(moved func() int) func(stack string) bool {
	waits, at := 0, 0
	return func(stack string) bool {
		state := waitsFor(stack)
		if now := moved(); state == "" || now != at {
			waits, at = 0, now
			return false
		}
		waits++
		return endsNever(state) || waits > int(waitLimit/patience)
	}
}

// endless returns the claims that an operation breaks which does not return, or
// not to its caller: it was to take a token, the oldest half, or a task.
func endless(s model.Scenario, stack string) []model.Claim {
	switch {
	case s.Target == model.Idle:
		if slices.Contains(s.Claims, model.WorkConserving) {
			return []model.Claim{model.WorkConserving}
		}
		return []model.Claim{model.NoLostWakeup}
	case s.Target == model.Sched && hasClose(s):
		return []model.Claim{model.ShutdownDrains}
	case s.Target == model.Sched:
		return []model.Claim{model.NoLostWakeup}
	case s.Target == model.Park && hasClose(s):
		return []model.Claim{model.TokenKept, model.ShutdownWakes}
	case s.Target == model.Park:
		return []model.Claim{model.TokenKept}
	case strings.Contains(stack, ".StealInto("):
		return []model.Claim{model.StealHalf}
	}
	return []model.Claim{model.NoLostTask}
}
