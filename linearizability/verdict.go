package linearizability

import (
	"fmt"
	"strings"

	"github.com/filch-sched/filch/model"
)

// Violation is the proof that a history breaks a claim.
type Violation struct {
	Claim model.Claim
	// Message says what is wrong, in a sentence.
	Message string
	// Ops are the offending operations, as indices of History.Ops: the one that
	// cannot be explained first.
	Ops []int
	// To is how many operations of the history, from its beginning, the proof
	// needs.
	To int
}

// Error returns the claim and the message.
func (v *Violation) Error() string {
	return fmt.Sprintf("linearizability: %s violated: %s", v.Claim, v.Message)
}

// Judge decides whether the operations of h can have happened as the claims
// say. It returns nil if they can and what is violated if they cannot. An error
// means that h was not judged: it is malformed, or too many operations overlap.
//
// The answer is exact for each object, a ring, an inject queue or a parker, on
// its own: the effects of an operation on one object are tried at all moments
// of its interval, in the order that package model gives. Of an operation with
// effects on two objects, such as a steal, the order between the objects is not
// used; model.Check uses it, for short histories.
//
// O(n log n) for n operations, times the number of ways to explain them that
// have to be kept, which depends on how many overlap, not on n. An inject queue with
// batches, lengths or a capacity that there are pushes enough to reach takes O(n m), for
// up to m tasks in it. Where there are too many ways, or they take too much memory or
// time, it is an error.
func Judge(h *History) (*Violation, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	switch h.Target {
	case model.Park:
		return judgeParkers(h)
	case model.Sched:
		return judgeTasks(h)
	case model.Deque:
		v, objects, err := dequeObjects(h)
		if v != nil || err != nil {
			return v, err
		}
		return judgeObjects(h, objects)
	}
	return judgeQueues(h)
}

// Explain returns v with its operations, one a line.
func (h *History) Explain(v *Violation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s violated: %s\n", v.Claim, v.Message)
	for _, i := range v.Ops {
		fmt.Fprintf(&b, "  %s\n", h.Line(i))
	}
	return b.String()
}

// Line returns operation i as a line of text.
func (h *History) Line(i int) string {
	o := h.Ops[i]
	if o.Return == Never {
		return fmt.Sprintf("[%d, never] t%d: %s", o.Call, o.Thread, o.Op)
	}
	return fmt.Sprintf("[%d, %d] %s", o.Call, o.Return, o)
}
