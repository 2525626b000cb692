package fuzz

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/filch-sched/filch/loom"
)

// longerVariable of the environment says how long each input, and each program that was
// saved, is run again and again where threads are goroutines.
const longerVariable = "FUZZ_FOR"

// longer returns the time that the environment asks for, 0 if it asks for none.
func longer() (time.Duration, error) {
	word := os.Getenv(longerVariable)
	if word == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("fuzz: %s=%s is no time: want one such as 30s", longerVariable, word)
	}
	return d, nil
}

// slice is how long one call of a runner may take, which has to end if a run does not.
const slice = time.Second

// repeated runs a program on goroutines again and again, for so long, until it fails so
// that wanted takes the error; or does not come to its end. It returns how often it ran.
func repeated(run runner, schedule []byte, limit time.Duration, wanted func(error) *Failure) (runs int, f *Failure) {
	for until := time.Now().Add(limit); ; {
		rest := time.Until(until)
		if rest <= 0 {
			return runs, nil
		}
		r, err := run(schedule, loom.Stress(1<<30), loom.Deadline(min(rest, slice)))
		runs += r.Executions
		if f := wanted(err); f != nil {
			return runs, f
		}
		if f := failureIn(err); f != nil && f.Endless {
			return runs, nil
		}
	}
}

// line is where the threads of a run on goroutines wait for each other before they
// begin: a goroutine takes longer to start than most programs take to run, so that
// without it they would hardly ever meet. How they go on differs from run to run.
type line struct {
	late   atomic.Int32
	unrest int
}

// newLine returns a line for n threads. It is nil under the tag loom, where the order of
// steps is not left to chance.
func newLine(n int) *line {
	if loom.Enabled {
		return nil
	}
	l := &line{unrest: rand.IntN(unrests)}
	l.late.Store(int32(n))
	return l
}

// How the threads of a run dawdle: not at all, at the start, a little before each
// operation, by giving the processor away, or by sleeping.
const (
	_ = iota
	skewed
	restless
	yielding
	sleeping
	unrests
)

// cross waits until all threads are here.
func (l *line) cross() {
	if l == nil {
		return
	}
	l.late.Add(-1)
	for n := 1; l.late.Load() > 0; n++ {
		if n%spins == 0 {
			runtime.Gosched()
		}
	}
	if l.unrest == skewed {
		spin()
	}
}

// dally is before each operation.
func (l *line) dally() {
	if l == nil {
		return
	}
	switch chance := rand.IntN(32); {
	case l.unrest == restless:
		spin()
	case l.unrest == yielding && chance < 8:
		runtime.Gosched()
	case l.unrest == sleeping && chance == 0:
		time.Sleep(time.Duration(rand.IntN(20_000)))
	}
}

// spins is how often a thread spins at a stretch, some hundred nanoseconds.
const spins = 128

// spin takes a moment.
func spin() {
	for range rand.IntN(spins) {
		rand.Uint32()
	}
}
