package court

import (
	"runtime"
	"sync"
)

// processors is what the audits of the process share: only one at a time changes how
// many there are, so that what it puts back is what was there before.
var processors sweeper

type sweeper struct {
	mu    sync.Mutex
	taken bool
	procs int // how many there were
}

// enter begins an audit. It returns how many processors there are when no audit
// changes that, and whether this one may; it does not where there is but one. The
// audit ends with leave.
func (s *sweeper) enter() (procs int, sweeps bool, leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken {
		return s.procs, false, func() {}
	}
	procs = runtime.GOMAXPROCS(0)
	if procs == 1 {
		return 1, false, func() {}
	}
	s.taken, s.procs = true, procs
	return procs, true, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		runtime.GOMAXPROCS(procs)
		s.taken = false
	}
}
