//go:build loom

package loom_test

import (
	"testing"

	"github.com/filch-sched/filch/loom"
)

// BenchmarkExecutions reports how many executions a second the search makes.
func BenchmarkExecutions(b *testing.B) {
	for name, body := range map[string]func(){
		"lastzero(7)": func() { lastzero(7) },
		"adds(4,3)":   func() { adds(4, 3) },
		"lockinc(5)":  func() { lockinc(5, 2) },
		"readers(8)":  func() { readers(8) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			executions, steps := 0, 0
			for b.Loop() {
				r, err := loom.Explore(body)
				if err != nil {
					b.Fatal(err)
				}
				executions += r.Executions
				steps += r.Steps
			}
			b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
