//go:build loom

package graph_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/graph"
	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/internal/memory"
	"github.com/filch-sched/filch/queue"
)

func relative(s *graph.Search, r *queue.Ring[int], cap uint32) {
	head, _ := memory.Field(r, "head")
	clamp := func(i uint32) uint32 {
		d := int32(i - uint32(head.Load()>>32))
		return uint32(max(d, -3*int32(cap)))
	}
	s.Rewrite(r, "head", func(v uint64) uint64 { return uint64(clamp(uint32(v>>32)))<<32 | uint64(clamp(uint32(v))) })
	one := func(v uint64) uint64 { return uint64(clamp(uint32(v))) }
	s.Rewrite(r, "tail", one)
	s.Rewrite(r, "next", one)
	s.Rotate(r, "slots", func() int { return int(uint32(head.Load()>>32) % cap) })
}

type sink struct{ tagged *int }

func (s sink) Push(v int) bool {
	if v == 2 {
		*s.tagged++
	}
	return true
}
func (s sink) PushBatch(vs []int) bool {
	for _, v := range vs {
		s.Push(v)
	}
	return true
}

type form struct{ fresh, symmetric, ignore bool }

func ring(cap, thieves int, f form) func() {
	return func() {
		me := machine.Current()
		s := graph.Of(me)
		r, _ := queue.NewRing[int](cap)
		s.Share("ring", r)
		relative(s, r, uint32(cap))
		if f.fresh {
			s.Fresh(r, "head")
		}
		if f.ignore {
			s.Ignore(r, "batch")
		}
		ghost := new(struct{ pushed, taken int })
		s.Share("ghost", ghost)
		s.Always("NoDuplicateTask", func() string {
			if ghost.taken > ghost.pushed {
				return fmt.Sprint("taken ", ghost.taken)
			}
			return ""
		})
		take := func(v int) {
			if v == 2 {
				ghost.taken++
			}
		}
		me.Go(func() {
			me := machine.Current()
			for {
				me.Bound(0)
				n := 2
				if ghost.pushed == 0 {
					n = 3
				}
				switch me.Choose(n) {
				case 0:
					r.Push(1, sink{&ghost.taken})
				case 1:
					if v, ok := r.Pop(); ok {
						take(v)
					}
				case 2:
					ghost.pushed++
					r.Push(2, sink{&ghost.taken})
				}
				s.Complete()
			}
		})
		var all []int
		for range thieves {
			d, _ := queue.NewRing[int](cap)
			relative(s, d, uint32(cap))
			if f.ignore {
				s.Ignore(d, "batch")
			}
			t := me.Go(func() {
				me := machine.Current()
				for {
					me.Bound(0)
					v, n, out := r.Stealer().StealInto(d)
					if out == queue.Stole {
						take(v)
					}
					for range n - 1 {
						me.Bound(1)
						v, _ := d.Pop()
						take(v)
					}
					s.Complete()
				}
			})
			s.Own(t.ID(), "dst", d)
			all = append(all, t.ID())
		}
		if f.symmetric && thieves > 1 {
			s.Symmetric(all...)
		}
	}
}

func TestRing(t *testing.T) {
	for _, exact := range []bool{true, false} {
		for _, f := range []form{{}, {fresh: true}, {fresh: true, symmetric: true, ignore: true}} {
			for _, c := range []struct{ cap, thieves int }{{2, 1}, {4, 1}, {2, 2}} {
				if exact && (c.thieves > 1 || f.fresh) {
					continue
				}
				begin := time.Now()
				res := graph.Run(ring(c.cap, c.thieves, f), graph.Options{Cells: exact, MaxStates: 3000000, Deadline: time.Now().Add(60 * time.Second), Retries: []string{"queue.Ring.Pop", "Ring.pushFull", "Stealer.claim", "Ring.release"}})
				fmt.Println(c, exact, f, res.Closed, res.States, res.Edges, res.Depth, res.Executions, res.Steps, res.Failure, time.Since(begin), float64(res.Edges)/time.Since(begin).Minutes()/1e6, "M edges/min")
				require.NoError(t, res.Err)
			}
		}
	}
}
