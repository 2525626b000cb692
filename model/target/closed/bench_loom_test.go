//go:build loom

package closed_test

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// BenchmarkRing reports how many edges a minute Graph follows.
func BenchmarkRing(b *testing.B) {
	edges := 0
	for b.Loop() {
		r, err := loom.Graph(closed.Ring(4, 1, 0), closed.RingOptions()...)
		if err != nil {
			b.Fatal(err)
		}
		edges += r.Edges
	}
	b.ReportMetric(float64(edges)/b.Elapsed().Minutes(), "edges/min")
}
