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
	possible        int8 // how many parks may still be released, from the one that the owner is in on
	during          int8 // how many Unparks have not ended or have begun since that park has; -1 if there is none
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
		d, p := loom.Drive(), &parker{Parker: park.New(), timed: timed, during: -1}
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
		p.during = p.unparking()
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
		default:
			p.during = -1
			p.merge()
		}
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// unparking counts the Unparks that have not ended.
func (p *parker) unparking() (n int8) {
	for _, at := range p.at {
		if at {
			n++
		}
	}
	return n
}

// many is more tokens than a park can find and leave: its own, one that is left, and
// one of each Unpark that has not ended.
const many = int8(len(parker{}.at)) + 2

// took books that the owner has a token. Those who had left one before its park left
// one together, so what may be left is of the others.
func (p *parker) took() {
	if p.possible == 0 && !p.closing {
		loom.Failf("TokenSingle", "a park has taken a token, and no Unpark can have left it")
	}
	p.owed, p.anew, p.possible, p.during = false, [2]bool{}, max(0, min(p.possible-1, p.during)), -1
	p.merge()
}

// merge notes that without a park between them all Unparks that have ended leave one
// token. After a Close nothing is known of tokens.
func (p *parker) merge() {
	if p.during < 0 {
		p.possible = min(p.possible, 1+p.unparking())
	}
	if p.closing {
		p.possible, p.during = 0, -1
	}
}

// left books that an Unpark has begun.
func (p *parker) left() {
	p.possible = min(p.possible+1, many)
	if p.during >= 0 {
		p.during = min(p.during+1, many)
	}
	p.merge()
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
		p.at[i], p.anew[i] = true, true
		p.left()
		if choice == 1 {
			p.Unpark()
		} else {
			p.closing = true
			p.Close()
			p.closed = true
		}
		p.owed = p.owed || p.anew[i] && choice == 1
		p.at[i], p.anew[i] = false, false
		p.merge()
	}
}

// ParkerOptions are the loops of a parker whose failed rounds leave nothing behind:
// they wait for the compare-and-swap to succeed, and look at nothing but memory.
func ParkerOptions() []loom.Option {
	return []loom.Option{
		loom.RetryAt("Parker.Park", "CompareAndSwap"), loom.RetryAt("Parker.ParkTimeout", "CompareAndSwap"),
	}
}
