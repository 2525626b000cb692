package explore

// stack estimates how many traces there are from how far the search is: what is
// below a decision that has been taken back is known, what is still to be run
// from a point is taken to be like what has been run from there (Kilby, Slaney,
// Thiébaux, Walsh, Estimating Search Tree Size, 2006). What no execution has yet
// shown to be missing does not count, so early in a search it is too low.
type stack struct {
	levels []level
	traces int // before the running execution
}

// level is a point of the path.
type level struct {
	begun int // how many traces there were when its present decision was taken
	done  int // decisions that have been taken back
	size  int // traces below them
}

// begin is called before each execution: the first kept points of the path are
// as they were, but for the decision of the last of them.
func (s *stack) begin(kept, traces int) {
	s.fill(kept)
	s.levels = s.levels[:kept]
	if kept > 0 {
		l := &s.levels[kept-1]
		l.done, l.size, l.begun = l.done+1, l.size+traces-l.begun, traces
	}
	s.traces = traces
}

// fill adds levels for the points that the last execution has added.
func (s *stack) fill(points int) {
	for len(s.levels) < points {
		s.levels = append(s.levels, level{begun: s.traces})
	}
}

// size returns the estimate: pending says how many other decisions wait at a
// point. traces is how many there are now, points the length of the path.
func (s *stack) size(traces, points int, pending func(i int) int) float64 {
	s.fill(points)
	below := float64(max(traces-s.traces, 1))
	for i := points - 1; i >= 0; i-- {
		l := &s.levels[i]
		below += float64(l.size)
		below += float64(pending(i)) * below / float64(l.done+1)
	}
	return below
}

// size estimates how many traces there are, 0 if it cannot.
func (p *path) size() float64 {
	o, ok := p.by.(*optimal)
	if !ok || p.opts.Shard.N > 0 {
		return 0
	}
	return p.stack.size(p.res.Traces, len(p.points), func(i int) (n int) {
		for b := p.points[i].tree; b != 0; b = o.forest.all[b].next {
			n++
		}
		return n
	})
}
