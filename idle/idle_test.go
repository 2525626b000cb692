package idle_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/idle"
)

// tracker returns a Tracker and the list of workers that it unparks.
func tracker(t *testing.T, n int) (*idle.Tracker, *[]int) {
	woken := new([]int)
	k, err := idle.New(n, func(w int) { *woken = append(*woken, w) })
	require.NoError(t, err)
	return k, woken
}

func never() bool { return false }

func counts(t *testing.T, k *idle.Tracker, searching, up int) {
	t.Helper()
	s, u := k.Counts()
	require.Equal(t, []int{searching, up}, []int{s, u}, "searching, unparked")
}

// SearchersBounded
func TestSearchersBounded(t *testing.T) {
	for n, bound := range map[int]int{1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 64: 32, idle.MaxWorkers: (idle.MaxWorkers + 1) / 2} {
		k, _ := tracker(t, n)
		for range bound {
			require.True(t, k.TrySearch(), "%d workers", n)
		}
		require.False(t, k.TrySearch(), "%d workers", n)
		k.StopSearch()
		require.True(t, k.TrySearch())
		counts(t, k, bound, n)
	}
}

func TestWakeCountsTheChosenBeforeItIsWoken(t *testing.T) {
	var k *idle.Tracker
	k, err := idle.New(3, func(int) { counts(t, k, 1, 2) })
	require.NoError(t, err)
	k.Park(0, false, never)
	k.Park(1, false, never)
	w, woke := k.Wake(idle.Publish)
	require.True(t, woke)
	require.Equal(t, 1, w, "the newest sleeper")
}

// OneWakeInFlight
func TestOneWakeInFlight(t *testing.T) {
	k, woken := tracker(t, 4)
	for w := range 4 {
		k.Park(w, false, never)
	}
	k.Wake(idle.Publish)
	_, again := k.Wake(idle.Publish)
	require.False(t, again)
	require.Equal(t, []int{3}, *woken)
	up, counted := k.Resume(3)
	require.True(t, up)
	require.True(t, counted)
	k.StopSearch() // found work: the next one is woken
	require.Equal(t, []int{3, 2}, *woken)
	require.EqualValues(t, 1, k.Wakes(idle.Publish))
	require.EqualValues(t, 1, k.Wakes(idle.Chain))
	counts(t, k, 1, 2)
}

func TestNobodyIsWokenWhenAllAreUp(t *testing.T) {
	k, woken := tracker(t, 2)
	_, woke := k.Wake(idle.Publish)
	require.False(t, woke)
	require.Empty(t, *woken)
	counts(t, k, 0, 2)
}

// The final look is due whenever a park leaves searching at 0, whoever parks.
func TestParkLooksWheneverNobodySearches(t *testing.T) {
	for _, counted := range []bool{true, false} {
		k, woken := tracker(t, 2)
		if counted {
			require.True(t, k.TrySearch())
		}
		looks := 0
		k.Park(0, counted, func() bool { looks++; counts(t, k, 0, 1); return true })
		require.Equal(t, 1, looks, "counted: %v", counted)
		require.Equal(t, []int{0}, *woken, "there is work: the newest sleeper is the caller itself")
		up, searching := k.Resume(0)
		require.True(t, up)
		require.True(t, searching)
		require.EqualValues(t, 1, k.Wakes(idle.Look))
	}
	k, _ := tracker(t, 3)
	require.True(t, k.TrySearch()) // worker 2
	k.Park(0, false, func() bool { t.Error("looked, though somebody searches"); return false })
}

func TestSpuriousWakeIsNoWake(t *testing.T) {
	k, _ := tracker(t, 2)
	k.Park(0, false, never)
	up, _ := k.Resume(0)
	require.False(t, up)
	require.Equal(t, []int{0}, k.Sleepers())
	counts(t, k, 0, 1)
	require.True(t, k.WakeWorker(0, idle.Call), "CountsMatchSleepers: it still sleeps")
	counts(t, k, 0, 2)
}

// Misuse is refused before anything has changed, and leaves no lock behind.
func TestMisusePanicsAndChangesNothing(t *testing.T) {
	k, _ := tracker(t, 2)
	require.PanicsWithValue(t, "idle: Park of worker 5, there are 2", func() { k.Park(5, false, never) })
	require.PanicsWithValue(t, "idle: Resume of worker -1, there are 2", func() { k.Resume(-1) })
	require.PanicsWithValue(t, "idle: WakeWorker of worker -1, there are 2", func() { k.WakeWorker(-1, idle.Call) })
	k.Park(0, false, never)
	for _, wake := range []func(){
		func() { k.Wake(99) },
		func() { k.WakeAll(99) },
		func() { k.WakeWorker(0, 99) },
	} {
		require.PanicsWithValue(t, "idle: idle.Reason(99) is no reason", wake)
	}
	require.Equal(t, []int{0}, k.Sleepers())
	counts(t, k, 0, 1)
}

func TestCountsMatchSleepersThroughEveryWake(t *testing.T) {
	const n = 5
	k, woken := tracker(t, n)
	match := func() {
		t.Helper()
		_, up := k.Counts()
		require.Equal(t, n-len(k.Sleepers()), up, "CountsMatchSleepers")
	}
	for range 3 {
		for w := range n {
			k.Park(w, false, never)
			match()
		}
		require.True(t, k.WakeWorker(2, idle.Call))
		require.False(t, k.WakeWorker(2, idle.Call), "it is awake")
		match()
		require.Equal(t, []int{0, 1, 3, 4}, k.Sleepers())
		up, counted := k.Resume(2)
		require.True(t, up)
		require.False(t, counted, "not woken for work")
		require.Equal(t, n-1, k.WakeAll(idle.Shutdown))
		match()
		for _, w := range []int{0, 1, 3, 4} {
			up, counted := k.Resume(w)
			require.True(t, up)
			require.False(t, counted)
		}
		counts(t, k, 0, n)
	}
	require.Len(t, *woken, 3*n)
	require.Zero(t, k.WakeAll(idle.Shutdown))
}

func TestParkTwicePanicsAndChangesNothing(t *testing.T) {
	k, _ := tracker(t, 3)
	k.Park(1, false, never)
	require.PanicsWithValue(t, "idle: Park of worker 1, which is parked already",
		func() { k.Park(1, false, never) })
	require.Equal(t, []int{1}, k.Sleepers())
	counts(t, k, 0, 2)
}

func TestBadNumberOfWorkersIsAnError(t *testing.T) {
	for _, n := range []int{-1, 0, idle.MaxWorkers + 1} {
		_, err := idle.New(n, func(int) {})
		require.EqualError(t, err, fmt.Sprintf("idle: %d workers, want 1 to 65535", n))
	}
	_, err := idle.New(1, nil)
	require.EqualError(t, err, "idle: unpark is nil")
}

func TestReasonsHaveNames(t *testing.T) {
	require.Equal(t, "[publish chain look call shutdown idle.Reason(5)]", fmt.Sprint([]idle.Reason{
		idle.Publish, idle.Chain, idle.Look, idle.Call, idle.Shutdown, 5}))
}
