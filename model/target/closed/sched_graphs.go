package closed

// schedGraphs are those of package sched itself. Two workers are the fewest of which
// one can sleep beside a task; with all tasks there at the beginning a refill of two is
// near to it. One worker is enough for what is said of its own sources. The graph with
// tasks told apart is the first: one that never looks at inject has no end of states in
// the others.
func schedGraphs() []Closed {
	whole := func(s Sched, states, edges, depth int, when When) Closed {
		return Closed{"sched", s.String(), s.Body(), s.Options(), states, edges, depth, when}
	}
	refill := Sched{Workers: 2, Tasks: 2, Interval: 1, Begun: 2, Still: true}
	refills := refill
	refills.Endless = true
	return []Closed{
		whole(Sched{Workers: 1, Tasks: 3, Interval: 2, Told: true}, 22290, 47278, 175, Always),
		whole(refill, 1418, 2780, 75, Always),
		whole(refills, 1418, 2780, 75, Always),
		whole(Sched{Workers: 1, Tasks: 1, Interval: 1}, 1713, 3476, 129, Always),
		whole(Sched{Workers: 1, Tasks: 1, Interval: 1, Endless: true}, 1713, 3476, 129, Always),
		whole(Sched{Workers: 1, Tasks: 2, Interval: 1, Slots: true}, 12774, 26312, 152, Always),
		whole(Sched{Workers: 2, Tasks: 1, Interval: 1, Still: true}, 110873, 318664, 173, Quick),
		whole(Sched{Workers: 2, Tasks: 2, Interval: 1, Still: true}, 336335, 979382, 195, Quick),
		whole(Sched{Workers: 2, Tasks: 1, Interval: 1}, 1243430, 3670108, 270, Nightly),
	}
}
