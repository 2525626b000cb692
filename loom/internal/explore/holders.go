package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// hold is a lock that a thread has taken and not given back.
type hold struct {
	thread int
	event  int // that took it, by its place in the trace
	shared bool
}

// blocks reports whether what is held is what w waits for: a writer that waits
// for readers has the lock itself.
func (h hold) blocks(w *machine.Waiting) bool {
	return h.shared || h.thread != w.Thread || w.Code != machine.Acquire
}

// holds returns who holds each lock, or runs the function of each Once, at the
// end of a trace.
func holds(trace []machine.Event) map[int32][]hold {
	held := map[int32][]hold{}
	drop := func(object int32, match func(hold) bool) {
		for i, h := range held[object] {
			if match(h) {
				held[object] = append(held[object][:i], held[object][i+1:]...)
				return
			}
		}
	}
	for i := range trace {
		ev := &trace[i]
		object := ev.Effect.Object
		switch {
		case took(ev), ev.Code == machine.OnceEnter && ev.Effect.Mode == machine.Write:
			shared := ev.Code == machine.RLock || ev.Code == machine.TryRLock
			held[object] = append(held[object], hold{ev.Thread, i, shared})
		case ev.Code == machine.Unlock, ev.Code == machine.OnceDone: // by any thread
			drop(object, func(h hold) bool { return !h.shared })
		case ev.Code == machine.RUnlock:
			n := len(held[object])
			drop(object, func(h hold) bool { return h.shared && h.thread == ev.Thread })
			if len(held[object]) == n {
				drop(object, func(h hold) bool { return h.shared })
			}
		}
	}
	return held
}
