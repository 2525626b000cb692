package bond_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla/bond"
)

// edge is how a specification prints an edge.
func edge(thread int, action, choices string, answer int, ended, part bool, from, to string) string {
	truth := map[bool]string{true: "TRUE", false: "FALSE"}
	text := fmt.Sprintf(`<<"edge", %d, "%s", %s, %d, %s, %s, %s, %s>>`, thread, action, choices, answer, truth[ended], truth[part], from, to)
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + "\"\n"
}

func parse(t *testing.T, lines ...string) *bond.Graph {
	g, err := bond.ParseTLC(strings.NewReader("TLC2 Version\n" + strings.Join(lines, "") + "done\n"))
	require.NoError(t, err)
	return g
}

// State texts: a pair of what is in the memory and of what threads remember.
const (
	zero  = `<<<<0, << >>>>, <<"idle">>>>`
	begun = `<<<<0, << >>>>, <<"in">>>>`
	half  = `<<<<1, << >>>>, <<"half">>>>`
	one   = `<<<<1, << >>>>, <<"idle">>>>`
)

func TestPartsAreMadeOneStep(t *testing.T) {
	g := parse(t,
		edge(1, "Begin", "<<2>>", 0, false, false, zero, begun),
		edge(1, "Load", "<<>>", 0, false, true, begun, half),
		edge(1, "Store", "<<>>", 1, true, true, half, one),
		edge(2, "Reset", "<< >>", 0, true, false, one, zero),
	)
	require.Equal(t, &bond.Graph{
		Shown: []string{"<<0, <<>>>>", "<<1, <<>>>>"},
		Out: [][]bond.Edge{
			{{Label: "1.2.0!", Action: "Begin+Load+Store", To: 1}},
			{{Label: "2!", Action: "Reset", To: 0}},
		},
	}, g)
}

func TestGraphsOfNoProgramAreRefused(t *testing.T) {
	for want, lines := range map[string][]string{
		"has two edges 1": {
			edge(1, "A", "<<>>", 0, false, false, zero, begun), edge(1, "B", "<<>>", 0, false, false, zero, one)},
		"another thread goes on in the middle": {
			edge(1, "A", "<<>>", 0, false, false, zero, begun), edge(1, "B", "<<>>", 0, false, true, begun, one),
			edge(2, "C", "<<>>", 0, false, false, begun, one)},
		"has no end": {
			edge(1, "A", "<<>>", 0, false, false, zero, begun), edge(1, "B", "<<>>", 0, false, true, begun, half),
			edge(1, "C", "<<>>", 0, false, true, half, begun)},
	} {
		_, err := bond.ParseTLC(strings.NewReader(strings.Join(lines, "")))
		var ambiguous *bond.Ambiguous
		require.ErrorAs(t, err, &ambiguous, want)
		require.ErrorContains(t, err, want)
	}
	_, err := bond.ParseTLC(strings.NewReader("Finished\n"))
	require.ErrorContains(t, err, "TLC has printed no edge")
	_, err = bond.ParseTLC(strings.NewReader("\"<<\\\"edge\\\", 1, 2>>\"\n"))
	require.ErrorContains(t, err, "an edge of 2 parts: 1, 2")
}

// toggle is two states that two labels lead between.
func toggle() *bond.Graph {
	return &bond.Graph{Shown: []string{"a", "b"}, Out: [][]bond.Edge{
		{{Label: "1", Action: "Go", To: 1}, {Label: "2", Action: "Wait", To: 0}},
		{{Label: "1", Action: "Come", To: 0}},
	}}
}

func TestCodeMayTellMoreStatesApart(t *testing.T) {
	code := &bond.Graph{Shown: []string{"a", "b", "a"}, Out: [][]bond.Edge{
		{{Label: "1", To: 1}, {Label: "2", To: 2}},
		{{Label: "1", To: 2}},
		{{Label: "1", To: 1}, {Label: "2", To: 0}},
	}}
	image, err := bond.Compare(code, toggle())
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 0}, image)
}

func TestEveryKindOfDifferenceIsFound(t *testing.T) {
	for want, change := range map[string]func(code, spec *bond.Graph){
		"the memory of the code is c, of the specification b, after 1 steps:\n  1            Go": func(code, _ *bond.Graph) { code.Shown[1] = "c" },
		"the specification can go on by 2 (Wait), the code by 1":                                 func(code, _ *bond.Graph) { code.Out[0] = code.Out[0][:1] },
		"the code can go on by 2 (Wait), the specification by 1 (Go)":                                   func(_, spec *bond.Graph) { spec.Out[0] = spec.Out[0][:1] },
		"1 (Come) leads the specification to another state than another way does": func(_, spec *bond.Graph) {
			spec.Shown, spec.Out = append(spec.Shown, "a"), append(spec.Out, spec.Out[0])
			spec.Out[1] = []bond.Edge{{Label: "1", Action: "Come", To: 2}}
		},
		"no state of the code is state 2 of the specification": func(_, spec *bond.Graph) {
			spec.Shown, spec.Out = append(spec.Shown, "c"), append(spec.Out, nil)
		},
	} {
		code, spec := toggle(), toggle()
		change(code, spec)
		_, err := bond.Compare(code, spec)
		require.ErrorContains(t, err, want)
	}
}

func TestExportIsRead(t *testing.T) {
	g, err := bond.ParseExport(strings.NewReader("graph 2 3\nstate 0 1 2 : a\n0 2 0\n0 1 1\nstate 1 1 : b\n1 1 0\n"))
	require.NoError(t, err)
	image, err := bond.Compare(g, toggle())
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, image)
	for text, want := range map[string]string{
		"":                                     "an empty export",
		"nonsense\n":                           "is not how an export begins",
		"graph 1 1\nstate 0 1 : a\n":           "has 1 and 0",
		"graph 1 1\nstate 0 1 : a\n0 1 1\n":    "is no edge",
		"graph 1 2\nstate 0 : a\n0 1 0\n0 1 0": "has two edges 1",
	} {
		_, err := bond.ParseExport(strings.NewReader(text))
		require.ErrorContains(t, err, want)
	}
}
