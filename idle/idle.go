package idle

import (
	"fmt"

	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// MaxWorkers is how many workers one Tracker can count.
const MaxWorkers = 1<<16 - 1

// The word: searching in the low 16 bits, unparked above.
const (
	oneSearching = 1
	oneUnparked  = 1 << 16
)

func searching(word uint32) int { return int(word & (oneUnparked - 1)) }
func unparked(word uint32) int  { return int(word >> 16) }

const lineSize = 128

// Tracker counts the workers of one scheduler. It must be made by [New].
type Tracker struct {
	workers int
	bound   int              // how many may search
	unpark  func(worker int) // wakes one
	_       [lineSize]byte

	// word is written by everyone. Its unparked half changes only under mu.
	word atomic.Uint32
	_    [lineSize - 4]byte

	mu sync.Mutex
	// The rest is guarded by mu. sleepers lists the parked workers, newest
	// last; state says the same per worker, so that none is listed twice.
	sleepers []int
	state    []standing
	wakes    [reasons]uint64
	_        [lineSize]byte
}

// standing is what the Tracker knows of a worker.
type standing uint8

const (
	awake   standing = iota
	listed           // among the sleepers
	chosen           // woken for work and counted as searching, not yet resumed
	excused          // woken for another reason, not yet resumed
)

// New returns a Tracker for workers 0 to n-1, all of them awake and none
// searching. unpark must wake the given worker, from any goroutine, and be
// remembered if that worker is not asleep yet: [park.Parker.Unpark] does so.
// n outside 1 to [MaxWorkers], or a nil unpark, is an error.
//
// [park.Parker.Unpark]: https://pkg.go.dev/github.com/filch-sched/filch/park#Parker.Unpark
func New(n int, unpark func(worker int)) (*Tracker, error) {
	if n < 1 || n > MaxWorkers {
		return nil, fmt.Errorf("idle: %d workers, want 1 to %d", n, MaxWorkers)
	}
	if unpark == nil {
		return nil, fmt.Errorf("idle: unpark is nil")
	}
	t := &Tracker{
		workers:  n,
		bound:    (n + 1) / 2,
		unpark:   unpark,
		sleepers: make([]int, 0, n),
		state:    make([]standing, n),
	}
	t.word.Store(uint32(n) * oneUnparked)
	return t, nil
}

// TrySearch asks to be counted as searching. At most half of the workers,
// rounded up, are at any time (SearchersBounded). A worker that is refused does
// not search; it parks. Lock-free.
func (t *Tracker) TrySearch() bool {
	for {
		w := t.word.Load()
		if searching(w) >= t.bound {
			return false
		}
		// Wrong: an add after the check. Two workers pass the check together
		// and the bound is broken. See ci/mutants/idle-search-unchecked.txt.
		if t.word.CompareAndSwap(w, w+oneSearching) { // edge count
			return true
		}
	}
}

// StopSearch says that the caller, counted as searching, has found work and is
// about to run it. If it was the last searcher it wakes another worker: it may
// have kept others from being woken, and there may be more to find.
func (t *Tracker) StopSearch() {
	// Wrong: leaving it at that. See ci/mutants/idle-no-chain.txt.
	if searching(t.word.Add(^uint32(oneSearching-1))) == 0 { // edge count
		t.Wake(Chain)
	}
}

// Park says that the caller, worker, has found no work and will sleep until it
// is woken. counted says whether it is counted as searching, which it then no
// longer is. The caller must sleep next, then call Resume.
//
// If nobody searches any more, Park calls pending, which must look at every
// place that work can be in, one after the other, and wakes a worker if there
// is some; most often that is the caller, whose sleep then ends at once.
func (t *Tracker) Park(worker int, counted bool, pending func() bool) {
	t.check("Park", worker)
	delta := ^uint32(oneUnparked - 1)
	if counted {
		delta -= oneSearching
	}
	t.mu.Lock()
	if t.state[worker] != awake {
		t.mu.Unlock()
		panic(fmt.Sprintf("idle: Park of worker %d, which is parked already", worker))
	}
	word := t.word.Add(delta) // edge sleep: pairs with Wake's loads
	t.sleepers = append(t.sleepers, worker)
	t.state[worker] = listed
	t.mu.Unlock()

	// Wrong: looking before the add, or only if the caller was searching. See
	// ci/mutants/idle-look-first.txt and ci/mutants/idle-last-searcher-only.txt.
	if searching(word) == 0 && pending() {
		t.Wake(Look)
	}
}

// Resume tells the caller, a worker whose sleep has ended, how it stands: up
// is false if nobody woke it, and it must sleep again; counted is true if it was
// woken for work, is counted as searching, and must search.
func (t *Tracker) Resume(worker int) (up, counted bool) {
	t.check("Resume", worker)
	t.mu.Lock()
	s := t.state[worker]
	if s != listed {
		t.state[worker] = awake
	}
	t.mu.Unlock()
	return s != listed, s == chosen
}

// check panics if there is no such worker, before the lock is taken.
func (t *Tracker) check(method string, worker int) {
	if worker < 0 || worker >= len(t.state) {
		panic(fmt.Sprintf("idle: %s of worker %d, there are %d", method, worker, len(t.state)))
	}
}

// Counts returns how many workers are counted as searching and how many as not
// parked, at one moment during the call.
func (t *Tracker) Counts() (search, up int) {
	w := t.word.Load()
	return searching(w), unparked(w)
}
