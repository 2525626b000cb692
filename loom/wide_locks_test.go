//go:build loom

package loom_test

// onLocks are operations on locks, conditions, groups and onces.
var onLocks = []doing{
	{"locked cell store", 2, func(w *fair, i int, o act) any {
		w.mu[o.b&1].Lock()
		w.cell[o.a].Store(o.b)
		w.mu[o.b&1].Unlock()
		return nil
	}},
	{"rlocked cell load", 2, func(w *fair, i int, o act) any {
		w.rw.RLock()
		w.cell[o.a].Load()
		w.rw.RUnlock()
		return nil
	}},
	{"tryrlocked cell load", 2, func(w *fair, i int, o act) any {
		if w.rw.TryRLock() {
			w.cell[o.a].Load()
			w.rw.RUnlock()
			return true
		}
		return false
	}},
	{"wlocked cell store", 3, func(w *fair, i int, o act) any {
		w.rw.Lock()
		w.cell[o.a].Store(1)
		w.rw.Unlock()
		return nil
	}},
	{"lock keep", 1, func(w *fair, i int, o act) any { w.mu[o.a].Lock(); return nil }},
	{"naked unlock", 1, func(w *fair, i int, o act) any { w.mu[o.a].Unlock(); return nil }},
	{"trylock keep", 1, func(w *fair, i int, o act) any { return w.mu[o.a].TryLock() }},
	{"rlock keep", 1, func(w *fair, i int, o act) any { w.rw.RLock(); return nil }},
	{"naked runlock", 1, func(w *fair, i int, o act) any { w.rw.RUnlock(); return nil }},
	{"wlock keep", 2, func(w *fair, i int, o act) any { w.rw.Lock(); return nil }},
	{"naked wunlock", 1, func(w *fair, i int, o act) any { w.rw.Unlock(); return nil }},
	{"trywlock keep", 1, func(w *fair, i int, o act) any { return w.rw.TryLock() }},
	{"tryrlock keep", 1, func(w *fair, i int, o act) any { return w.rw.TryRLock() }},
	{"wlock", 3, func(w *fair, i int, o act) any { w.rw.Lock(); v := w.x[o.a].Add(1); w.rw.Unlock(); return v }},
	{"rlock", 3, func(w *fair, i int, o act) any { w.rw.RLock(); v := w.x[o.a].Load(); w.rw.RUnlock(); return v }},
	{"recursive rlock", 4, func(w *fair, i int, o act) any {
		w.rw.RLock()
		w.rw.RLock()
		w.rw.RUnlock()
		w.rw.RUnlock()
		return nil
	}},
	{"wait", 4, func(w *fair, i int, o act) any { w.mu[0].Lock(); w.c.Wait(); w.mu[0].Unlock(); return nil }},
	{"wait loop", 5, func(w *fair, i int, o act) any {
		w.mu[0].Lock()
		defer w.mu[0].Unlock()
		for w.x[o.a].Load() == 0 {
			w.c.Wait()
		}
		return nil
	}},
	{"rwait", 4, func(w *fair, i int, o act) any { w.rw.RLock(); w.rc.Wait(); w.rw.RUnlock(); return nil }},
	{"rsignal", 1, func(w *fair, i int, o act) any { w.rc.Signal(); return nil }},
	{"rbroadcast", 1, func(w *fair, i int, o act) any { w.rc.Broadcast(); return nil }},
	{"signal", 1, func(w *fair, i int, o act) any { w.c.Signal(); return nil }},
	{"broadcast", 1, func(w *fair, i int, o act) any { w.c.Broadcast(); return nil }},
	{"locked signal", 4, func(w *fair, i int, o act) any {
		w.mu[0].Lock()
		w.x[o.a].Store(1)
		w.c.Signal()
		w.mu[0].Unlock()
		return nil
	}},
	{"g add", 1, func(w *fair, i int, o act) any { w.g.Add(o.b); return nil }},
	{"g done", 1, func(w *fair, i int, o act) any { w.g.Done(); return nil }},
	{"g done recover", 1, func(w *fair, i int, o act) (r any) {
		defer func() { r = recover() }()
		w.g.Done()
		return nil
	}},
	{"g wait", 1, func(w *fair, i int, o act) any { w.g.Wait(); return nil }},
	{"g go", 3, func(w *fair, i int, o act) any { w.g.Go(func() { w.x[o.a].Add(10) }); return nil }},
	{"once", 2, func(w *fair, i int, o act) any {
		f := false
		w.once.Do(func() { f = true })
		return f
	}},
	{"once op", 3, func(w *fair, i int, o act) any {
		v := int32(-1)
		w.once.Do(func() { v = w.x[o.a].Add(1) })
		return v
	}},
	{"once panic", 3, func(w *fair, i int, o act) (r any) {
		defer func() { r = recover() }()
		w.once.Do(func() { w.x[o.a].Load(); panic("p") })
		return nil
	}},
	{"oncevalue", 3, func(w *fair, i int, o act) (r any) {
		defer func() {
			if e := recover(); e != nil {
				r = e
			}
		}()
		return w.of()
	}},
}
