package fuzz

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/filch-sched/filch/model"
)

// How long a run in order may take. It needs a few milliseconds. After patience
// its goroutine is looked at: one that waits where only another thread could
// wake it waits for ever, since there is no other. One that is busy has until
// limit.
const (
	patience = 100 * time.Millisecond
	limit    = 5 * time.Second
)

// watched runs f on a goroutine of its own. The error is that of f, or a
// *[model.Violation] if f panics or does not return; its goroutine is then left
// behind.
func watched(s model.Scenario, f func() error) error {
	done := make(chan error, 1)
	id := make(chan string, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- &model.Violation{Claims: endless(s, ""), Message: fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}
			}
		}()
		id <- goroutine()
		done <- f()
	}()
	header := <-id
	look := time.NewTimer(patience)
	defer look.Stop()
	for begin := time.Now(); ; look.Reset(patience) {
		select {
		case err := <-done:
			return err
		case <-look.C:
		}
		stack := stackOf(header)
		waits := strings.HasPrefix(stack, header+" [sync.Cond.Wait") && !strings.Contains(stack, ").ParkTimeout(")
		if waits || time.Since(begin) > limit {
			return &model.Violation{Claims: endless(s, stack),
				Message: fmt.Sprintf("an operation that nobody disturbs does not return:\n%s", stack)}
		}
	}
}

// goroutine returns how the stack of the calling goroutine begins: "goroutine 7".
func goroutine() string {
	b := make([]byte, 64)
	b = b[:runtime.Stack(b, false)]
	head, _, _ := bytes.Cut(b, []byte(" ["))
	return string(head)
}

// stackOf returns the stack of one goroutine, "" if it has ended.
func stackOf(header string) string {
	b := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if strings.HasPrefix(stack, header+" [") {
			return stack
		}
	}
	return ""
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
