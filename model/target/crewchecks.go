package target

import (
	"runtime"
	"strings"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// unpark is what the tracker wakes workers with.
func (c *crew) unpark(worker int) {
	if c.claims[model.OneWakeInFlight] && c.inFlight.Add(1) > 1 {
		loom.Failf(string(model.OneWakeInFlight), "worker %d is woken while another wake is in flight", worker)
	}
	c.bounded()
	c.parkers[worker].Unpark()
}

// bounded looks at the counts, in runs that claim something of them: the look is
// a step of its own.
func (c *crew) bounded() {
	if !c.claims[model.SearchersBounded] && !c.claims[model.CountsMatchSleepers] {
		return
	}
	search, up := c.tracker.Counts()
	claim := model.CountsMatchSleepers
	if up <= c.s.Workers {
		if claim = model.SearchersBounded; search <= (c.s.Workers+1)/2 {
			return
		}
	}
	loom.Failf(string(claim), "of %d workers %d are counted unparked and %d searching", c.s.Workers, up, search)
}

// park puts a worker on the list of sleepers. In a run that claims something
// of it, the list is then looked at, which takes steps of its own.
func (c *crew) park(w int, counted bool) {
	c.tracker.Park(w, counted, c.pending)
	if !c.claims[model.CountsMatchSleepers] {
		return
	}
	c.once(c.tracker.Sleepers())
	c.bounded()
}

// once checks that no worker is listed twice.
func (c *crew) once(sleepers []int) {
	seen := map[int]bool{}
	for _, w := range sleepers {
		if seen[w] {
			loom.Failf(string(model.CountsMatchSleepers), "worker %d is listed twice among the sleepers %v", w, sleepers)
		}
		seen[w] = true
	}
}

// trip says that the tracker panicked, which it does when it finds its list and
// its count in disagreement. Deferred.
func trip() {
	p := recover()
	if _, broken := p.(runtime.Error); broken {
		loom.Failf(string(model.CountsMatchSleepers), "the tracker panicked: %v", p)
	} else if text, ok := p.(string); ok && strings.HasPrefix(text, "idle:") {
		loom.Failf(string(model.CountsMatchSleepers), "the tracker panicked: %s", text)
	} else if p != nil {
		panic(p)
	}
}

// finish checks the counts of a crew at rest.
func (c *crew) finish(do func(thread int, op model.Op) model.Result) {
	sleepers := c.tracker.Sleepers()
	search, up := c.tracker.Counts()
	c.once(sleepers)
	if up != c.s.Workers-len(sleepers) || search > up {
		loom.Failf(string(model.CountsMatchSleepers), "%d workers, sleepers %v, but %d are counted unparked and %d searching",
			c.s.Workers, sleepers, up, search)
	}
	do(0, model.Op{Kind: model.End})
}
