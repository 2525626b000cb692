package sched

import "context"

// Tour returns the order in which worker self of n tries its victims, by the
// random numbers of seed.
func Tour(seed uint64, self, n int) []int {
	r := newRandom(seed, self)
	t := newTour(&r, coprimes(n-1), n-1)
	order := make([]int, n-1)
	for i := range order {
		order[i] = other(t.next(), self)
	}
	return order
}

// Interval plays stretches of tasks, each of so many nanoseconds, to the
// self-tuning interval and returns the intervals that it chose.
func Interval(perTask []float64) []int {
	u := newTuner(0)
	var chosen []int
	for _, ns := range perTask {
		k := u.left
		u.left = 0
		u.tasks = k
		u.mean = blend(u.mean, ns, k)
		u.reset()
		chosen = append(chosen, u.interval)
	}
	return chosen
}

// Latch is a latch, to be explored.
type Latch struct{ l latch }

func (l *Latch) Open()       { l.l.open() }
func (l *Latch) Wait() error { return l.l.wait(context.Background()) }

// Still is a scheduler whose workers have no goroutine: the caller plays them.
type Still struct{ s *Scheduler }

// NewStill returns a scheduler of n workers that have not been started.
func NewStill(n int) (Still, error) {
	o := defaults()
	o.workers, o.interval = n, 61
	s, err := build(o)
	return Still{s}, err
}

// Push is the first half of a spawn from outside: nobody has been woken yet.
func (x Still) Push(f func(Ctx)) { x.s.inject.Push(&task{body: Func(f)}) }

// Submit spawns f from outside, Sleep lets worker i go to sleep, Next lets it
// take a task from its own places or from inject, and Spawn queue one.
func (x Still) Submit(f func(Ctx)) error { return x.s.GoTask(Func(f)) }
func (x Still) Sleep(i int)              { x.s.idle.Park(i, false, x.s.pending) }
func (x Still) Next(i int) bool          { return x.s.workers[i].next() != nil }
func (x Still) Spawn(i int, f func(Ctx)) { x.s.workers[i].spawn(&task{body: Func(f)}) }

// Awake says how many workers are not asleep.
func (x Still) Awake() int {
	_, up := x.s.idle.Counts()
	return up
}
