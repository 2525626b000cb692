package idle

import "fmt"

// Reason says why a worker is woken. Every wake has one.
type Reason uint8

const (
	// Publish: a task was put where others can take it.
	Publish Reason = iota
	// Chain: the last searcher found work and there may be more.
	Chain
	// Look: a worker going to sleep saw work that nobody was looking for.
	Look
	// Call: one particular worker is wanted.
	Call
	// Shutdown: the scheduler ends.
	Shutdown

	reasons = iota
)

var reasonNames = [reasons]string{"publish", "chain", "look", "call", "shutdown"}

// String returns the reason in a word.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("idle.Reason(%d)", uint8(r))
}

// check panics if r is none of the reasons, before a lock is taken.
func (r Reason) check() {
	if r >= reasons {
		panic(fmt.Sprintf("idle: %v is no reason", r))
	}
}

// Wake wakes one sleeping worker to search for work, unless one searches
// already or none sleeps, and says which. The worker is counted as searching
// before it is woken. When there is nobody to wake it costs one load.
func (t *Tracker) Wake(why Reason) (worker int, woke bool) {
	if !t.wanted(t.word.Load()) { // edge sleep: pairs with Park's add
		return 0, false
	}
	why.check()
	t.mu.Lock()
	worker, woke = t.choose()
	if woke {
		t.wakes[why]++
	}
	t.mu.Unlock()
	if woke {
		t.unpark(worker)
	}
	return worker, woke
}

// wanted reports whether a publication with the word at w must wake someone.
func (t *Tracker) wanted(w uint32) bool {
	return searching(w) == 0 && unparked(w) < t.workers
}

// choose takes the newest sleeper off the list, whose caches are warmest, and
// counts it. The caller holds mu.
//
// Wrong: letting the woken worker count itself. Until it runs, every publisher
// sees nobody searching and wakes one more. See ci/mutants/idle-count-late.txt.
func (t *Tracker) choose() (worker int, ok bool) {
	for {
		w := t.word.Load() // edge sleep: pairs with Park's add
		if !t.wanted(w) {
			return 0, false
		}
		if t.word.CompareAndSwap(w, w+oneUnparked+oneSearching) { // edge count
			break
		}
	}
	last := len(t.sleepers) - 1
	worker = t.sleepers[last]
	t.sleepers = t.sleepers[:last]
	t.state[worker] = chosen
	return worker, true
}

// WakeWorker wakes one particular worker, if it sleeps, for a reason other than
// work: it is not counted as searching. It reports whether the worker slept.
func (t *Tracker) WakeWorker(worker int, why Reason) bool {
	t.check("WakeWorker", worker)
	why.check()
	t.mu.Lock()
	slept := t.state[worker] == listed
	if slept {
		for i, s := range t.sleepers {
			if s == worker {
				t.sleepers = append(t.sleepers[:i], t.sleepers[i+1:]...)
				break
			}
		}
		t.excuse(worker, why)
	}
	t.mu.Unlock()
	if slept {
		t.unpark(worker)
	}
	return slept
}

// WakeAll wakes every sleeping worker for a reason other than work and returns
// how many there were. Workers that park later are not affected.
//
// Wrong: unparking them and leaving the list as it is. They list themselves
// again and the counts are wrong for ever (tokio-rs/tokio#8372). See
// ci/mutants/idle-wake-all-unlisted.txt.
func (t *Tracker) WakeAll(why Reason) int {
	why.check()
	t.mu.Lock()
	woken := append([]int(nil), t.sleepers...)
	t.sleepers = t.sleepers[:0]
	for _, worker := range woken {
		t.excuse(worker, why)
	}
	t.mu.Unlock()
	for _, worker := range woken {
		t.unpark(worker)
	}
	return len(woken)
}

// excuse counts a worker that is off the list as unparked and not searching.
// The caller holds mu.
func (t *Tracker) excuse(worker int, why Reason) {
	t.word.Add(oneUnparked) // edge count
	t.state[worker] = excused
	t.wakes[why]++
}

// Wakes returns how many workers were woken for a reason so far.
func (t *Tracker) Wakes(why Reason) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.wakes[why]
}

// Sleepers returns the parked workers, in the order in which they parked.
func (t *Tracker) Sleepers() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]int(nil), t.sleepers...)
}
