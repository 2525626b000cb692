package sched

import (
	"math"

	"github.com/filch-sched/filch/loom/time"
)

// How often a busy worker looks at inject first. The constants are Tokio's
// (stats.rs).
const (
	minInterval  = 2
	maxInterval  = 127
	seedInterval = 61
	target       = 200e3 // nanoseconds between two looks
	alpha        = 0.1   // weight of the newest task in the mean
	adopt        = 2     // a change of at most this much is ignored
)

// tuner counts tasks down to the next look at inject, and unless the interval
// was given, fits it to the length of the tasks: an exponentially weighted mean
// over each stretch of work between two looks or parks.
type tuner struct {
	interval int
	left     int
	fixed    bool
	mean     float64 // nanoseconds per task
	since    time.Time
	tasks    int // what left was then
}

func newTuner(interval int) tuner {
	if interval > 0 {
		return tuner{interval: interval, left: interval, fixed: true}
	}
	return tuner{
		interval: seedInterval, left: seedInterval, tasks: seedInterval,
		mean: target / seedInterval, since: time.Now(),
	}
}

func (u *tuner) count()    { u.left-- }
func (u *tuner) due() bool { return u.left <= 0 }

// begin starts a stretch of work; end ends it and moves the mean.
func (u *tuner) begin() {
	if !u.fixed {
		u.since = time.Now()
		u.tasks = u.left
	}
}

func (u *tuner) end() {
	k := u.tasks - u.left
	if u.fixed || k <= 0 {
		return
	}
	u.mean = blend(u.mean, float64(time.Since(u.since))/float64(k), k)
}

// blend moves the mean by k tasks that took each nanoseconds on average.
func blend(mean, each float64, k int) float64 {
	weight := 1 - math.Pow(1-alpha, float64(k))
	return weight*each + (1-weight)*mean
}

// reset begins the next countdown.
func (u *tuner) reset() {
	if !u.fixed {
		next := maxInterval
		if u.mean > 0 {
			next = int(min(max(target/u.mean, minInterval), maxInterval))
		}
		if d := next - u.interval; d > adopt || d < -adopt {
			u.interval = next
		}
	}
	u.left = u.interval
}

// tick is what a busy worker does now and then.
func (w *worker) tick() {
	w.interval.end()
	w.interval.reset()
	w.interval.begin()
	w.publish()
}

// rest and wake enclose the time that a worker sleeps.
func (w *worker) rest() {
	w.interval.end()
	w.counts.Parks++
	w.publish()
}

func (w *worker) wake() { w.interval.begin() }
