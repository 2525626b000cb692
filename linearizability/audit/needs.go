package main

import (
	"fmt"
	"runtime"

	"github.com/filch-sched/filch/model"
)

// need is something that has to have happened often enough for a run without
// violations to mean anything.
type need struct {
	What string `json:"what"`
	Had  int64  `json:"had"`
	Min  int64  `json:"min"`
}

// needsOf lists what a run of a target needs, and what it had.
func needsOf(t model.Target, threads int, c *tally) []need {
	needs := []need{{"operations called while another was under way", c.overlapped(), 1000}}
	switch t {
	case model.Ring:
		needs = append(needs,
			need{"successful steals", c.of(model.Steal, model.Stole), 1000},
			need{"overflows", c.of(model.Push, model.Overflowed), 100},
			need{"rings whose indices passed 2^32", c.Wraps, 10})
		if threads > 2 { // one thief never meets another
			needs = append(needs,
				need{"steals refused as busy", c.of(model.Steal, model.Busy), 10},
				need{"steals refused for want of room", c.of(model.Steal, model.NoRoom), 10})
		}
	case model.Inject:
		needs = append(needs,
			need{"closes", c.of(model.InjectClose, model.Done), 10},
			need{"pushes refused after a close", c.of(model.InjectPush, model.Closed) + c.of(model.InjectBatch, model.Closed), 10})
	case model.Park:
		needs = append(needs, need{"parks", c.of(model.ParkToken, model.Done), 1000},
			need{"closes", c.of(model.ClosePark, model.Done), 10})
	case model.Sched:
		needs = append(needs, need{"tasks run", c.of(model.Run, model.Done), 1000},
			need{"closes", c.of(model.Close, model.Done), 10})
	}
	return needs
}

// vacuous says why a run in which nothing was found means nothing, or "".
func vacuous(needs []need, threads int) string {
	if p := runtime.GOMAXPROCS(0); p == 1 {
		return "one processor: nothing runs at the same time (GOMAXPROCS is 1)"
	}
	if threads == 1 {
		return "one thread: nothing runs at the same time"
	}
	return lacking(needs)
}

// needsOfFile lists what a history needs that is judged from a file: it is as
// long as it is, but something has to happen at the same time in it.
func needsOfFile(c *tally) []need {
	return []need{{"operations in the file", c.Operations, 1},
		{"operations called while another was under way", c.overlapped(), 1}}
}

// lacking says what of needs was not met, or "".
func lacking(needs []need) string {
	for _, n := range needs {
		if n.Had < n.Min {
			return fmt.Sprintf("%s: %d, too few to mean anything, want %d", n.What, n.Had, n.Min)
		}
	}
	return ""
}
