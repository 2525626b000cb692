package closed

import (
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/park"
)

// lawfulParker is a parker whose histories are held against the law: thread 0 is its
// owner's.
type lawfulParker struct {
	*park.Parker
	*lawful
	timed int // timed parks to come
}

// LawfulParker is Parker with the law in the place of claims, if it may be closed: every
// history of parks that return, unparks and closes is one that package model allows. Of
// parks that do not return it says nothing.
func LawfulParker(timed int) func() {
	l := newLaw(model.Parkers(1), model.Answers{})
	return func() {
		d := loom.Drive()
		p := &lawfulParker{Parker: park.New(), lawful: l.begin(d), timed: timed}
		d.Root("parker", p.Parker)
		d.Guards(p.Parker, "mu", "parker")
		d.Root("timed", &p.timed)
		loom.Go(p.own)
		for i := range 2 {
			loom.Go(func() { p.unpark(1 + i) })
		}
	}
}

// own is the owner.
func (p *lawfulParker) own() {
	for {
		loom.Boundary(0)
		if loom.Choose(2) == 0 {
			op := model.Op{Kind: model.ParkToken}
			p.call(0, op)
			p.Park()
			p.returns(0, op, model.Result{Outcome: model.Done})
			continue
		}
		if p.timed == 0 {
			continue
		}
		p.timed--
		op := model.Op{Kind: model.ParkTimed}
		p.call(0, op)
		r := model.Result{Outcome: model.TimedOut}
		if p.ParkTimeout(1) {
			r.Outcome = model.Token
		}
		p.returns(0, op, r)
	}
}

// unpark is one of those that wake the owner.
func (p *lawfulParker) unpark(thread int) {
	for {
		loom.Boundary(0)
		op := model.Op{Kind: model.Unpark}
		wake := p.Unpark
		if loom.Choose(2) == 1 {
			op.Kind, wake = model.ClosePark, p.Close
		}
		p.call(thread, op)
		wake()
		p.returns(thread, op, model.Result{Outcome: model.Done})
	}
}
