package target

import (
	"fmt"
	"sync"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom/gid"
	"github.com/filch-sched/filch/model"
)

// trackers is one tracker, whose workers are the threads of the scenario. What a
// worker may not do as it stands is not done.
type trackers struct {
	tracker *idle.Tracker
	stand   []stand // by worker, its own
	// mu is held for no step of the exploration. woken is whom the operation under
	// way on a goroutine has woken.
	mu    sync.Mutex
	woken map[uintptr][]int
}

// stand is what a worker knows of itself.
type stand struct{ asleep, counted bool }

func newTrackers(s model.Scenario) *trackers {
	if !gid.Known {
		panic(fmt.Sprintf("target: scenario %q: on this architecture nobody can tell who has woken whom", s.Name))
	}
	t := &trackers{stand: make([]stand, s.Workers), woken: map[uintptr][]int{}}
	var err error
	if t.tracker, err = idle.New(s.Workers, t.wakes); err != nil {
		panic(fmt.Sprintf("target: scenario %q: %v", s.Name, err))
	}
	for w := range s.Asleep {
		t.tracker.Park(w, false, func() bool { return false })
		t.stand[w].asleep = true
	}
	return t
}

func (t *trackers) wakes(worker int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := gid.Get()
	t.woken[g] = append(t.woken[g], worker)
}

// heard returns whom the calling goroutine has woken since it asked last.
func (t *trackers) heard() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := gid.Get()
	w := t.woken[g]
	delete(t.woken, g)
	return w
}

// one is the worker that was woken, from 1 on, 0 if there was none.
func one(workers []int) int {
	if len(workers) == 0 {
		return 0
	}
	return workers[len(workers)-1] + 1
}

func (t *trackers) do(thread int, op model.Op, _ int64) model.Result {
	defer trip()
	me := &t.stand[thread]
	r := model.Result{Outcome: model.Counted}
	switch op.Kind {
	case model.Wake:
		t.tracker.Wake(idle.Publish)
		r.N = one(t.heard())
	case model.WakeWorker:
		r.N = truth(t.tracker.WakeWorker(op.On, idle.Call))
		t.heard()
	case model.WakeAll:
		r.N = t.tracker.WakeAll(idle.Call)
		t.heard()
	case model.Counts:
		search, up := t.tracker.Counts()
		r.Tasks = []model.Task{model.Task(search), model.Task(up)}
	case model.Sleepers:
		for _, w := range t.tracker.Sleepers() {
			r.Tasks = append(r.Tasks, model.Task(w+1))
		}
	default:
		return t.own(thread, me, op)
	}
	return r
}

// own is an operation that is a worker's own.
func (t *trackers) own(thread int, me *stand, op model.Op) model.Result {
	may := map[model.Kind]bool{
		model.TrySearch:  !me.asleep && !me.counted,
		model.StopSearch: !me.asleep && me.counted,
		model.Sleep:      !me.asleep,
		model.SleepBusy:  !me.asleep,
		model.Resume:     me.asleep,
	}
	allowed, known := may[op.Kind]
	if !known {
		panic(fmt.Sprintf("target: %v on a tracker", op))
	}
	if !allowed {
		return model.Result{Outcome: model.Skipped}
	}
	r := model.Result{Outcome: model.Counted}
	switch op.Kind {
	case model.TrySearch:
		me.counted = t.tracker.TrySearch()
		r.N = truth(me.counted)
	case model.StopSearch:
		me.counted = false
		t.tracker.StopSearch()
		r.N = one(t.heard())
	case model.Sleep, model.SleepBusy:
		t.tracker.Park(thread, me.counted, func() bool { r.Refused = true; return op.Kind == model.SleepBusy })
		me.asleep, me.counted = true, false
		r.N = one(t.heard())
	case model.Resume:
		up, counted := t.tracker.Resume(thread)
		me.asleep, me.counted = !up, counted
		r.N = truth(up) + truth(counted)
	}
	return r
}

// finish looks once more at all that is to be seen.
func (t *trackers) finish(do func(thread int, op model.Op) model.Result) {
	do(0, model.Op{Kind: model.Counts})
	do(0, model.Op{Kind: model.Sleepers})
}
