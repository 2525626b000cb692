package explore

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/machine"
)

func TestTokenOfTheDocumentation(t *testing.T) {
	var s Schedule
	for _, id := range []int{0, 0, 0, 1, 1, 0, 2} {
		s.step(id)
	}
	s.choose(1, 1)
	s.choose(1, 0)
	require.Equal(t, "a3b2ac.b1.0", s.Token())
}

// TestTokenRoundTrip: a token gives back the schedule that it was made of.
func TestTokenRoundTrip(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		var s Schedule
		threads := 1 + r.IntN(machine.MaxThreads)
		for range r.IntN(30) {
			for id, n := r.IntN(threads), 1+r.IntN(12); n > 0; n-- {
				s.step(id)
			}
		}
		for range r.IntN(4) {
			s.choose(r.IntN(threads), r.IntN(100))
		}
		got, err := ParseToken(s.Token())
		require.NoError(t, err, "seed %d, token %s", seed, s.Token())
		require.Equal(t, s, got, "seed %d, token %s", seed, s.Token())
		require.Regexp(t, `^[a-zA-Z0-9_.]*$`, s.Token(), "needs no quotes")
	}
}

func TestBadTokens(t *testing.T) {
	for _, token := range []string{"?", "3", "a0", "a3-", "_", "_9", "_M", "a.", "a.3", "a.b", "a.b-1", "a.b1.", "a99999999"} {
		_, err := ParseToken(token)
		require.EqualError(t, err, `loom: "`+token+`" is not the token of a schedule`)
	}
}

// TestFingerprint: commuting steps may change places, others not.
func TestFingerprint(t *testing.T) {
	type step struct {
		thread int
		effect machine.Effect
	}
	read := func(thread int, object int32) step {
		return step{thread: thread, effect: machine.Effect{Object: object, Mode: machine.Read}}
	}
	write := func(thread int, object int32) step {
		return step{thread: thread, effect: machine.Effect{Object: object, Mode: machine.Write}}
	}
	print := func(steps []step, deadlocked bool) uint64 {
		tr := &trail{}
		for i := range tr.names {
			tr.names[i] = mix(uint64(i))
		}
		for _, s := range steps {
			tr.step(s.thread, s.effect, 0)
		}
		return tr.fingerprint(deadlocked)
	}
	same := func(a, b []step) bool { return print(a, false) == print(b, false) }
	require.True(t, same([]step{read(1, 0), read(2, 0)}, []step{read(2, 0), read(1, 0)}))
	require.True(t, same([]step{write(1, 0), write(2, 1)}, []step{write(2, 1), write(1, 0)}))
	require.False(t, same([]step{write(1, 0), read(2, 0)}, []step{read(2, 0), write(1, 0)}))
	require.False(t, same([]step{write(1, 0), write(2, 0)}, []step{write(2, 0), write(1, 0)}))
	require.False(t, same(nil, []step{read(0, 0)}), "no step is lost in the sum")
	require.NotEqual(t, print(nil, true), print(nil, false))
}
