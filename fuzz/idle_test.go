package fuzz_test

import (
	"slices"
	"testing"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// standing is what the model knows of a worker.
type standing int

const (
	working   standing = iota // awake, not counted as searching
	searching                 // awake and counted
	listed                    // parked
	chosen                    // woken for work: counted, not yet resumed
	excused                   // woken for another reason, not yet resumed
)

// crew is a Tracker and the model that it is held against: two numbers, a list,
// and what each worker is. Nothing is packed.
type crew struct {
	n          int
	tracker    *idle.Tracker
	search, up int
	sleepers   []int
	workers    []standing
	wakes      map[idle.Reason]uint64
	unparked   []int // by the Tracker, since last looked
}

func newCrew(t require.TestingT, n int) *crew {
	c := &crew{n: n, up: n, workers: make([]standing, n), wakes: map[idle.Reason]uint64{}}
	var err error
	c.tracker, err = idle.New(n, func(w int) { c.unparked = append(c.unparked, w) })
	require.NoError(t, err)
	return c
}

// bound is how many workers may search.
func (c *crew) bound() int { return (c.n + 1) / 2 }

// pick draws a worker for which is says yes, or skips the step.
func (c *crew) pick(t *rapid.T, is func(standing) bool) int {
	var all []int
	for w, s := range c.workers {
		if is(s) {
			all = append(all, w)
		}
	}
	if len(all) == 0 {
		t.Skip("no such worker")
	}
	return rapid.SampledFrom(all).Draw(t, "worker")
}

// wake is the model's Wake: the newest sleeper, unless somebody searches.
func (c *crew) wake(why idle.Reason) (woken []int) {
	if c.search > 0 || len(c.sleepers) == 0 {
		return nil
	}
	last := len(c.sleepers) - 1
	w := c.sleepers[last]
	c.sleepers = c.sleepers[:last]
	c.workers[w] = chosen
	c.search++
	c.up++
	c.wakes[why]++
	return []int{w}
}

// excuse is the model's wake of one worker for a reason other than work.
func (c *crew) excuse(w int, why idle.Reason) {
	i := slices.Index(c.sleepers, w)
	c.sleepers = slices.Delete(c.sleepers, i, i+1)
	c.workers[w] = excused
	c.up++
	c.wakes[why]++
}

// requireUnparked checks whom the Tracker has woken since the last look.
func (c *crew) requireUnparked(t *rapid.T, claim model.Claim, want []int, after string) {
	t.Helper()
	require.Equal(t, want, c.unparked, "%s violated: woken by %s", claim, after)
	c.unparked = nil
}

func (c *crew) TrySearch(t *rapid.T) {
	w := c.pick(t, func(s standing) bool { return s == working })
	may := c.search < c.bound()
	require.Equal(t, may, c.tracker.TrySearch(), "%s violated: TrySearch of worker %d with %d of %d searching",
		model.SearchersBounded, w, c.search, c.n)
	if may {
		c.workers[w] = searching
		c.search++
	}
}

func (c *crew) StopSearch(t *rapid.T) {
	w := c.pick(t, func(s standing) bool { return s == searching })
	c.workers[w] = working
	c.search--
	want := c.wake(idle.Chain)
	c.tracker.StopSearch()
	c.requireUnparked(t, model.WorkConserving, want, "StopSearch")
}

func (c *crew) Park(t *rapid.T) {
	w := c.pick(t, func(s standing) bool { return s == working || s == searching })
	work := rapid.Bool().Draw(t, "work")
	counted := c.workers[w] == searching
	if counted {
		c.search--
	}
	c.up--
	c.workers[w] = listed
	c.sleepers = append(c.sleepers, w)
	looks := 0
	if c.search == 0 {
		looks = 1
	}
	var want []int
	if c.search == 0 && work {
		want = c.wake(idle.Look)
	}
	looked := 0
	c.tracker.Park(w, counted, func() bool {
		looked++
		search, up := c.tracker.Counts()
		require.Zero(t, search, "%s violated: counted searching at the last look", model.NoLostWakeup)
		require.Less(t, up, c.n, "%s violated: the last look comes before the park is counted", model.NoLostWakeup)
		return work
	})
	require.Equal(t, looks, looked, "%s violated: last looks of a park that leaves %d searching", model.NoLostWakeup, c.search)
	c.requireUnparked(t, model.NoLostWakeup, want, "Park")
}

func (c *crew) ParkTwice(t *rapid.T) {
	w := c.pick(t, func(s standing) bool { return s > searching })
	require.Panics(t, func() { c.tracker.Park(w, false, func() bool { return true }) },
		"%s violated: worker %d parks twice", model.CountsMatchSleepers, w)
}

func (c *crew) Resume(t *rapid.T) {
	w := c.pick(t, func(s standing) bool { return s > searching })
	up, counted := c.tracker.Resume(w)
	s := c.workers[w]
	require.Equal(t, s != listed, up, "%s violated: worker %d resumes", model.CountsMatchSleepers, w)
	require.Equal(t, s == chosen, counted, "%s violated: worker %d is counted", model.OneWakeInFlight, w)
	switch s {
	case chosen:
		c.workers[w] = searching
	case excused:
		c.workers[w] = working
	}
}

func (c *crew) Wake(t *rapid.T) {
	want := c.wake(idle.Publish)
	w, woke := c.tracker.Wake(idle.Publish)
	c.requireUnparked(t, model.OneWakeInFlight, want, "Wake")
	require.Equal(t, want != nil, woke, "%s violated: Wake answers", model.OneWakeInFlight)
	if woke {
		require.Equal(t, want[0], w, "%s violated: Wake answers", model.OneWakeInFlight)
	}
}

func (c *crew) WakeWorker(t *rapid.T) {
	w := rapid.IntRange(0, c.n-1).Draw(t, "worker")
	slept := c.workers[w] == listed
	var want []int
	if slept {
		c.excuse(w, idle.Call)
		want = []int{w}
	}
	require.Equal(t, slept, c.tracker.WakeWorker(w, idle.Call), "%s violated: WakeWorker(%d) answers", model.CountsMatchSleepers, w)
	c.requireUnparked(t, model.CountsMatchSleepers, want, "WakeWorker")
}

func (c *crew) WakeAll(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "rarely") > 0 {
		t.Skip("not now")
	}
	want := slices.Clone(c.sleepers)
	for _, w := range want {
		c.excuse(w, idle.Shutdown)
	}
	require.Equal(t, len(want), c.tracker.WakeAll(idle.Shutdown), "%s violated: WakeAll answers", model.CountsMatchSleepers)
	if len(want) == 0 {
		want = nil
	}
	c.requireUnparked(t, model.CountsMatchSleepers, want, "WakeAll")
}

// Check is what holds between any two calls.
func (c *crew) Check(t *rapid.T) {
	search, up := c.tracker.Counts()
	require.Equal(t, c.search, search, "%s violated: counted searching", model.SearchersBounded)
	require.LessOrEqual(t, search, c.bound(), "%s violated: counted searching", model.SearchersBounded)
	require.Equal(t, c.up, up, "%s violated: counted unparked", model.CountsMatchSleepers)
	sleepers := c.tracker.Sleepers()
	require.Equal(t, c.n-len(sleepers), up, "%s violated: counted unparked, with %v asleep", model.CountsMatchSleepers, sleepers)
	require.Equal(t, append([]int(nil), c.sleepers...), sleepers, "%s violated: sleepers", model.CountsMatchSleepers)
	inFlight := 0
	for _, s := range c.workers {
		if s == chosen {
			inFlight++
		}
	}
	require.LessOrEqual(t, inFlight, 1, "%s violated: wakes in flight", model.OneWakeInFlight)
	for why := idle.Publish; why <= idle.Shutdown; why++ {
		require.Equal(t, c.wakes[why], c.tracker.Wakes(why), "wakes for %v", why)
	}
}

// TestTracker holds the packed word and the list of sleepers against a model
// that packs nothing.
func TestTracker(t *testing.T) {
	effort(t, 200, 100)
	rapid.Check(t, tracked)
}

func tracked(t *rapid.T) {
	n := rapid.SampledFrom([]int{1, 2, 3, 4, 5, 8, 33}).Draw(t, "workers")
	t.Repeat(patient(newCrew(t, n)))
}

// TestTrackerCountsUpToItsLimit fills both halves of the word: no carry or
// borrow goes from one to the other.
func TestTrackerCountsUpToItsLimit(t *testing.T) {
	const n = idle.MaxWorkers
	var woken int
	tracker, err := idle.New(n, func(int) { woken++ })
	require.NoError(t, err)
	requireCounts := func(wantSearch, wantUp int) {
		t.Helper()
		search, up := tracker.Counts()
		require.Equal(t, [2]int{wantSearch, wantUp}, [2]int{search, up},
			"%s or %s violated", model.CountsMatchSleepers, model.SearchersBounded)
	}
	bound := (n + 1) / 2
	for range bound {
		require.True(t, tracker.TrySearch())
	}
	require.False(t, tracker.TrySearch(), "%s violated", model.SearchersBounded)
	requireCounts(bound, n)
	nothing := func() bool { return false }
	for w := range n {
		tracker.Park(w, w < bound, nothing)
	}
	requireCounts(0, 0)
	w, woke := tracker.Wake(idle.Publish)
	require.True(t, woke)
	require.Equal(t, n-1, w)
	requireCounts(1, 1)
	require.Equal(t, n-1, tracker.WakeAll(idle.Shutdown))
	require.Equal(t, n, woken)
	requireCounts(1, n)
}
