//go:build loom

package closed_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// text returns the graph of a ring's body as Export writes it.
func text(t *testing.T, body func(), opts ...loom.Option) string {
	t.Helper()
	return export(t, body, append(closed.RingOptions(), opts...)...)
}

func export(t *testing.T, body func(), opts ...loom.Option) string {
	t.Helper()
	var b bytes.Buffer
	r, err := loom.Graph(body, append(opts, loom.Export(&b))...)
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	require.True(t, strings.HasPrefix(b.String(), fmt.Sprintf("graph %d %d\n", r.States, r.Edges)))
	return b.String()
}

// exported is a graph that was exported: by state, the threads that can take a step
// and where each label leads.
type exported struct {
	may []string
	to  []map[string]int
}

func parse(t *testing.T, text string) (g exported) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, line := range lines[1:] {
		if rest, ok := strings.CutPrefix(line, "state "); ok {
			_, may, _ := strings.Cut(rest, " ")
			g.may, g.to = append(g.may, may), append(g.to, map[string]int{})
			continue
		}
		var from, to int
		var label string
		_, err := fmt.Sscan(line, &from, &label, &to)
		require.NoError(t, err)
		require.Equal(t, len(g.to)-1, from, "an edge under another state")
		require.NotContains(t, g.to[from], label)
		g.to[from][label] = to
	}
	return g
}

// quotient checks that form is exact with some states made one: that there is a
// function from the states of exact onto those of form that keeps the first state,
// who can take a step, and all edges both ways.
func quotient(t *testing.T, exact, form exported) {
	t.Helper()
	image := make([]int, len(exact.to))
	for i := range image {
		image[i] = -1
	}
	image[0] = 0
	met := map[int]bool{0: true}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		m := image[n]
		require.Equal(t, exact.may[n], form.may[m], "state %d and its image %d", n, m)
		require.Len(t, form.to[m], len(exact.to[n]), "state %d and its image %d", n, m)
		for label, to := range exact.to[n] {
			at, ok := form.to[m][label]
			require.True(t, ok, "state %d has edge %s, its image %d has not", n, label, m)
			if image[to] < 0 {
				image[to], met[at] = at, true
				queue = append(queue, to)
			}
			require.Equal(t, image[to], at, "state %d has two images", to)
		}
	}
	require.Len(t, met, len(form.to))
}

// TestFormIsAQuotient: with views, a rotation and a word that is fresh, the graph of
// a bounded ring is the exact one with states made one, and nothing else.
func TestFormIsAQuotient(t *testing.T) {
	for _, c := range []struct{ capacity, operations int }{{2, 3}, {2, 4}, {4, 3}} {
		body := closed.BoundedRing(c.capacity, 1, c.operations, 1<<32-2)
		exact, form := parse(t, text(t, body, loom.Exact())), parse(t, text(t, body, loom.CellSteps()))
		t.Logf("capacity %d, %d operations each: %d exact states, %d in the form", c.capacity, c.operations, len(exact.to), len(form.to))
		require.Less(t, len(form.to), len(exact.to))
		quotient(t, exact, form)
	}
}

// TestStaleIndicesAreClamped: so it is when the owner goes round the ring so often that
// what the thief has observed is as far behind as it is ever told.
func TestStaleIndicesAreClamped(t *testing.T) {
	const capacity, behind = 2, 3 * 2
	body := closed.StaleRing(capacity, 2*(behind+1))
	exact, form := parse(t, text(t, body, loom.Exact())), parse(t, text(t, body, loom.CellSteps()))
	t.Logf("%d exact states, %d in the form", len(exact.to), len(form.to))
	require.Less(t, 5*len(form.to), len(exact.to))
	quotient(t, exact, form)
}

// TestFormOfSchedulerIsAQuotient: with heads and views the graph of a scheduler is
// the exact one with states made one: where tasks run for ever, and where there is one
// task, of which the only worker makes what it likes.
func TestFormOfSchedulerIsAQuotient(t *testing.T) {
	all := []closed.Sched{
		{Workers: 1, Tasks: 1, Interval: 1, Most: 1},
		{Workers: 2, Tasks: 1, Interval: 1, Begun: 1, Still: true},
	}
	if runs(t) >= closed.Quick { // some times as large as the others
		all = append(all, closed.Sched{Workers: 2, Tasks: 2, Interval: 1, Begun: 2, Still: true})
	}
	for _, c := range all {
		with := func(o loom.Option) exported {
			return parse(t, export(t, c.Body(), append(c.Options(), o, loom.Workers(2))...))
		}
		exact, form := with(loom.Exact()), with(loom.CellSteps())
		t.Logf("%v: %d exact states, %d in the form", c, len(exact.to), len(form.to))
		require.Less(t, 2*len(form.to), len(exact.to))
		quotient(t, exact, form)
	}
}

// TestExportIsCanonical: whoever finds what first, and from wherever the ring starts,
// the text is the same.
func TestExportIsCanonical(t *testing.T) {
	want := text(t, closed.Ring(2, 1, 0))
	require.Equal(t, want, text(t, closed.Ring(2, 1, 1<<32-1), loom.Workers(3), loom.WholeKeys()))
	symmetric := text(t, closed.BoundedRing(2, 2, 2, 0))
	require.Equal(t, symmetric, text(t, closed.BoundedRing(2, 2, 2, 7), loom.Workers(4)))
	// Another graph has another text.
	require.NotEqual(t, symmetric, text(t, closed.BoundedRing(2, 2, 1, 0)))
}

// TestSymmetricFormBehavesAlike: with interchangeable thieves, too, the states of the
// form behave as the exact ones, if what the thieves are called does not count: each
// of either has one of the other that has, for each edge, as many of the same kind to
// such states (bisimilarity, by refinement of a partition of the states of both).
func TestSymmetricFormBehavesAlike(t *testing.T) {
	body := closed.BoundedRing(2, 2, 2, 0)
	exact, form := parse(t, text(t, body, loom.Exact())), parse(t, text(t, body, loom.CellSteps()))
	t.Logf("%d exact states, %d in the form", len(exact.to), len(form.to))
	require.Less(t, 3*len(form.to), 2*len(exact.to))
	a, b := behaviours(exact, form)
	require.Equal(t, a[0], b[0], "the first states")
	require.Equal(t, set(a), set(b))
	a, b = behaviours(exact, parse(t, text(t, closed.BoundedRing(2, 2, 1, 0), loom.CellSteps())))
	require.NotEqual(t, a[0], b[0], "other graphs are told apart")
}

func set(all []int) map[int]bool {
	s := map[int]bool{}
	for _, v := range all {
		s[v] = true
	}
	return s
}

// behaviours returns the classes of the states of two graphs: as coarse as they can
// be so that all of a class have equally many edges of each kind to each class.
func behaviours(graphs ...exported) (a, b []int) {
	class := [][]int{make([]int, len(graphs[0].to)), make([]int, len(graphs[1].to))}
	for before := 1; ; {
		number := map[string]int{}
		next := [][]int{nil, nil}
		for i, g := range graphs {
			for n, to := range g.to {
				kinds := make([]string, 0, len(to)+1)
				for label, m := range to {
					if thread, rest := label[:1], label[1:]; thread != "1" { // not the owner
						label = "thief" + rest
					}
					kinds = append(kinds, fmt.Sprint(label, " ", class[i][m]))
				}
				slices.Sort(kinds)
				kind := fmt.Sprint(class[i][n], kinds)
				if _, ok := number[kind]; !ok {
					number[kind] = len(number)
				}
				next[i] = append(next[i], number[kind])
			}
		}
		if class = next; len(number) == before {
			return class[0], class[1]
		}
		before = len(number)
	}
}
