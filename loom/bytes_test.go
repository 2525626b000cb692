//go:build loom

package loom_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// TestBytesReachEveryTrace: every trace that a search of all finds is that of some
// data, of few bytes.
func TestBytesReachEveryTrace(t *testing.T) {
	seen := map[[3]int32]bool{}
	var last [3]int32
	body := func() {
		var x, y atomic.Int32
		got := [3]int32{}
		a := loom.Go(func() { x.Store(1); got[0] = y.Load(); x.Store(2) })
		b := loom.Go(func() { y.Store(1); got[1] = x.Load(); y.Store(2) })
		got[2] = x.Load() + 3*y.Load()
		a.Join()
		b.Join()
		last = got
		seen[got] = true
	}
	_, err := loom.Explore(body)
	require.NoError(t, err)
	all := len(seen)
	require.Greater(t, all, 20)
	clear(seen)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		data := make([]byte, rng.IntN(12))
		for i := range data {
			data[i] = byte(rng.IntN(16))
		}
		r, err := loom.Explore(body, loom.Bytes(data))
		require.NoError(t, err)
		require.Equal(t, 1, r.Executions)
		require.Equal(t, 1, r.Traces)
		require.False(t, r.Exhausted)
		first := last
		_, err = loom.Explore(body, loom.Bytes(data))
		require.NoError(t, err)
		require.Equal(t, first, last, "the same data do something else")
	}
	require.Len(t, seen, all)
}

func TestBytesOfAViolationAreReportedAsAToken(t *testing.T) {
	data := []byte{1 + 4*4, 0, 4 * 8, 4 * 9, 4 * 3}
	var v *loom.Violation
	rng := rand.New(rand.NewPCG(1, 2))
	for v == nil {
		for i := range data {
			data[i] = byte(rng.IntN(256))
		}
		_, err := loom.Explore(rare, loom.Bytes(data))
		errors.As(err, &v)
	}
	require.Equal(t, "Rare", v.Claim)
	require.Equal(t, "b3c6a", v.Token[strings.Index(v.Token, ".")+1:], "as short as that of a search")
	var again *loom.Violation
	_, err := loom.Explore(rare, loom.Replay(v.Token))
	require.ErrorAs(t, err, &again)
	require.Equal(t, v.Schedule, again.Schedule)
}

// TestAsFoundIsTheScheduleThatWasGiven: it is not made shorter, and its token runs it again.
func TestAsFoundIsTheScheduleThatWasGiven(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		data := make([]byte, 8)
		for i := range data {
			data[i] = byte(rng.IntN(256))
		}
		var short, found, again *loom.Violation
		if _, err := loom.Explore(rare, loom.Bytes(data)); !errors.As(err, &short) {
			continue
		}
		_, err := loom.Explore(rare, loom.Bytes(data), loom.AsFound())
		require.ErrorAs(t, err, &found)
		require.Equal(t, short.Claim, found.Claim)
		_, err = loom.Explore(rare, loom.Replay(found.Token))
		require.ErrorAs(t, err, &again)
		require.Equal(t, found.Schedule, again.Schedule)
		if len(found.Token) > len(short.Token) {
			return
		}
	}
	require.Fail(t, "every violation was found by the shortest schedule, with the option and without")
}

// TestDataOfAViolationRunItAgain, whatever it was found by, and are few.
func TestDataOfAViolationRunItAgain(t *testing.T) {
	bodies := map[string]func(){"rare": rare, "deadlock": func() {
		var m, n sync.Mutex
		a := loom.Go(func() { m.Lock(); n.Lock(); n.Unlock(); m.Unlock() })
		n.Lock()
		m.Lock()
		m.Unlock()
		n.Unlock()
		a.Join()
	}, "choice": func() {
		var x atomic.Int32
		a := loom.Go(func() { x.Store(int32(loom.Choose(5))) })
		b := loom.Go(func() { x.Add(int32(loom.Choose(3))) })
		if n := x.Load(); n == 6 && loom.Choose(4) == 1 {
			loom.Failf("Chosen", "%d", n)
		}
		a.Join()
		b.Join()
	}}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			requireData := func(opts ...loom.Option) *loom.Violation {
				var v, again *loom.Violation
				if _, err := loom.Explore(body, opts...); !errors.As(err, &v) {
					return nil
				}
				_, err := loom.Explore(body, loom.Bytes(v.Data), loom.AsFound())
				require.ErrorAs(t, err, &again)
				require.Equal(t, v.Schedule, again.Schedule)
				require.Equal(t, v.Data, again.Data)
				return v
			}
			least := requireData()
			require.NotNil(t, least, "a search finds nothing")
			require.LessOrEqual(t, len(least.Data), 6)
			found := 0
			rng := rand.New(rand.NewPCG(1, 3))
			for n := 0; found < 10; n++ {
				require.Less(t, n, 1_000_000)
				data := make([]byte, rng.IntN(12))
				for i := range data {
					data[i] = byte(rng.IntN(256)) >> rng.IntN(4)
				}
				if v := requireData(loom.Bytes(data), loom.AsFound()); v != nil {
					require.LessOrEqual(t, len(v.Data), len(data))
					found++
				}
			}
		})
	}
}

// TestNoBytesAreNoPreemption: a thread goes on for as long as it can.
func TestNoBytesAreNoPreemption(t *testing.T) {
	var order []string
	body := func() {
		order = nil
		var x atomic.Int32
		run := func(name string) func() {
			return func() {
				for range 3 {
					x.Add(1)
					order = append(order, name)
				}
			}
		}
		a, b := loom.Go(run("a")), loom.Go(run("b"))
		run("main")()
		a.Join()
		b.Join()
	}
	trace := func(data ...byte) string {
		_, err := loom.Explore(body, loom.Bytes(data))
		require.NoError(t, err)
		return strings.Join(order, " ")
	}
	require.Equal(t, "main main main a a a b b b", trace())
	require.Equal(t, "main a a a b b b main main", trace(1*4))
	require.Equal(t, "main b b b main main a a a", trace(1*4+1))
	require.Equal(t, "main a a a b b main main b", trace(1*4, 2*4, 1*4))
}

func TestBytesChoose(t *testing.T) {
	var got []int
	body := func() { got = []int{loom.Choose(3), loom.Choose(5), loom.Choose(2)} }
	for _, c := range []struct {
		data []byte
		want []int
	}{{nil, []int{0, 0, 0}}, {[]byte{4, 9}, []int{1, 4, 0}}, {[]byte{2, 0, 255}, []int{2, 0, 1}}} {
		_, err := loom.Explore(body, loom.Bytes(c.data))
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}

func TestBytesFindADeadlock(t *testing.T) {
	r, err := loom.Explore(func() {
		var m, n sync.Mutex
		a := loom.Go(func() { m.Lock(); n.Lock(); n.Unlock(); m.Unlock() })
		n.Lock()
		m.Lock()
		m.Unlock()
		n.Unlock()
		a.Join()
	}, loom.Bytes([]byte{4}), loom.Deadlock("Ends"))
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
	require.Equal(t, "Ends", v.Claim)
	require.Equal(t, 1, r.Deadlocks)
}

// TestBytesAreFairInTheEnd: who waits in a loop without Yield does not wait for ever.
func TestBytesAreFairInTheEnd(t *testing.T) {
	for _, data := range [][]byte{nil, {0}, {255, 255}} {
		r, err := loom.Explore(func() {
			var flag atomic.Bool
			loom.Go(func() { flag.Store(true) })
			for !flag.Load() {
			}
		}, loom.Bytes(data))
		require.NoError(t, err)
		require.Less(t, r.Steps, 2000)
	}
}

// BenchmarkBytes is the cost of one execution of 36 traces' body.
func BenchmarkBytes(b *testing.B) {
	body := func() { adds(3, 2) }
	data := []byte{9, 17, 33}
	for b.Loop() {
		if _, err := loom.Explore(body, loom.Bytes(data)); err != nil {
			b.Fatal(err)
		}
	}
}
