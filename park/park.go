package park

import (
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// The states of a parker.
const (
	empty    uint32 = iota // no token, the owner is awake
	parked                 // no token, the owner waits or is about to
	notified               // a token
)

// Parker is a token and a place to wait for it. It must be made by [New].
type Parker struct {
	// state is written by everyone: the owner moves it to parked and to empty,
	// Unpark to notified.
	state atomic.Uint32
	// closed is set once, by Close, and read by the owner.
	closed atomic.Bool

	mu   sync.Mutex
	cond *sync.Cond // on mu; only the owner waits
	// turn numbers the timed parks; expired is the last one that ran out of
	// time. Both are guarded by mu.
	turn, expired uint64
}

// New returns a parker without a token.
func New() *Parker {
	p := new(Parker)
	p.cond = sync.NewCond(&p.mu)
	return p
}

// Park takes the token, waiting until there is one. It returns at once after
// Close. Only the owner may call it.
func (p *Parker) Park() {
	if p.ready() {
		return
	}
	p.mu.Lock()
	if p.sleep() {
		// Wake-ups without a token are absorbed.
		for !p.state.CompareAndSwap(notified, empty) { // edge wake: pairs with Unpark's swap
			p.cond.Wait()
		}
	}
	p.mu.Unlock()
}

// ParkTimeout is Park for at most d. It reports whether it took a token; one that
// Close has left counts. It returns at once if d is not positive, and after Close.
// Only the owner may call it.
func (p *Parker) ParkTimeout(d time.Duration) (token bool) {
	if p.state.CompareAndSwap(notified, empty) { // edge wake: pairs with Unpark's swap
		return true
	}
	if d <= 0 || p.closed.Load() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.sleep() {
		return true
	}
	p.turn++
	turn := p.turn
	timer := time.AfterFunc(d, func() { p.expire(turn) })
	defer timer.Stop()
	for !p.state.CompareAndSwap(notified, empty) { // edge wake: pairs with Unpark's swap
		if p.expired == turn {
			// An Unpark may come between the two: its token is not dropped.
			return p.state.Swap(empty) == notified // edge wake: pairs with Unpark's swap
		}
		p.cond.Wait()
	}
	return true
}

// ready takes a token that is there already, and reports true also when there
// will be no more waiting.
//
// Wrong: clearing the token here unconditionally, as a fresh start. An Unpark
// that came before is lost. See ci/mutants/park-clear-on-entry.txt.
func (p *Parker) ready() bool {
	return p.state.CompareAndSwap(notified, empty) || // edge wake: pairs with Unpark's swap
		p.closed.Load() // edge wake: pairs with Close's store
}

// sleep announces that the owner is about to wait. It reports false, and has
// taken the token, if one came in the meantime. The owner holds mu.
func (p *Parker) sleep() bool {
	if p.state.CompareAndSwap(empty, parked) {
		return true
	}
	// A swap, not a store: it reads what the last Unpark wrote.
	p.state.Swap(empty) // edge wake: pairs with Unpark's swap
	return false
}

// expire ends timed park number turn if that is still the last one begun: a
// timer that comes too late must not disturb the next park, nor hide that the
// next one's timer has fired.
func (p *Parker) expire(turn uint64) {
	p.mu.Lock()
	if turn == p.turn {
		p.expired = turn
		p.cond.Signal()
	}
	p.mu.Unlock()
}

// Unpark leaves the token; one that is there already stays one. If the owner
// waits it is woken. Anyone may call it, at any time.
func (p *Parker) Unpark() {
	// Wrong: a CAS from parked, or no swap if a token is there. The first drops
	// a token that comes just before the owner parks, the second what its
	// caller has written. See ci/mutants/park-unpark-cas.txt.
	if p.state.Swap(notified) != parked { // edge wake: pairs with the owner's CASes and swaps
		return
	}
	// The owner holds mu from its CAS until it waits. Taking mu here means that
	// it waits now and the signal finds it. See ci/mutants/park-signal-unlocked.txt.
	p.mu.Lock()
	p.mu.Unlock() //nolint:staticcheck // the empty section is the point
	p.cond.Signal()
}

// Close makes every Park return, this one and all to come. Anyone may call it,
// any number of times.
func (p *Parker) Close() {
	p.closed.Store(true) // edge wake: pairs with ready's load
	p.Unpark()
}
