//go:build loom

package loom_test

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/stretchr/testify/require"
)

// counted is a word that somebody counts to far in an endless loop: states from there
// on are beyond what walks at random come to.
type counted struct {
	n, w, x, y, z atomic.Int32
	c             cell.Cell[int]
}

const far = 70

// on counts on, and reports whether it has come to the end.
func (s *counted) on() bool {
	n := s.n.Load()
	if n < far {
		s.n.Store(n + 1)
	}
	return n == far
}

func (s *counted) loop() {
	for {
		if v := s.w.Load(); s.w.CompareAndSwap(v, v) {
			return
		}
	}
}

// other remembers what it has loaded, and is no loop that forgets.
func (s *counted) other() {
	a := s.w.Load()
	b := s.w.Load()
	if s.w.CompareAndSwap(2, 3); a != b {
		s.z.Store(1)
	}
}

// unheard are bodies with a state that a search can miss without a sound.
var unheard = map[string]func(d *loom.Driver, s *counted){
	// The first step of one is from where the other begins.
	"interchangeable threads that begin at different keys": func(d *loom.Driver, s *counted) {
		loom.Go(func() {
			for {
				if loom.Boundary(7); s.on() {
					s.x.CompareAndSwap(0, 1)
				}
			}
		})
		var all []*loom.Thread
		for i := range 2 {
			all = append(all, loom.Go(func() {
				for k := i; ; {
					loom.Boundary(uint64(k))
					if k == 0 && s.x.CompareAndSwap(1, 2) {
						k = 1
					} else if k == 1 {
						if ok := s.x.CompareAndSwap(2, 3); loom.Choose(2) == 0 && ok {
							s.z.Store(1)
							k = 0
						}
					}
				}
			}))
		}
		d.Symmetric(all...)
	},
	// The step in which the cell is seen to be touched is no other boundary.
	"a thread started after a cell and a boundary": func(_ *loom.Driver, s *counted) {
		loom.Go(func() {
			for {
				loom.Boundary(0)
				if !s.on() {
					continue
				}
				s.c.Store(1)
				loom.Boundary(1)
				loom.Go(func() { s.z.Store(1) })
				return
			}
		})
	},
	// All ends are one state, and one of them is wrong.
	"the end": func(_ *loom.Driver, s *counted) {
		loom.Go(func() {
			if loom.Boundary(0); loom.Choose(2) == 0 {
				s.x.Store(1)
			} else {
				s.z.Add(-1)
			}
		})
		loom.Go(func() {
			loom.Boundary(0)
			s.z.Add(2)
		})
	},
	// Which function loads is a matter of memory that is no word.
	"a loop that forgets, entered by plain memory": func(d *loom.Driver, s *counted) {
		flag := new(int)
		t := loom.Go(func() {
			for {
				if loom.Boundary(0); !s.on() {
					continue
				}
				loom.Boundary(1)
				if *flag = 1 - *flag; *flag == 1 {
					s.loop()
				} else {
					s.other()
				}
			}
		})
		d.Own(t, "flag", flag)
		loom.Go(func() {
			for {
				loom.Boundary(2)
				if s.n.Load() == far {
					s.w.Store(1 - s.w.Load())
				}
			}
		})
	},
}

// TestNoStateIsMissedUnheard: z comes to 1, in a state that is far from the first or
// the last, whoever searches; and the schedule leads there again.
func TestNoStateIsMissedUnheard(t *testing.T) {
	for name, body := range unheard {
		for i, opts := range [][]loom.Option{nil, {loom.Workers(3)}, {loom.CellSteps()}, {loom.Exact()}} {
			_, err := loom.Graph(func() {
				s := &counted{}
				d := loom.Drive()
				d.Root("s", s)
				d.Always("Z", func() string {
					if s.z.Load() == 1 {
						return "z is 1"
					}
					return ""
				})
				body(d, s)
			}, append(opts, loom.RetryAt("counted.loop", "CompareAndSwap"))...)
			var v *loom.Violation
			require.ErrorAs(t, err, &v, "%s, options %d", name, i)
			require.Equal(t, "Z", v.Claim, name)
			require.NotEmpty(t, v.Token, name)
		}
	}
}

// TestEndAfterCellsIsNoStepOfItsOwn: where accesses to cells are steps, the end of a
// thread depends on none that it has made before its boundary.
func TestEndAfterCellsIsNoStepOfItsOwn(t *testing.T) {
	for _, opts := range [][]loom.Option{nil, {loom.CellSteps()}, {loom.Exact()}} {
		_, err := loom.Graph(func() {
			s := &counted{}
			loom.Drive().Root("s", s)
			loom.Go(func() {
				for {
					loom.Boundary(0)
					s.x.Store(1 - s.x.Load())
				}
			})
			loom.Go(func() {
				for {
					if loom.Boundary(0); s.x.Load() == 1 {
						s.c.Load()
					}
					if loom.Boundary(1); loom.Choose(2) == 0 {
						return
					}
					s.y.Load()
				}
			})
		}, opts...)
		require.NoError(t, err)
	}
}
