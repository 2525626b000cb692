package linearizability

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/filch-sched/filch/model"
)

// spec returns the law of package model for what h ran on.
func (h *History) spec() model.Spec {
	switch h.Target {
	case model.Ring:
		return model.Queues(h.Threads, h.Capacity)
	case model.Inject:
		if h.Capacity > 0 {
			return model.Bounded(h.Capacity)
		}
		return model.Queues(0, 0)
	case model.Park:
		return model.Parkers(h.Threads)
	case model.Deque:
		return model.DequeOf(h.Capacity)
	}
	return model.Bag()
}

// PorcupineModel returns package model's law as a model for porcupine, whose
// operations are the events of ours: see [PorcupineOperations].
func PorcupineModel(sp model.Spec) porcupine.Model {
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{sp.Initial()} },
		Step: func(state, input, _ any) []any {
			next := sp.Step(state.(model.State), input.(model.Event))
			out := make([]any, len(next))
			for i, s := range next {
				out[i] = s
			}
			return out
		},
		Equal:             func(a, b any) bool { return a.(model.State).Key() == b.(model.State).Key() },
		DescribeOperation: func(input, _ any) string { return describe(input.(model.Event)) },
		DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
	}
	return nondeterministic.ToModel()
}

func describe(e model.Event) string {
	if e.Phase == model.Effect {
		return fmt.Sprintf("%s = %s", e.Op.Op, e.Op.Result)
	}
	return fmt.Sprintf("%s (%s) = %s", e.Op.Op, e.Phase, e.Op.Result)
}

// PorcupineOperations returns the events of ops as operations of porcupine. An
// operation with several events becomes several operations with its interval,
// by clients of their own: the law keeps their order.
func PorcupineOperations(sp model.Spec, ops []model.Operation) []porcupine.Operation {
	var out []porcupine.Operation
	var clients []int
	for _, o := range ops {
		for i, e := range sp.Events(o) {
			c := o.Thread*maxEvents + i
			if !slices.Contains(clients, c) {
				clients = append(clients, c)
			}
			p := porcupine.Operation{ClientId: c, Input: e, Call: o.Call, Return: o.Return}
			switch e.Phase {
			case model.Start: // a run is recorded by the task itself, from its first moment to its last
				p.Return = o.Call
			case model.Finish:
				p.Call = o.Return
			}
			out = append(out, p)
		}
	}
	slices.Sort(clients)
	for i := range out {
		out[i].ClientId = slices.Index(clients, out[i].ClientId)
	}
	return out
}

// maxEvents is more than any operation has.
const maxEvents = 8

// Porcupine decides by porcupine what Judge decides. Its time and memory are
// quadratic in the length of the history at best. An error means that it did
// not decide within limit.
func Porcupine(h *History, limit time.Duration) (lawful bool, err error) {
	if err := h.check(); err != nil {
		return false, err
	}
	sp := h.spec()
	switch porcupine.CheckOperationsTimeout(PorcupineModel(sp), PorcupineOperations(sp, h.Ops), limit) {
	case porcupine.Ok:
		return true, nil
	case porcupine.Illegal:
		return false, nil
	}
	return false, fmt.Errorf("linearizability: porcupine did not decide %d operations within %v", len(h.Ops), limit)
}

// Draw writes porcupine's page about h: the operations as bars, and the longest
// orders of their effects that the law allows.
func Draw(w io.Writer, h *History, limit time.Duration) error {
	sp := h.spec()
	m := PorcupineModel(sp)
	_, info := porcupine.CheckOperationsVerbose(m, PorcupineOperations(sp, h.Ops), limit)
	if err := porcupine.Visualize(m, info, w); err != nil {
		return fmt.Errorf("linearizability: %w", err)
	}
	return nil
}

// drawMost is how many operations porcupine is asked to draw, and drawLimit for how
// long.
const (
	drawMost  = 60
	drawLimit = 5 * time.Second
)

// DrawFile is Draw to a file of its own, which needs to be shown to find out how
// wide its words are. It reports whether there is one: long histories are not
// drawn, nor those that hang, since porcupine wants all operations to return, nor
// those of a scheduler.
func DrawFile(name string, h *History) (drawn bool, err error) {
	if len(h.Ops) > drawMost || h.Target == model.Sched || h.Stuck {
		return false, nil
	}
	var b bytes.Buffer
	if err := Draw(&b, h, drawLimit); err != nil {
		return false, err
	}
	return true, os.WriteFile(name, b.Bytes(), 0o644)
}
