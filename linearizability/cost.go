package linearizability

import (
	"runtime"
	"sync"
	"time"

	"github.com/filch-sched/filch/model"
)

// Cost is what it takes to record one operation, and what one time.Now takes, in
// nanoseconds, with so many threads doing the same at the same time.
type Cost struct {
	Threads int     `json:"threads"`
	Record  float64 `json:"record_ns"`
	Now     float64 `json:"time_now_ns"`
}

// The rounds in which a cost is measured, and how many operations each has.
const (
	costRounds = 7
	costOps    = 20_000
)

// RecorderCost measures the cost of recording with two threads, or one if there is
// but one processor. The two are measured in turn, so that both meet what else the
// machine is doing, and the best round of each counts. It takes some 20
// milliseconds.
func RecorderCost() Cost {
	c := Cost{Threads: min(2, runtime.GOMAXPROCS(0))}
	clock := new(Clock)
	logs := make([]*Log, c.Threads)
	for t := range logs {
		logs[t] = NewLog(clock, t, 1000)
	}
	record := func(t int) {
		log := logs[t]
		for range costOps {
			if log.Room() == 0 {
				log.Reset()
			}
			log.Begin(model.Op{Kind: model.Pop})
			log.End(model.Result{Outcome: model.Empty})
		}
	}
	last := make([]time.Time, 16*c.Threads) // apart
	now := func(t int) {
		for range costOps {
			last[16*t] = time.Now()
		}
	}
	for round := range costRounds {
		r, n := timed(c.Threads, record), timed(c.Threads, now)
		if round == 0 || r < c.Record {
			c.Record = r
		}
		if round == 0 || n < c.Now {
			c.Now = n
		}
	}
	return c
}

// timed returns for how many nanoseconds each of the threads was at one operation
// of f, on the average.
func timed(threads int, f func(t int)) float64 {
	var wg sync.WaitGroup
	begin := make(chan struct{})
	times := make([]time.Duration, threads)
	for t := range threads {
		wg.Go(func() {
			<-begin
			at := time.Now()
			f(t)
			times[t] = time.Since(at)
		})
	}
	close(begin)
	wg.Wait()
	var sum time.Duration
	for _, d := range times {
		sum += d
	}
	return float64(sum.Nanoseconds()) / float64(threads*costOps)
}
