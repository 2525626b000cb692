//go:build loom

package loom_test

import (
	"fmt"

	"github.com/filch-sched/filch/loom/atomic"
)

// onWords are operations on words, values, maps, pools and cells.
var onWords = []doing{
	{"load", 1, func(w *fair, i int, o act) any { return w.x[o.a].Load() }},
	{"store", 1, func(w *fair, i int, o act) any { w.x[o.a].Store(int32(o.b)); return nil }},
	{"add", 1, func(w *fair, i int, o act) any { return w.x[o.a].Add(1) }},
	{"cas", 1, func(w *fair, i int, o act) any { return w.x[o.a].CompareAndSwap(int32(o.b-1), int32(o.b)) }},
	{"cas same", 1, func(w *fair, i int, o act) any { return w.x[o.a].CompareAndSwap(int32(o.b), int32(o.b)) }},
	{"and", 1, func(w *fair, i int, o act) any { return atomic.AndUint32(&w.p[o.a], ^uint32(o.b)) }},
	{"or", 1, func(w *fair, i int, o act) any { return atomic.OrUint32(&w.p[o.a], uint32(o.b)) }},
	{"fload", 1, func(w *fair, i int, o act) any { return atomic.LoadUint32(&w.p[o.a]) }},
	{"fcas", 1, func(w *fair, i int, o act) any { return atomic.CompareAndSwapUint32(&w.p[o.a], 0, uint32(o.b)) }},
	{"f64add", 1, func(w *fair, i int, o act) any { return atomic.AddInt64(&w.q, int64(o.b)) }},
	{"f64cas", 1, func(w *fair, i int, o act) any { return atomic.CompareAndSwapInt64(&w.q, int64(o.b), 0) }},
	{"u64 or", 1, func(w *fair, i int, o act) any { return w.u.Or(uint64(o.b) << 40) }},
	{"u64 cas", 1, func(w *fair, i int, o act) any { return w.u.CompareAndSwap(0, uint64(o.b)<<40) }},
	{"bool swap", 1, func(w *fair, i int, o act) any { return w.b.Swap(o.a == 0) }},
	{"bool cas", 1, func(w *fair, i int, o act) any { return w.b.CompareAndSwap(o.a == 0, o.a != 0) }},
	{"value store", 1, func(w *fair, i int, o act) any { w.v.Store(o.b); return nil }},
	{"value load", 1, func(w *fair, i int, o act) any { return w.v.Load() }},
	{"value cas", 1, func(w *fair, i int, o act) any { return w.v.CompareAndSwap(o.b, 3-o.b) }},
	{"value cas nil", 1, func(w *fair, i int, o act) any { return w.v.CompareAndSwap(nil, o.b) }},
	{"value bad type", 1, func(w *fair, i int, o act) (r any) {
		defer func() { r = recover() != nil }()
		w.v.Store("x")
		return nil
	}},
	{"value cas bad type", 1, func(w *fair, i int, o act) (r any) {
		defer func() { r = fmt.Sprint(recover()) }()
		return w.v.CompareAndSwap("x", "y")
	}},
	{"ptr store", 1, func(w *fair, i int, o act) any { w.ptr.Store(&w.ints[o.b]); return nil }},
	{"ptr cas", 1, func(w *fair, i int, o act) any { return w.ptr.CompareAndSwap(nil, &w.ints[o.b]) }},
	{"ptr cas back", 1, func(w *fair, i int, o act) any { return w.ptr.CompareAndSwap(&w.ints[o.b], nil) }},
	{"map store", 1, func(w *fair, i int, o act) any { w.m.Store(o.a, o.b); return nil }},
	{"map load", 1, func(w *fair, i int, o act) any { v, _ := w.m.Load(o.a); return v }},
	{"map los", 1, func(w *fair, i int, o act) any { v, ok := w.m.LoadOrStore(o.a, o.b); return fmt.Sprint(v, ok) }},
	{"map lad", 1, func(w *fair, i int, o act) any { v, ok := w.m.LoadAndDelete(o.a); return fmt.Sprint(v, ok) }},
	{"map cas", 1, func(w *fair, i int, o act) any { return w.m.CompareAndSwap(o.a, o.b, 3-o.b) }},
	{"map cad", 1, func(w *fair, i int, o act) any { return w.m.CompareAndDelete(o.a, o.b) }},
	{"map swap", 1, func(w *fair, i int, o act) any { v, ok := w.m.Swap(o.a, o.b); return fmt.Sprint(v, ok) }},
	{"map delete", 1, func(w *fair, i int, o act) any { w.m.Delete(o.a); return nil }},
	{"map clear", 1, func(w *fair, i int, o act) any { w.m.Clear(); return nil }},
	{"map range", 3, func(w *fair, i int, o act) any {
		r := ""
		w.m.Range(func(k, v any) bool { r += fmt.Sprint(k, "=", v, ","); return o.a == 0 })
		return r
	}},
	{"pool", 1, func(w *fair, i int, o act) any {
		p, _ := w.pool.Get().(*int)
		v := w.x[o.a].Load()
		if p == nil {
			p = new(int)
		}
		*p = int(v)
		w.pool.Put(p)
		return v
	}},
	{"cell load", 0, func(w *fair, i int, o act) any { w.cell[o.a].Load(); return nil }},
	{"cell store", 0, func(w *fair, i int, o act) any { w.cell[o.a].Store(o.b); return nil }},
	{"publish cell", 1, func(w *fair, i int, o act) any { w.cell[o.a].Store(1); w.x[o.a].Store(int32(o.b)); return nil }},
	{"consume cell", 1, func(w *fair, i int, o act) any {
		if v := w.x[o.a].Load(); v != 0 {
			w.cell[o.a].Load()
			return v
		}
		return 0
	}},
}
