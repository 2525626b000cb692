//go:build loom

package loom

import "github.com/filch-sched/filch/loom/internal/machine"

// guarded runs an exploration, and gives it up if one of its threads waits for
// what no step brings about. What it has seen until then is then not known.
func guarded(f func() (Report, error)) (Report, error) {
	done := make(chan func() (Report, error), 1)
	err := machine.Guard(func() {
		r, err := f()
		done <- func() (Report, error) { return r, err }
	})
	if err != nil {
		return Report{}, err
	}
	return (<-done)()
}
