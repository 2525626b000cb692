package linearizability_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

var (
	seedFlag   = flag.Uint64("filch.seed", 0, "seed of the random histories; 0 takes the time")
	agreeCount = flag.Int("filch.agree", agreeDefault, "how many random histories of each kind the judges are compared on")
)

// randomSource prints the seed that repeats the test.
func randomSource(t *testing.T) *rand.Rand {
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("replay: go test ./linearizability -run '^%s$' -filch.seed=%d", t.Name(), seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// spoil changes a right history a little, so that it often becomes wrong.
func spoil(rng *rand.Rand, h *linearizability.History) {
	ops := h.Ops
	i := rng.IntN(len(ops))
	o := &ops[i]
	switch rng.IntN(6) {
	case 0: // as if they had taken less time
		for j := range ops {
			if rng.IntN(2) == 0 {
				ops[j].Return = ops[j].Call
			}
		}
	case 1:
		o.N += 1 - 2*rng.IntN(2)
	case 2:
		o.Outcome = []model.Outcome{model.Busy, model.Empty, model.NoRoom, model.Kept, model.TimedOut, model.Token, model.Closed}[rng.IntN(7)]
		o.Tasks = nil
	case 3:
		for j := range ops { // two takes the other way round
			if j != i && len(ops[j].Tasks) == 1 && len(o.Tasks) == 1 {
				o.Tasks, ops[j].Tasks = ops[j].Tasks, o.Tasks
				return
			}
		}
	case 4:
		if len(o.Tasks) > 0 {
			o.Tasks = slices.Clone(o.Tasks)
			o.Tasks[rng.IntN(len(o.Tasks))] = model.Task(1 + rng.IntN(6))
		}
	case 5: // as if it had not been
		h.Ops = slices.Delete(slices.Clone(ops), i, i+1)
	}
}

// Judge, porcupine under the law of package model, and that package's own
// checker are three independent deciders.
func TestJudgesAgree(t *testing.T) {
	for name, make := range map[string]func(*rand.Rand) *linearizability.History{
		"ring": ringHistory, "inject": injectHistory, "bounded": boundedHistory, "park": parkHistory, "sched": taskHistory, "deque": dequeHistory,
	} {
		t.Run(name, func(t *testing.T) {
			requireAgreement(t, make, func(h *linearizability.History, lawful bool) {
				if h.Target != model.Sched { // where model.Check lets a run begin within its interval
					require.Equal(t, lawful, model.Check(specOf(h), h.Ops) == nil, "porcupine and model.Check\n%s", h.Ops.Format(nil))
				}
			})
		})
	}
}

// requireAgreement makes random histories, right ones and spoiled ones, and requires
// that Judge and porcupine agree on each, that a third decider agrees with them, and
// that what is wrong can be shrunk.
func requireAgreement(t *testing.T, make func(*rand.Rand) *linearizability.History, third func(h *linearizability.History, lawful bool)) {
	rng := randomSource(t)
	var right, wrong int
	for right+wrong < *agreeCount {
		h := make(rng)
		for range rng.IntN(5) {
			if len(h.Ops) > 0 {
				spoil(rng, h)
			}
		}
		v, err := linearizability.Judge(h)
		if err != nil {
			continue // spoiled into something that is no history
		}
		lawful, err := linearizability.Porcupine(h, time.Minute)
		require.NoError(t, err)
		require.Equal(t, lawful, v == nil, "porcupine says lawful: %v, the judge: %v\n%s", lawful, v, h.Ops.Format(nil))
		third(h, lawful)
		if lawful {
			right++
			continue
		}
		wrong++
		requireShrinks(t, h, v)
	}
	t.Logf("%d right, %d wrong", right, wrong)
	require.Greater(t, right, *agreeCount/4)
	require.Greater(t, wrong, *agreeCount/10)
}

// requireShrinks requires that what Shrink and a file make of a wrong history
// is as wrong.
func requireShrinks(t *testing.T, h *linearizability.History, v *linearizability.Violation) {
	cut, w := linearizability.Shrink(h, v)
	require.Equal(t, v.Claim, w.Claim)
	require.LessOrEqual(t, len(cut.Ops), len(h.Ops)+cut.Setup)
	var file bytes.Buffer
	require.NoError(t, linearizability.Write(&file, cut))
	again, err := linearizability.Read(&file)
	require.NoError(t, err)
	u, err := linearizability.Judge(again)
	require.NoError(t, err)
	require.NotNil(t, u)
	require.Equal(t, v.Claim, u.Claim)
	require.Equal(t, w.Ops, u.Ops)
	lawful, err := linearizability.Porcupine(cut, time.Minute)
	require.NoError(t, err)
	require.False(t, lawful, "porcupine finds nothing wrong with the part of\n%s\nthat is\n%s", h.Ops.Format(nil), cut.Ops.Format(nil))
}

func specOf(h *linearizability.History) model.Spec {
	switch h.Target {
	case model.Ring:
		return model.Queues(h.Threads, h.Capacity)
	case model.Inject:
		if h.Capacity > 0 {
			return model.Bounded(h.Capacity)
		}
		return model.Queues(0, 0)
	}
	if h.Target == model.Deque {
		return model.DequeOf(h.Capacity)
	}
	return model.Parkers(h.Threads)
}
