package sched

import "github.com/filch-sched/filch/idle"

// Stats are counts since New, and one gauge.
type Stats struct {
	Sleeping  int    // workers asleep now
	Spawned   uint64 // tasks accepted
	Ran       uint64 // tasks that returned
	Panicked  uint64 // tasks that panicked or called Goexit
	Cancelled uint64 // tasks that Shutdown resolved unrun
	LIFO      uint64 // tasks taken by their own worker from its LIFO slot
	Injected  uint64 // tasks taken from the global queue
	Overflows uint64 // times that a full ring sent half of itself there
	Steals    uint64 // successful steals
	Stolen    uint64 // tasks that they took
	Busy      uint64 // steals refused since another thief was active
	Parks     uint64 // times that a worker went to sleep
	Wakes     uint64 // workers woken, for whatever reason
}

// publish makes the worker's counts readable.
func (w *worker) publish() {
	w.mu.Lock()
	w.published = w.counts
	w.mu.Unlock()
}

// Stats returns the counts. A busy worker publishes its own once in 127 tasks
// at the latest and before it sleeps, each at its own time: until then what it
// has spawned can have run elsewhere, and Ran be ahead of Spawned. A spawn that is
// being refused counts as spawned for a moment. When nothing runs and nobody
// spawns the counts are exact, and Spawned = Ran + Panicked + Cancelled.
func (s *Scheduler) Stats() Stats {
	var t Stats
	for _, w := range s.workers {
		w.mu.Lock()
		t.add(&w.published)
		w.mu.Unlock()
	}
	t.Spawned += s.spawned.Load()
	t.Cancelled = s.cancelled.Load()
	_, up := s.idle.Counts()
	t.Sleeping = len(s.workers) - up
	for why := idle.Publish; why <= idle.Shutdown; why++ {
		t.Wakes += s.idle.Wakes(why)
	}
	return t
}

func (t *Stats) add(u *Stats) {
	t.Spawned += u.Spawned
	t.Ran += u.Ran
	t.Panicked += u.Panicked
	t.LIFO += u.LIFO
	t.Injected += u.Injected
	t.Overflows += u.Overflows
	t.Steals += u.Steals
	t.Stolen += u.Stolen
	t.Busy += u.Busy
	t.Parks += u.Parks
}
