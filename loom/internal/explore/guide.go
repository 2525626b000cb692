package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// guide is a beginning of a path that the search does not decide itself: that of
// a share (shard.go), or the path at which an earlier run of the search was saved
// (checkpoint.go).
type guide struct {
	points []guided
	// floor is how many points of the path are fixed: the search never changes
	// their decisions.
	floor int
	// asleep are the threads that sleep after the fixed points.
	asleep uint64
}

// guided is a decision of a guide.
type guided struct {
	thread, n, value int
	asleep           uint64
	tree, then       int32 // of the forest
	tried            []uint64
	code             machine.Code // None: whichever it is
	object           int32
}

// steer fills in a new point of the path, at which a step is taken, as the guide
// says; ok is false if the guide has ended.
func (p *path) steer(pt *point) (ok bool) {
	i := len(p.points) - 1
	if i >= len(p.guide.points) {
		return false
	}
	g := &p.guide.points[i]
	if g.n != 0 || pt.enabled&(1<<g.thread) == 0 || g.code != machine.None &&
		(p.m.Thread(g.thread).Pending().Code != g.code || p.m.Thread(g.thread).Pending().Object() != g.object) {
		p.strayed(i)
		return true
	}
	pt.thread = g.thread
	pt.follow(g)
	return true
}

// steerChoice is steer for a choice.
func (p *path) steerChoice(pt *point) (ok bool) {
	i := len(p.points) - 1
	if i >= len(p.guide.points) {
		return false
	}
	g := &p.guide.points[i]
	if g.n != pt.n || g.thread != pt.thread {
		p.strayed(i)
		return true
	}
	pt.value = g.value
	pt.follow(g)
	return true
}

func (pt *point) follow(g *guided) {
	pt.asleep, pt.tree, pt.then = g.asleep, g.tree, g.then
	pt.tried = append(pt.tried[:0], g.tried...)
}

// strayed ends the search because the body does not follow the guide.
func (p *path) strayed(i int) {
	if p.err == nil {
		p.err = notResumed("decision %d of a saved search does not fit the body: it is of another body, or the body is not deterministic", i+1)
	}
}
