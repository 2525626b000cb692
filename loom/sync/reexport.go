//go:build !loom

package sync

// reexport calls what the compiler can inline, once. It never runs: see the
// function of the same name in loom/atomic.
func reexport() {
	var m Mutex
	m.Lock()
	m.Unlock()
	m.TryLock()
	var rw RWMutex
	rw.RLock()
	rw.RUnlock()
	rw.TryRLock()
	var o Once
	o.Do(nil)
	var g WaitGroup
	g.Done()
}

var _ = reexport
