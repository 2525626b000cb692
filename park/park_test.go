package park_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/park"
)

// takes reports how many tokens p holds, by taking them.
func takes(p *park.Parker) (n int) {
	for p.ParkTimeout(0) {
		n++
	}
	return n
}

// TokenSingle
func TestTokenSingle(t *testing.T) {
	p := park.New()
	require.Zero(t, takes(p))
	p.Unpark()
	p.Unpark()
	p.Unpark()
	require.Equal(t, 1, takes(p))
	p.Unpark()
	p.Park()
	require.Zero(t, takes(p))
}

func TestTimeoutWithoutAToken(t *testing.T) {
	p := park.New()
	for range 3 {
		began := time.Now()
		require.False(t, p.ParkTimeout(2*time.Millisecond))
		require.GreaterOrEqual(t, time.Since(began), 2*time.Millisecond)
	}
	require.False(t, p.ParkTimeout(-1))
	p.Unpark()
	require.True(t, p.ParkTimeout(time.Hour))
	go p.Unpark()
	require.True(t, p.ParkTimeout(time.Hour))
	require.Zero(t, takes(p))
}

// ShutdownWakes
func TestShutdownWakes(t *testing.T) {
	p := park.New()
	done := make(chan struct{})
	go func() {
		p.Park()
		p.Park()
		p.ParkTimeout(time.Hour)
		close(done)
	}()
	p.Close()
	<-done
	p.Close()
	p.Park()
}

// TokenKept and UnparkPublishes: two goroutines take turns, and a token lost
// anywhere is a hang.
func TestTokenKeptAndUnparkPublishes(t *testing.T) {
	const rounds = 20_000
	a, b := park.New(), park.New()
	ball := 0 // plain memory: the race detector watches the hand-over
	var players sync.WaitGroup
	players.Go(func() {
		for range rounds {
			a.Park()
			ball++
			b.Unpark()
		}
	})
	for i := range rounds {
		a.Unpark()
		if i%3 == 0 {
			for !b.ParkTimeout(50 * time.Microsecond) {
			}
		} else {
			b.Park()
		}
		require.Equal(t, i+1, ball)
	}
	players.Wait()
}
