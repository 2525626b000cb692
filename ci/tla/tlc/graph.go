package tlc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/bond"
)

// JudgeGraph compares the graph that a model with a bond has printed with the golden
// one of that bond, in the folder of the specifications: a bond must have that
// graph, made of these files, and a broken one must not. The note says in one line how
// a broken one differs. Where counts are not judged, nor are the graphs of bonds.
func JudgeGraph(m tla.Model, out Output, specs string, counts bool) (g *bond.Graph, note string, complaints []string) {
	g, err := bond.ParseTLC(strings.NewReader(out.Printed))
	broken := m.Bond != m.Name
	var unequal *bond.Ambiguous
	switch {
	case broken && errors.As(err, &unequal):
		return nil, "broken: " + err.Error(), nil
	case err != nil:
		return nil, "", []string{err.Error()}
	case !counts && !broken:
		return g, "", nil
	}
	golden, err := bond.Load(specs, m.Bond)
	if err != nil {
		return g, "", []string{err.Error()}
	}
	// The golden graph stands for the code's: what differs is the specification.
	_, err = bond.CompareAs(golden.Graph, "the golden graph", g, "the specification")
	if broken {
		if err == nil {
			return g, "", []string{fmt.Sprintf("the graph is that of %s: the change makes no difference", m.Bond)}
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		return g, "broken: " + strings.TrimSuffix(first, ":"), nil
	}
	source, bad := bond.SourceOf(specs, m.Name, m.Module, m.Config)
	now := bond.Golden{Source: source, Graph: g}
	switch {
	case bad != nil:
		return g, "", []string{bad.Error()}
	case err != nil:
		return g, "", []string{"the graph is not the golden one: " + err.Error() +
			"\nif the specification is meant to have changed, -update makes its graph the golden one, and go test -tags loom ./tla/bond compares that with the code"}
	case string(now.Text()) != string(golden.Text()):
		return g, "", []string{bond.GoldenName(m.Name) + " is this graph, but says that it was made of other files; -update makes it again"}
	}
	return g, fmt.Sprintf("the golden graph: %d states, %d edges", len(g.Out), g.Edges()), nil
}
