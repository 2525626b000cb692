//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/graph"
)

// marked is what a thread has for itself, of which something does not change.
type marked struct {
	name string
	to   *atomic.Int32
	n    int32
}

// marking is two interchangeable threads with the memory that own gives them, each of
// which goes by what is in it.
func marking(own func(shared *[2]atomic.Int32) [2]*marked, also func(d *loom.Driver, own [2]*marked)) func() {
	return func() {
		d, shared := loom.Drive(), new([2]atomic.Int32)
		d.Root("shared", shared)
		hands := own(shared)
		also(d, hands)
		var all []*loom.Thread
		for _, h := range hands {
			t := forever(func() {
				h.n = (h.n + 1) % 2
				if h.name == "adds" {
					h.to.Store((h.to.Load() + 1) % 3)
				} else {
					h.to.Store(h.n)
				}
			})
			d.Own(t, "own", h)
			all = append(all, t)
		}
		d.Symmetric(all...)
	}
}

// TestThreadsWithUnlikeMemoryDoNotStandForOneAnother: steps are not known from another
// thread whose own memory has another string, leads elsewhere, or is reached from what
// all share and so has a name there.
func TestThreadsWithUnlikeMemoryDoNotStandForOneAnother(t *testing.T) {
	nothing := func(*loom.Driver, [2]*marked) {}
	for _, c := range []struct {
		name  string
		own   func(shared *[2]atomic.Int32) [2]*marked
		also  func(d *loom.Driver, own [2]*marked)
		known bool // steps are
	}{
		{"alike", func(shared *[2]atomic.Int32) [2]*marked {
			return [2]*marked{{"adds", &shared[0], 0}, {"adds", &shared[0], 0}}
		}, nothing, true},
		{"strings", func(shared *[2]atomic.Int32) [2]*marked {
			return [2]*marked{{"adds", &shared[0], 0}, {"puts", &shared[0], 0}}
		}, nothing, false},
		{"pointers", func(shared *[2]atomic.Int32) [2]*marked {
			return [2]*marked{{"adds", &shared[0], 0}, {"adds", &shared[1], 0}}
		}, nothing, false},
		{"names", func(shared *[2]atomic.Int32) [2]*marked {
			return [2]*marked{{"adds", &shared[0], 0}, {"adds", &shared[0], 0}}
		}, func(d *loom.Driver, own [2]*marked) { d.Root("all", &own) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := marking(c.own, c.also)
			want, _ := searched(t, body, graph.Options{Live: true, FullKeys: true})
			got, res := searched(t, body, graph.Options{FullKeys: true})
			require.Equal(t, want, got)
			require.Equal(t, c.known, res.Taken > 0, "%d edges", res.Edges)
		})
	}
}
