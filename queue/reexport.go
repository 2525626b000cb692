package queue

// reexport makes the compiler build one instance of the hot methods here. It
// never runs. A package that uses a Ring builds an instance of its own, and finds
// the bodies of sync/atomic's methods, to put them in place as instructions, only
// if a package that it imports has done so. Without reexport every atomic
// operation in it is a call, and costs twice what it should.
func reexport() {
	var r Ring[uintptr]
	var q Inject[uintptr]
	r.Push(0, &q)
	r.PushBatch(nil)
	r.Pop()
	r.Len()
	r.Free()
	s := r.Stealer()
	s.StealInto(&r)
	s.Len()
	s.Empty()
	q.PopN(nil)
	q.Close()
	q.Len()
}

var _ = reexport
