package trace

import "fmt"

// Kind is what an owner calls of a ring.
type Kind uint64

// The methods of a ring that are called.
const (
	CallPush Kind = iota + 1
	CallPop
	CallBatch
	CallSteal
)

// Answer is what a call returns.
type Answer uint64

// The answers: what was asked for is done, here is a task, or why there is none.
const (
	AnswerDone Answer = iota + 1
	AnswerTask
	AnswerEmpty
	AnswerBusy
	AnswerNoRoom
)

var (
	kinds   = map[Kind]string{CallPush: "push", CallPop: "pop", CallBatch: "batch", CallSteal: "steal"}
	answers = map[Answer]string{AnswerDone: "done", AnswerTask: "task", AnswerEmpty: "empty", AnswerBusy: "busy", AnswerNoRoom: "no room"}
)

// A call in a record is one word: what is called, by which worker, and with what; and
// so is what it returns. Each part has 16 bits, but for the first with 8.
const (
	partBits = 16
	partMask = 1<<partBits - 1
)

// Call is a call as a word: of a push, the task; of a batch how many tasks, the first,
// and then those that follow; of a steal the victim.
func Call(k Kind, worker, n int, task uint64) uint64 {
	return uint64(k)<<56 | uint64(worker)<<48 | uint64(n)<<32 | task
}

// Returned is an answer as a word, with a task if there is one, and how many were taken.
func Returned(a Answer, n int, task uint64) uint64 {
	return uint64(a)<<56 | uint64(n)<<32 | task
}

// call is the beginning of a call.
func (x *rings) call() error {
	v, err := number(x.e.In)
	kind, worker, n, task := Kind(v>>56), int(v>>48&0xff), int(v>>32&partMask), v&(1<<32-1)
	if err != nil || kinds[kind] == "" || worker >= len(x.ends) {
		return fmt.Errorf("%q is no call", x.e.In)
	}
	o := x.owners[x.e.Goroutine]
	if o == nil {
		o = &owner{worker: worker}
		x.owners[x.e.Goroutine] = o
	}
	if o.worker != worker {
		return fmt.Errorf("worker %d calls as worker %d", o.worker, worker)
	}
	o.over, o.fresh, o.batch = nil, nil, kind == CallBatch
	switch kind {
	case CallPush, CallBatch:
		for i := range n {
			o.fresh = append(o.fresh, task+uint64(i))
		}
		x.step(o, stepCall, kinds[kind], n)
	case CallSteal:
		x.step(o, stepCall, kinds[kind], name(n))
	default:
		x.step(o, stepCall, kinds[kind], n)
	}
	return nil
}

// returned is the end of a call.
func (x *rings) returned() error {
	v, err := number(x.e.In)
	o, answer, n := x.owners[x.e.Goroutine], Answer(v>>56), int(v>>32&partMask)
	if err != nil || answers[answer] == "" || o == nil {
		return fmt.Errorf("%q is no answer", x.e.In)
	}
	task, known := x.numbers[v&(1<<32-1)]
	if !known {
		task = -1
	}
	x.step(o, stepReturn, answers[answer], task, n)
	o.batch = false
	return nil
}

// spilled is a task that the overflow is given: the only one, or, of several, one. The
// word has how many follow.
func (x *rings) spilled(only bool) error {
	v, err := number(x.e.In)
	o := x.owners[x.e.Goroutine]
	if err != nil || o == nil {
		return fmt.Errorf("%q is no task of an overflow", x.e.In)
	}
	task, known := x.numbers[v&(1<<32-1)]
	if !known {
		task = -1
	}
	o.over = append(o.over, task)
	if left := int(v >> 32 & partMask); only || left == 0 {
		x.step(o, stepOver, o.over)
		o.over = nil
	}
	return nil
}
