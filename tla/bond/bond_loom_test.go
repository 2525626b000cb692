//go:build loom

package bond_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla/bond"
)

// TestCodeIsTheSpecification: the graph of the code, mapped, is the one that TLC has
// found, edge by edge and both ways.
func TestCodeIsTheSpecification(t *testing.T) {
	for _, b := range bond.Bonds() {
		t.Run(b.Model, func(t *testing.T) {
			golden, err := bond.Load(specs, b.Model)
			require.NoError(t, err)
			code, err := b.Explore()
			require.NoError(t, err)
			if _, err := bond.Compare(code, golden.Graph); err != nil {
				t.Fatal(b.Explain(err))
			}
			t.Logf("%d states and %d edges of the code are %d states and %d edges of the specification",
				len(code.Out), code.Edges(), len(golden.Out), golden.Edges())
			require.Equal(t, []int{b.States, b.Edges}, []int{len(code.Out), code.Edges()})
		})
	}
}

// TestReadmeHasTheSizesOfTheGraphs of both sides.
func TestReadmeHasTheSizesOfTheGraphs(t *testing.T) {
	text, err := os.ReadFile(specs + "/README.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (\w+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|\r?$`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, len(bond.Bonds()))
	for i, b := range bond.Bonds() {
		golden, err := bond.Load(specs, b.Model)
		require.NoError(t, err)
		want := []string{b.Model}
		for _, n := range []int{len(golden.Out), golden.Edges(), b.States, b.Edges} {
			want = append(want, strconv.Itoa(n))
		}
		got := strings.Split(strings.ReplaceAll(strings.Join(rows[i][1:], " "), ",", ""), " ")
		require.Equal(t, want, got)
	}
}

// TestDifferencesAreReported: with the step of the code and its line, and the action
// of the specification.
func TestDifferencesAreReported(t *testing.T) {
	golden, err := bond.Load(specs, "RingSmall")
	require.NoError(t, err)
	for _, c := range []struct {
		body func()
		want []string
	}{
		{bond.Rings(2, 1, false), []string{"the specification can go on by 1.2 (PushP1+PushP4), the code by 1.0.0!, 1.1, 2, after 0 steps"}},
		{bond.Rings(4, 1, true), []string{"the memory of the code is <<<<0, 0, 0>>, <<0, 0, <<0, 0, 0, 0>>>>,", "of the specification <<<<0, 0, 0>>, <<0, 0, <<0, 0>>>>"}},
	} {
		b := bond.Bonds()[0]
		b.Body = c.body
		code, err := b.Explore()
		require.NoError(t, err)
		_, err = bond.Compare(code, golden.Graph)
		var d *bond.Difference
		require.ErrorAs(t, err, &d)
		for _, want := range c.want {
			require.Contains(t, b.Explain(err), want)
		}
		require.Contains(t, b.Explain(err), "go thread 1")
	}
}
