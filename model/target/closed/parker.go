package closed

import (
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/park"
)

// parker is a parker under check, and what the driver knows of its token.
type parker struct {
	*park.Parker
	timed int // timed parks to come

	at   [2]bool // by thread, whether it is in an Unpark or Close
	anew [2]bool // and whether that has begun since the last token was taken

	owed            bool // an Unpark (no Close) has begun and ended since the last token was taken
	possible        bool // one has not ended or has begun since the park that took it began
	during          bool // the same, of the park that the owner is in
	closing, closed bool // a Close has begun, has ended
}

// Parker is the most general client of a parker: its owner parks, with a timeout or
// without, and two threads unpark it, or close it if they may. There are timed
// parks with a timeout: each makes a timer, a thread of its own that may be late
// without end, so without a bound on them there is none on the states. All else
// happens any number of times.
//
// The numbers of timed parks, and which timer is whose, are told apart as they are.
func Parker(timed int, closes bool) func() {
	return func() {
		d, p := loom.Drive(), &parker{Parker: park.New(), timed: timed}
		d.Root("parker", p.Parker)
		d.Guards(p.Parker, "mu", "parker")
		for _, l := range []any{&p.timed, &p.at, &p.anew, &p.owed, &p.possible, &p.during, &p.closing, &p.closed} {
			d.Root("ledger", l)
		}
		owner := loom.Go(p.own)
		for i := range p.at {
			loom.Go(func() { p.unpark(i, closes) })
		}
		held := d.Held(p.Parker, "mu")
		d.NotForever("TokenKept", func() bool { return p.owed && d.Waits(owner) })
		d.NotForever("ShutdownWakes", func() bool { return p.closed && d.Waits(owner) })
		d.Always("TokenKept", func() string {
			if p.owed && d.Waits(owner) && p.at == [2]bool{} && !held() {
				return "an Unpark has come and gone since the last token was taken, and the owner sleeps"
			}
			return ""
		})
	}
}

// own is the owner. While it parks it remembers whether a token was there before.
func (p *parker) own() {
	for {
		loom.Boundary(0)
		owed := p.owed
		p.during = p.at != [2]bool{}
		if p.timed == 0 || loom.Choose(2) == 0 {
			p.Park()
			p.took()
			continue
		}
		p.timed--
		loom.Boundary(2 + truth(owed))
		switch {
		case p.ParkTimeout(1):
			p.took()
		case owed && !p.closing:
			loom.Failf("TokenKept", "a park with a timeout has found no token where one was")
		}
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// took books that the owner has a token.
func (p *parker) took() {
	if !p.possible && !p.closing {
		loom.Failf("TokenSingle", "a park has taken a token, and no Unpark can have left it")
	}
	p.owed, p.anew, p.possible = false, [2]bool{}, p.during
}

// unpark is one of those that wake the owner.
func (p *parker) unpark(i int, closes bool) {
	for {
		loom.Boundary(0)
		choices := 2
		if closes {
			choices = 3
		}
		choice := loom.Choose(choices)
		if choice == 0 {
			continue // nothing, so that a run without an end need not have more
		}
		p.at[i], p.anew[i], p.possible, p.during = true, true, true, true
		if choice == 1 {
			p.Unpark()
		} else {
			p.closing = true
			p.Close()
			p.closed = true
		}
		p.owed = p.owed || p.anew[i] && choice == 1
		p.at[i], p.anew[i] = false, false
	}
}

// ParkerOptions are the loops of a parker whose failed rounds leave nothing behind:
// they wait for the compare-and-swap to succeed, and look at nothing but memory.
func ParkerOptions() []loom.Option {
	return []loom.Option{
		loom.RetryAt("Parker.Park", "CompareAndSwap"), loom.RetryAt("Parker.ParkTimeout", "CompareAndSwap"),
	}
}
