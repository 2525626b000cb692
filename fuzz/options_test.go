package fuzz_test

import (
	"fmt"
	"log"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
	"github.com/filch-sched/filch/sched"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// numbers draws a setting: around the limits most often, and anything.
func numbers(limits ...int) *rapid.Generator[int] {
	var near []int
	for _, l := range append(limits, 0, math.MaxInt, math.MinInt) {
		near = append(near, l, l-1, l+1, 2*l)
	}
	return rapid.OneOf(rapid.SampledFrom(near), rapid.Int(), rapid.IntRange(-300, 300))
}

// capacities draws a capacity, in or out of range.
var capacities = rapid.OneOf(numbers(queue.MinCapacity, 1<<15, queue.MaxCapacity), rapid.SampledFrom([]int{2, 4, 8, 256, 1 << 16}))

func goodCapacity(n int) bool {
	return n >= queue.MinCapacity && n <= queue.MaxCapacity && bits.OnesCount(uint(n)) == 1
}

// requireSaid checks that an error names the setting and its value.
func requireSaid(t *rapid.T, err error, good bool, setting string, value int) {
	if good {
		require.NoError(t, err)
		return
	}
	require.Error(t, err, "%s %d is taken", setting, value)
	require.Contains(t, err.Error(), setting)
	require.Contains(t, err.Error(), fmt.Sprint(value))
}

// settings gives every setting of production any value: what is out of range is
// refused, by an error that names it, and nothing has been started then.
func settings(t *rapid.T) {
	switch rapid.IntRange(0, 4).Draw(t, "of") {
	case 0:
		capacity, start := capacities.Draw(t, "capacity"), rapid.Uint32().Draw(t, "start")
		r, err := queue.NewRing[int](capacity, queue.StartAt(start))
		requireSaid(t, err, goodCapacity(capacity), "queue: capacity", capacity)
		if err != nil {
			require.Nil(t, r)
			return
		}
		require.Equal(t, capacity, r.Cap())
		require.Equal(t, [3]int{0, capacity, 0}, [3]int{r.Len(), r.Free(), r.Stealer().Len()})
		rest := make([]int, capacity+1)
		require.Panics(t, func() { r.PushBatch(rest) }, "more than there is room for")
		require.Zero(t, r.Len(), "a refused batch has left something behind")
		require.Panics(t, func() { r.Stealer().StealInto(r) }, "a ring steals from itself")
		for _, n := range []int{2, 4} {
			other, err := queue.NewRing[int](n)
			require.NoError(t, err)
			if n != capacity {
				require.Panics(t, func() { r.Stealer().StealInto(other) }, "from a ring of another capacity")
			}
		}
		var q queue.Inject[int]
		require.Panics(t, func() { q.PopN(nil) }, "no room for what is popped")
	case 1:
		n := numbers(1, idle.MaxWorkers).Filter(func(n int) bool { return n < 1<<20 }).Draw(t, "workers")
		tr, err := idle.New(n, func(int) {})
		requireSaid(t, err, n >= 1 && n <= idle.MaxWorkers, "idle: ", n)
		if err == nil {
			strangers(t, tr, n)
		}
		_, err = idle.New(1, nil)
		require.Error(t, err, "no function to wake with")
	case 2:
		schedules(t)
	case 3:
		s, err := sched.New(sched.Workers(1), nil)
		require.Nil(t, s)
		require.EqualError(t, err, "sched: option 1 of New is nil")
		_, err = sched.New(sched.OnPanic(nil))
		require.ErrorContains(t, err, "sched: OnPanic(nil)")
		defaults(t)
	case 4:
		names(t)
	}
}

// defaults are the settings of a scheduler that is given none: a panic goes to the
// log of package log.
func defaults(t *rapid.T) {
	var text strings.Builder
	defer log.SetOutput(log.Writer())
	log.SetOutput(&text)
	s, err := sched.New()
	require.NoError(t, err)
	require.Positive(t, s.Workers())
	require.NoError(t, s.Go(func(sched.Ctx) { panic("unheard") }))
	require.NoError(t, s.Close())
	require.Contains(t, text.String(), "sched: task panicked: unheard\ngoroutine ", "%s violated", model.PanicContained)
}

// strangers are workers that a Tracker does not have.
func strangers(t *rapid.T, tr *idle.Tracker, n int) {
	stranger := rapid.SampledFrom([]int{-1, n, n + 1, math.MinInt, math.MaxInt}).Draw(t, "stranger")
	for what, f := range map[string]func(){
		"Park":       func() { tr.Park(stranger, false, func() bool { return true }) },
		"Resume":     func() { tr.Resume(stranger) },
		"WakeWorker": func() { tr.WakeWorker(stranger, idle.Call) },
		"no reason":  func() { tr.WakeAll(idle.Shutdown + 1) },
	} {
		require.Panics(t, f, what)
	}
	search, up := tr.Counts()
	require.Equal(t, [2]int{0, n}, [2]int{search, up}, "a refused call has changed the counts")
}

// schedules gives the settings of a scheduler any value.
func schedules(t *rapid.T) {
	for setting, c := range map[string]struct {
		value  int
		good   func(int) bool
		option func(int) sched.Option
	}{
		"Workers": {numbers(1, sched.MaxWorkers).Draw(t, "workers"),
			func(n int) bool { return n >= 1 && n <= sched.MaxWorkers }, sched.Workers},
		"RingCapacity": {capacities.Draw(t, "capacity"), goodCapacity, sched.RingCapacity},
		"GlobalInterval": {numbers(1, 127).Draw(t, "interval"),
			func(n int) bool { return n >= 1 && n <= 127 }, sched.GlobalInterval},
	} {
		good := c.good(c.value)
		if good && setting == "Workers" && c.value > 8 {
			continue // so many would take long to start
		}
		s, err := sched.New(sched.Workers(1), c.option(c.value))
		requireSaid(t, err, good, fmt.Sprintf("sched: %s(%d)", setting, c.value), c.value)
		if err != nil {
			require.Nil(t, s)
			continue
		}
		require.NoError(t, s.Close())
	}
}

// names are those of answers and reasons: each its own, and something for what is
// none of them.
func names(t *rapid.T) {
	var all []string
	for _, o := range []queue.Outcome{queue.Stole, queue.Empty, queue.Busy, queue.NoRoom} {
		all = append(all, o.String())
	}
	for r := idle.Publish; r <= idle.Shutdown; r++ {
		all = append(all, r.String())
	}
	slices.Sort(all)
	require.Equal(t, all, slices.Compact(slices.Clone(all)), "two have one name")
	n := rapid.Uint8Range(100, 255).Draw(t, "none")
	require.True(t, strings.HasSuffix(queue.Outcome(n).String(), fmt.Sprintf("(%d)", n)))
	require.True(t, strings.HasSuffix(idle.Reason(n).String(), fmt.Sprintf("(%d)", n)))
}

func TestSettingsAreCheckedByValue(t *testing.T) {
	effort(t, 100, 1)
	rapid.Check(t, settings)
}

// FuzzOptions is TestSettingsAreCheckedByValue with the fuzzer's choices.
func FuzzOptions(f *testing.F) { fuzzed(f, settings) }

// FuzzTracker is TestTracker with the fuzzer's choices.
func FuzzTracker(f *testing.F) { fuzzed(f, tracked) }
