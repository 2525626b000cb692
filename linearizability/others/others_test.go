package others_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	wqueue "github.com/Workiva/go-datastructures/queue"
	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	"github.com/puzpuzpuz/xsync/v4"
	"github.com/sourcegraph/conc/pool"

	"github.com/filch-sched/filch/linearizability/court"
)

var duration = flag.Duration("filch.for", 2*time.Second, "how long each is audited")

// subjects are the adapters.
var subjects = map[string]court.Subject{
	// TryEnqueue and TryDequeue give up when the slot that they come to is not
	// ready, since another operation is half done.
	"xsync MPMCQueue": court.Queue(func() court.QueueOps {
		q := xsync.NewMPMCQueue[int](16)
		return court.QueueOps{Put: q.TryEnqueue, Take: q.TryDequeue, Capacity: 16, MayRefuse: true, MayMiss: true}
	}),
	"xsync SPSCQueue": court.Queue(func() court.QueueOps {
		q := xsync.NewSPSCQueue[int](16)
		return court.QueueOps{Put: q.TryEnqueue, Take: q.TryDequeue, Capacity: 16, Putters: 1, Takers: 1}
	}),
	"xsync UMPSCQueue": court.Queue(func() court.QueueOps {
		q := xsync.NewUMPSCQueue[int]()
		// Dequeue waits for a value: a token says that one is there or on its way.
		coming := make(chan struct{}, 1<<12)
		return court.QueueOps{Takers: 1,
			Put: func(v int) bool { coming <- struct{}{}; q.Enqueue(v); return true },
			Take: func() (int, bool) {
				select {
				case <-coming:
					return q.Dequeue(), true
				default:
					return 0, false
				}
			}}
	}),
	// Offer says that the buffer is full when a slot is not ready; Poll has no
	// variant that does not wait.
	"Workiva RingBuffer": court.Queue(func() court.QueueOps {
		q := wqueue.NewRingBuffer(16)
		return court.QueueOps{Capacity: 16, MayRefuse: true, MayMiss: true,
			Put: func(v int) bool { ok, err := q.Offer(v); return ok && err == nil },
			Take: func() (int, bool) {
				v, err := q.Poll(time.Nanosecond)
				if err != nil {
					return 0, false
				}
				return v.(int), true
			}}
	}),
	"ants Pool": court.Pool(func() court.PoolOps {
		p, err := ants.NewPool(4)
		if err != nil {
			panic(err)
		}
		return court.PoolOps{Submit: func(task func()) bool { return p.Submit(task) == nil },
			Close: func() {
				if err := p.ReleaseTimeout(10 * time.Second); err != nil {
					panic(err)
				}
			}}
	}),
	"pond Pool": court.Pool(func() court.PoolOps {
		p := pond.NewPool(4)
		return court.PoolOps{Late: true, Nested: true, Submit: func(task func()) bool { return p.Go(task) == nil }, Close: p.StopAndWait}
	}),
	"conc Pool": court.Pool(func() court.PoolOps {
		p := pool.New().WithMaxGoroutines(4)
		return court.PoolOps{Submit: func(task func()) bool { p.Go(task); return true }, Close: p.Wait}
	}),
	// Submit after StopWait panics, also from a task.
	"workerpool": court.Pool(func() court.PoolOps {
		p := workerpool.New(4)
		return court.PoolOps{Submit: func(task func()) bool { p.Submit(task); return true }, Close: p.StopWait}
	}),
}

func TestOtherPeoplesCode(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("one processor: every audit is inconclusive")
	}
	for name, s := range subjects {
		t.Run(name, func(t *testing.T) { court.Test(t, s, court.Options{Duration: *duration}) })
	}
}
