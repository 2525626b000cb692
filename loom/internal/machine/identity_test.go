package machine

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// asElsewhere runs f as on an architecture that package gid does not know.
func asElsewhere(f func()) {
	defer func(k bool) { known = k }(known)
	known = false
	f()
}

// TestIdentity: a thread is known on its own goroutine, and other goroutines that
// run at the same time are not taken for it, on every architecture.
func TestIdentity(t *testing.T) {
	for name, where := range map[string]func(func()){"here": func(f func()) { f() }, "elsewhere": asElsewhere} {
		t.Run(name, func(t *testing.T) {
			where(func() { testIdentity(t) })
		})
	}
}

func testIdentity(t *testing.T) {
	stop := make(chan bool)
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			var own Ref
			for {
				select {
				case <-stop:
					return
				default:
					if Current() != nil {
						t.Error("a goroutine is taken for a thread")
						return
					}
					Outside(&own, Int)
				}
			}
		})
	}
	var word Ref
	m := New(first{})
	for range 200 {
		m.Run(func() {
			me := Current()
			require.Equal(t, 0, me.ID())
			for i := range 3 {
				me.Go(func() {
					require.Equal(t, i+1, Current().ID())
					Current().LoadWord(&word, Int)
					require.Equal(t, i+1, Current().ID(), "after others have run")
					deep(20)
				})
			}
			me.LoadWord(&word, Int)
			require.Same(t, me, Current())
		})
		require.NoError(t, m.Err)
		require.True(t, m.Done)
		require.Nil(t, Current())
	}
	m.Close()
	close(stop)
	others.Wait()
}

// deep grows the stack, which moves it.
func deep(n int) int {
	var pad [1024]byte
	if n == 0 {
		return Current().ID()
	}
	return deep(n-1) + int(pad[n])
}

// TestIntruderIsNoticed in either order, on every architecture.
func TestIntruderIsNoticed(t *testing.T) {
	for name, where := range map[string]func(func()){"here": func(f func()) { f() }, "elsewhere": asElsewhere} {
		t.Run(name, func(t *testing.T) {
			where(func() {
				for _, early := range []bool{false, true} {
					var word Ref
					m := New(first{})
					m.Run(func() {
						if !early {
							Current().LoadWord(&word, Int)
						}
						done := make(chan bool)
						go func() { Outside(&word, Int); close(done) }()
						<-done
						Current().LoadWord(&word, Int)
					})
					require.ErrorContains(t, m.Err, "a goroutine that is no thread of it", "early: %v", early)
					m.Run(func() { Current().LoadWord(&word, Int) })
					require.NoError(t, m.Err, "the next execution is another")
					m.Close()
				}
			})
		})
	}
}

// BenchmarkIdentity is what every operation of the shim pays while an exploration
// runs.
func BenchmarkIdentity(b *testing.B) {
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			identity()
		}
	})
	b.Run("elsewhere", func(b *testing.B) {
		asElsewhere(func() {
			for b.Loop() {
				identity()
			}
		})
	})
	b.Run("no exploration", func(b *testing.B) {
		for b.Loop() {
			Current()
		}
	})
}
