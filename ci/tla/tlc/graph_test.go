package tlc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/bond"
)

const (
	right2 = `"<<\"edge\", 1, \"Go\", <<>>, 0, FALSE, FALSE, <<<<0>>, <<0>>>>, <<<<1>>, <<0>>>>>>"` + "\n"
	wrong2 = `"<<\"edge\", 1, \"Go\", <<>>, 0, FALSE, FALSE, <<<<0>>, <<0>>>>, <<<<2>>, <<0>>>>>>"` + "\n"
	twice2 = right2 + `"<<\"edge\", 1, \"Run\", <<>>, 0, FALSE, FALSE, <<<<0>>, <<0>>>>, <<<<2>>, <<0>>>>>>"` + "\n"
)

func TestGraphIsJudged(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"M.tla": "---- MODULE M ----\n====\n", "bonds/B.cfg": "SPECIFICATION S\n", "broken/X.cfg": "SPECIFICATION S\n"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	b := tla.Model{Name: "B", Module: "M", Config: "bonds/B.cfg", Bond: "B"}
	x := tla.Model{Name: "X", Module: "M", Config: "broken/X.cfg", Bond: "B"}
	judge := func(m tla.Model, printed string, counts bool) (string, []string) {
		_, note, complaints := tlc.JudgeGraph(m, tlc.Output{Printed: printed}, dir, counts)
		return note, complaints
	}
	_, complaints := judge(b, right2, true)
	require.Contains(t, complaints[0], "no such file")

	g, _, complaints := tlc.JudgeGraph(b, tlc.Output{Printed: right2}, dir, false)
	require.Empty(t, complaints, "a graph that is to be written is not compared")
	source, err := bond.SourceOf(dir, b.Name, b.Module, b.Config)
	require.NoError(t, err)
	require.Len(t, source.Files, 2)
	require.NoError(t, bond.Golden{Source: source, Graph: g}.Save(dir))

	note, complaints := judge(b, right2, true)
	require.Empty(t, complaints)
	require.Equal(t, "the golden graph: 2 states, 1 edges", note)
	_, complaints = judge(b, wrong2, true)
	require.Contains(t, complaints[0], "the graph is not the golden one: bond: the memory of the golden graph is <<1>>, of the specification <<2>>")
	_, complaints = judge(b, twice2, true)
	require.Contains(t, complaints[0], "two edges 1, by Go and by Run")

	note, complaints = judge(x, wrong2, true)
	require.Empty(t, complaints)
	require.Contains(t, note, "broken: bond: the memory of the golden graph is <<1>>, of the specification <<2>>")
	note, complaints = judge(x, twice2, true)
	require.Empty(t, complaints)
	require.Contains(t, note, "two edges 1")
	_, complaints = judge(x, right2, true)
	require.Equal(t, []string{"the graph is that of B: the change makes no difference"}, complaints)
	_, complaints = judge(x, "nothing", true)
	require.Contains(t, complaints[0], "TLC has printed no edge", "that says nothing about the change")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "M.tla"), []byte("---- MODULE M ----\nA == 1\n====\n"), 0o644))
	_, complaints = judge(b, right2, true)
	require.Contains(t, complaints[0], "made of other files; -update makes it again")
}
