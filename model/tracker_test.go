package model_test

import (
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// track is an operation of a tracker.
func track(thread int, call, ret int64, k model.Kind, n int) model.Operation {
	return model.Operation{Thread: thread, Op: model.Op{Kind: k}, Call: call, Return: ret,
		Result: model.Result{Outcome: model.Counted, N: n}}
}

// looked is o with the answer that it looked for work.
func looked(o model.Operation) model.Operation { o.Refused = true; return o }

// saw is o with what it saw.
func saw(o model.Operation, ns ...model.Task) model.Operation { o.Tasks = ns; return o }

// TestTrackersAreHeldToTheirLaw gives the answers of trackers, right and wrong: of
// those that are refused, the claim that they break.
func TestTrackersAreHeldToTheirLaw(t *testing.T) {
	for name, c := range map[string]struct {
		workers, asleep int
		h               model.History
		claim           model.Claim // "" if it is lawful
	}{
		"a wake takes the newest": {3, 2, model.History{track(2, 1, 1, model.Wake, 2)}, ""},
		"a wake takes the oldest": {3, 2, model.History{track(2, 1, 1, model.Wake, 1)}, model.CountsMatchSleepers},
		"lazy: nobody is woken":   {3, 2, model.History{track(2, 1, 1, model.Wake, 0)}, model.NoLostWakeup},
		"nobody sleeps":           {2, 0, model.History{track(0, 1, 1, model.Wake, 0)}, ""},
		"somebody searches": {3, 2, model.History{
			track(2, 1, 1, model.TrySearch, 1), track(2, 2, 2, model.Wake, 0)}, ""},
		"a second wake in flight": {3, 2, model.History{
			track(2, 1, 1, model.Wake, 2), track(2, 2, 2, model.Wake, 1)}, model.OneWakeInFlight},
		"the second wake is refused": {3, 2, model.History{
			track(2, 1, 1, model.Wake, 2), track(2, 2, 2, model.Wake, 0)}, ""},
		"lazy: no search":  {2, 0, model.History{track(0, 1, 1, model.TrySearch, 0)}, model.CountsMatchSleepers},
		"one of two":       {2, 0, model.History{track(0, 1, 1, model.TrySearch, 1), track(1, 2, 2, model.TrySearch, 0)}, ""},
		"two of two":       {2, 0, model.History{track(0, 1, 1, model.TrySearch, 1), track(1, 2, 2, model.TrySearch, 1)}, model.SearchersBounded},
		"refused too late": {2, 0, model.History{track(0, 1, 1, model.TrySearch, 1), track(0, 2, 2, model.StopSearch, 0), track(1, 3, 3, model.TrySearch, 0)}, model.CountsMatchSleepers},
		"refused meanwhile": {2, 0, model.History{
			track(0, 1, 1, model.TrySearch, 1), track(0, 2, 5, model.StopSearch, 0), track(1, 3, 4, model.TrySearch, 0)}, ""},
		"a park that looks":         {2, 0, model.History{looked(track(0, 1, 1, model.SleepBusy, 1)), track(0, 2, 2, model.Resume, 2)}, ""},
		"a park that does not look": {2, 0, model.History{track(0, 1, 1, model.SleepBusy, 0)}, model.NoLostWakeup},
		"a look that wakes nobody":  {2, 0, model.History{looked(track(0, 1, 1, model.SleepBusy, 0))}, model.NoLostWakeup},
		"a look without need": {2, 0, model.History{
			track(0, 1, 1, model.TrySearch, 1), looked(track(1, 2, 2, model.Sleep, 0))}, model.NoLostWakeup},
		"the last searcher chains":    {2, 1, model.History{track(1, 1, 1, model.TrySearch, 1), track(1, 2, 2, model.StopSearch, 1)}, ""},
		"the last searcher is silent": {2, 1, model.History{track(1, 1, 1, model.TrySearch, 1), track(1, 2, 2, model.StopSearch, 0)}, model.NoLostWakeup},
		"resumed for no work":         {2, 1, model.History{track(1, 1, 1, model.WakeAll, 1), track(0, 2, 2, model.Resume, 1)}, ""},
		"resumed as if for work":      {2, 1, model.History{track(1, 1, 1, model.WakeAll, 1), track(0, 2, 2, model.Resume, 2)}, model.CountsMatchSleepers},
		"up without a wake":           {2, 1, model.History{track(0, 1, 1, model.Resume, 1)}, model.CountsMatchSleepers},
		"all but one are woken":       {3, 2, model.History{track(2, 1, 1, model.WakeAll, 1)}, model.CountsMatchSleepers},
		"counts in a sweep": {3, 2, model.History{
			track(2, 1, 4, model.WakeAll, 2), saw(track(1, 2, 3, model.Counts, 0), 0, 2)}, ""},
		"counts after it": {3, 2, model.History{
			track(2, 1, 1, model.WakeAll, 2), saw(track(2, 2, 2, model.Counts, 0), 0, 2)}, model.CountsMatchSleepers},
		"the list in a sweep": {3, 2, model.History{
			track(2, 1, 4, model.WakeAll, 2), saw(track(1, 2, 3, model.Sleepers, 0), 2)}, model.CountsMatchSleepers},
		"the list": {3, 2, model.History{saw(track(2, 1, 1, model.Sleepers, 0), 1, 2)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := model.Check(model.Trackers(c.workers, c.asleep), c.h)
			if c.claim == "" {
				require.Nil(t, v)
				return
			}
			require.NotNil(t, v, "%v is taken for lawful", c.h)
			require.Contains(t, v.Claims, c.claim)
		})
	}
}
