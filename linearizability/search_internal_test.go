package linearizability

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/model"
)

// A search that has looked at as much as it may says so, and gives no verdict.
func TestASearchThatTakesTooLongIsGivenUp(t *testing.T) {
	h := &History{Target: model.Inject, Threads: 1, Ops: []model.Operation{
		{Op: model.Op{Kind: model.InjectPush, Args: []model.Task{1}}, Result: model.Result{Outcome: model.Kept}}}}
	s := newSearch(newInjectLaw(h), h.Ops, emptyInject)
	s.worked = maxWork - 3
	for range 2 {
		s.call(0)
		ok, err := s.finish(0)
		if err != nil {
			require.ErrorContains(t, err, "linearizability: the history needs more than 268435456 steps of search")
			return
		}
		require.True(t, ok)
	}
	t.Fatal("it goes on")
}
