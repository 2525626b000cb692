//go:build loom

package sync

// OnceFunc is sync.OnceFunc. Like a Once, it calls f anew in every execution.
func OnceFunc(f func()) func() {
	g := OnceValue(func() struct{} {
		f()
		return struct{}{}
	})
	return func() { g() }
}

// OnceValue is sync.OnceValue.
func OnceValue[T any](f func() T) func() T {
	g := OnceValues(func() (T, struct{}) { return f(), struct{}{} })
	return func() T {
		v, _ := g()
		return v
	}
}

// OnceValues is sync.OnceValues.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var once Once
	var panicked any
	var ok bool
	var v1 T1
	var v2 T2
	run := func() {
		ok = false
		defer func() {
			if !ok {
				panicked = recover()
				panic(panicked)
			}
		}()
		v1, v2 = f()
		ok = true
	}
	return func() (T1, T2) {
		once.Do(run)
		if !ok {
			panic(panicked)
		}
		return v1, v2
	}
}
