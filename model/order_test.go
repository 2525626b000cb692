package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// pushedInPairs is a history of two threads whose pushes overlap pair by pair,
// and of pops that show for every pair which of the two took effect first.
func pushedInPairs(pairs int, first func(pair int) int) []act {
	var acts []act
	at := int64(0)
	for i := range pairs {
		a, b := model.Task(2*i+1), model.Task(2*i+2)
		acts = append(acts, act{at, at + 2, 0, inPush(a), kept}, act{at + 1, at + 3, 1, inPush(b), kept})
		at += 4
	}
	for i := range pairs {
		f := first(i)
		for k := range 2 {
			v := model.Task(2*i + 1 + (f+k)%2)
			acts = append(acts, act{at, at + 1, 2, just(model.InjectPop), took(v)})
			at += 2
		}
	}
	return acts
}

// TestManyOverlappingPushesAreJudgedAtOnce: with the orders of 40 pairs guessed
// one after the other, a search takes 2^40 steps.
func TestManyOverlappingPushesAreJudgedAtOnce(t *testing.T) {
	const pairs = 40
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	h := history(pushedInPairs(pairs, func(int) int { return r.IntN(2) }))
	begin := time.Now()
	require.Nil(t, model.Check(model.Queues(0, 0), h), "seed %d", seed)
	require.Less(t, time.Since(begin), 10*time.Second)
}

// TestOrderGivenByTheLawDecidesNothing compares, on small histories at random,
// lawful ones and others, the verdict with the one of a law that does not say
// which push came first.
func TestOrderGivenByTheLawDecidesNothing(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	lawful := 0
	for range 3000 {
		h := atRandom(r)
		sp := model.Queues(2, 2)
		want := model.Check(bare{sp}, h) == nil
		require.Equal(t, want, model.Check(sp, h) == nil, "seed %d\n%s", seed, h.Format(nil))
		if want {
			lawful++
		}
	}
	require.Greater(t, lawful, 300)
	require.Less(t, lawful, 2900)
}

// bare hides all of a law but the relation.
type bare struct{ model.Spec }

// atRandom runs pushes, batches, overflows and pops of three threads through a
// queue, stretches their intervals, and sometimes swaps two results.
func atRandom(r *rand.Rand) model.History {
	var h model.History
	var queue []model.Task
	next := model.Task(0)
	fresh := func(n int) (vs []model.Task) {
		for range n {
			next++
			vs = append(vs, next)
		}
		return vs
	}
	ends := map[int]int64{} // by thread
	for at := int64(10); at < 100; at += 10 {
		o := model.Operation{Thread: r.IntN(3)}
		switch r.IntN(5) {
		case 0, 1:
			o.Op, o.Result = inPush(fresh(1)[0]), kept
			queue = append(queue, o.Args...)
		case 2:
			o.Op, o.Result = inBatch(fresh(1+r.IntN(2))...), kept
			queue = append(queue, o.Args...)
		default:
			n := min(1+r.IntN(2), len(queue))
			o.Op, o.Result = popn(2), none
			if n == 1 && len(queue) > 1 {
				o.Op = just(model.InjectPop)
			}
			if n > 0 {
				o.Result = took(queue[:n]...)
				queue = queue[n:]
			}
		}
		o.Call, o.Return = max(ends[o.Thread]+1, at-int64(r.IntN(25))), at+int64(r.IntN(5))
		ends[o.Thread] = o.Return
		h = append(h, o)
	}
	for range r.IntN(20) { // perhaps unlawful
		i, j := r.IntN(len(h)), r.IntN(len(h))
		if len(h[i].Tasks) == len(h[j].Tasks) && h[i].Kind == h[j].Kind {
			h[i].Tasks, h[j].Tasks = h[j].Tasks, h[i].Tasks
		}
	}
	if err := h.Validate(); err != nil {
		panic(fmt.Sprint(err))
	}
	return h
}
