//go:build loom

package loom

import (
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// guarded runs an exploration, and gives it up if one of its threads waits for
// what no step brings about. Then the report is of the executions before.
func (c *config) guarded(f func() (Report, error)) (Report, error) {
	begin := time.Now()
	done := make(chan func() (Report, error), 1)
	err := machine.Guard(func() {
		r, err := f()
		done <- func() (Report, error) { return r, err }
	})
	if err != nil && c.watched != nil {
		r := c.report(c.watched.Seen(), begin)
		r.Stopped = "a thread that is stuck"
		return r, err
	}
	if err != nil {
		return Report{}, err
	}
	return (<-done)()
}
