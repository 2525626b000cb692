package bond

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/park"
)

// Parker is the driver of a parker whose owner parks and which two others unpark or
// close, any number of times.
func Parker() func() {
	return func() {
		d, p := loom.Drive(), park.New()
		d.Root("parker", p)
		d.Guards(p, "mu", "parker")
		loom.Go(func() {
			for {
				loom.Boundary(0)
				p.Park()
				told(done)
			}
		})
		for range 2 {
			loom.Go(func() {
				for {
					loom.Boundary(0)
					if loom.Choose(2) == 0 {
						p.Unpark()
					} else {
						p.Close()
					}
					told(done)
				}
			})
		}
		state, closed, held := loom.Peek(p, "state"), loom.Peek(p, "closed"), d.Held(p, "mu")
		d.Show(func() string { return fmt.Sprintf("<<%d, %d, %d>>", state(), closed(), number(held())) })
	}
}

func number(truth bool) int {
	if truth {
		return 1
	}
	return 0
}

// ParkerOptions are the loop of Park, a failed round of which leaves nothing behind:
// it waits for the compare-and-swap to succeed.
func ParkerOptions() []loom.Option {
	return []loom.Option{loom.RetryAt("Parker.Park", "CompareAndSwap")}
}
