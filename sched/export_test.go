package sched

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
