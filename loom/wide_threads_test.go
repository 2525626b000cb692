//go:build loom

package loom_test

import (
	"runtime"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/time"
)

// onThreads are operations that start threads and timers, wait for others, choose
// and fail.
var onThreads = []doing{
	{"choose dep", 2, func(w *fair, i int, o act) any {
		n := 1 + int(w.x[o.a].Load())&1 + i&1
		return loom.Choose(n)
	}},
	{"defer fail", 2, func(w *fair, i int, o act) any {
		func() {
			defer func() {
				if w.x[o.a].Load() == int32(o.b) {
					loom.Failf("D", "d")
				}
			}()
			w.x[1-o.a].Load()
		}()
		return nil
	}},
	{"panic in defer after panic", 2, func(w *fair, i int, o act) any {
		defer func() {
			recover()
			w.x[o.a].Add(1)
		}()
		if w.x[o.a].Load() == int32(o.b) {
			panic("x")
		}
		return nil
	}},
	{"panic if", 1, func(w *fair, i int, o act) any {
		if v := w.x[o.a].Load(); v == int32(o.b) {
			panic("x")
		}
		return nil
	}},
	{"fail if", 1, func(w *fair, i int, o act) any {
		if v := w.x[o.a].Load(); v == int32(o.b) {
			loom.Failf("F", "f")
		}
		return nil
	}},
	{"goexit if", 1, func(w *fair, i int, o act) any {
		if v := w.x[o.a].Load(); v == int32(o.b) {
			runtime.Goexit()
		}
		return nil
	}},
	{"recover fail", 2, func(w *fair, i int, o act) any {
		func() {
			defer func() { recover(); w.x[o.a].Add(1) }()
			if w.x[o.a].Load() == int32(o.b) {
				loom.Failf("F", "f")
			}
		}()
		return nil
	}},
	{"join sibling", 0, func(w *fair, i int, o act) any {
		if j := i - o.b; j >= 0 {
			w.th[j].Join()
		}
		return nil
	}},
	{"spawn tree", 3, func(w *fair, i int, o act) any {
		var in *loom.Thread
		out := loom.Go(func() { in = loom.Go(func() { w.x[o.a].Add(1) }); w.x[o.a].Load() })
		out.Join()
		if o.b == 1 {
			in.Join()
		}
		return nil
	}},
	{"spawn", 1, func(w *fair, i int, o act) any { loom.Go(func() { w.x[o.a].Store(int32(o.b)) }); return nil }},
	{"timer", 3, func(w *fair, i int, o act) any {
		t := time.AfterFunc(1, func() { w.x[o.a].Add(1) })
		if o.b == 1 {
			return t.Stop()
		}
		return nil
	}},
	{"timer stop", 1, func(w *fair, i int, o act) any { return w.timer.Stop() }},
	{"timer reset", 2, func(w *fair, i int, o act) any { return w.timer.Reset(1) }},
	{"timer lock", 4, func(w *fair, i int, o act) any {
		w.mu[0].Lock()
		time.AfterFunc(1, func() { w.mu[0].Lock(); w.x[o.a].Add(1); w.mu[0].Unlock() })
		w.mu[0].Unlock()
		return nil
	}},
	{"await", 3, func(w *fair, i int, o act) any {
		for w.x[o.a].Load() < int32(o.b) {
			loom.Yield()
		}
		return nil
	}},
	{"await two", 4, func(w *fair, i int, o act) any {
		for w.x[0].Load() == 0 || w.x[1].Load() == 0 {
			loom.Yield()
		}
		return nil
	}},
	{"await map", 3, func(w *fair, i int, o act) any {
		for {
			if _, ok := w.m.Load(o.a); ok {
				return nil
			}
			loom.Yield()
		}
	}},
	{"await rlock", 4, func(w *fair, i int, o act) any {
		for !w.rw.TryRLock() {
			loom.Yield()
		}
		w.rw.RUnlock()
		return nil
	}},
	{"await wlock", 4, func(w *fair, i int, o act) any {
		for !w.rw.TryLock() {
			loom.Yield()
		}
		w.rw.Unlock()
		return nil
	}},
	{"await casloop", 4, func(w *fair, i int, o act) any {
		for !w.x[o.a].CompareAndSwap(int32(o.b), 0) {
			loom.Yield()
		}
		return nil
	}},
	{"await timer", 4, func(w *fair, i int, o act) any {
		for w.timer.Stop() {
			w.timer.Reset(1)
			loom.Yield()
			return "y"
		}
		return nil
	}},
	{"await under lock", 6, func(w *fair, i int, o act) any {
		for {
			w.mu[o.b&1].Lock()
			v := w.x[o.a].Load()
			w.mu[o.b&1].Unlock()
			if v != 0 {
				return v
			}
			loom.Yield()
		}
	}},
	{"call", 2, func(w *fair, i int, o act) any { c := loom.Call(); r := loom.Return(); return r > c }},
	{"spawn if", 3, func(w *fair, i int, o act) any {
		if w.x[o.a].CompareAndSwap(0, int32(o.b)) {
			loom.Go(func() { w.x[1-o.a].Add(1) })
		}
		loom.Go(func() { w.x[o.a].Load() })
		return nil
	}},
	{"await nested", 6, func(w *fair, i int, o act) any {
		for w.x[o.a].Load() == 0 {
			for w.x[1-o.a].Load() == 0 {
				loom.Yield()
			}
			loom.Yield()
		}
		return nil
	}},
}
