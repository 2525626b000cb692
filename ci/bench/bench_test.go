package main

import "testing"

// TestEveryWorkloadRuns keeps the table from rotting between the nights.
func TestEveryWorkloadRuns(t *testing.T) {
	for _, g := range all() {
		for _, w := range g.workloads {
			if ns := measure(w, 1000); ns <= 0 {
				t.Errorf("%s, %s: %v ns", g.title, w.name, ns)
			}
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 9, 2}, 3}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}
