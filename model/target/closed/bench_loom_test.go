//go:build loom

package closed_test

import (
	"runtime"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// BenchmarkRing reports how many edges a minute Graph follows, of the ring that the
// quick run closes: of its first states, which are those of which least is known.
func BenchmarkRing(b *testing.B) {
	edges := 0
	for b.Loop() {
		r, err := loom.Graph(closed.Ring(4, 2, 0), append(closed.RingOptions(), loom.Workers(runtime.GOMAXPROCS(0)), loom.MaxStates(500_000))...)
		if err != nil {
			b.Fatal(err)
		}
		edges += r.Edges
	}
	b.ReportMetric(float64(edges)/b.Elapsed().Minutes(), "edges/min")
}
