package bond

import (
	"fmt"
	"strings"
)

// Difference is the first place where a program's graph is not a specification's.
type Difference struct {
	Path []Edge // a shortest way there: labels of the program, actions of the specification
	Next string // the label of the program's step that the specification has not, "" if it lacks none
	What string
}

func (d *Difference) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "bond: %s, after %d steps:\n", d.What, len(d.Path))
	for _, e := range d.Path {
		fmt.Fprintf(&b, "  %-12s %s\n", e.Label, e.Action)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Compare looks for a map from the states of code onto those of spec that keeps the
// first state, what is in the memory, and all edges both ways: state n has an edge
// to m if and only if the image of n has one with the same label to the image of m. If
// there is one, it is returned: whatever a run of one does, whichever choices are
// made, a run of the other does as well. If there is none the error is a Difference,
// one of the nearest to the first state.
func Compare(code, spec *Graph) (image []int, err error) {
	return CompareAs(code, "the code", spec, "the specification")
}

// CompareAs is Compare of graphs that a Difference is to call by these names.
func CompareAs(code *Graph, program string, spec *Graph, law string) (image []int, err error) {
	image = make([]int, len(code.Out))
	for i := range image {
		image[i] = -1
	}
	image[0] = 0
	leads, met := make([]lead, len(code.Out)), make([]bool, len(spec.Out))
	differ := func(n int, format string, args ...any) ([]int, error) {
		return nil, &Difference{Path: path(leads, n), What: fmt.Sprintf(format, args...)}
	}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		m := image[n]
		met[m] = true
		if code.Shown[n] != spec.Shown[m] {
			return differ(n, "the memory of %s is %s, of %s %s", program, code.Shown[n], law, spec.Shown[m])
		}
		for _, e := range spec.Out[m] {
			if _, ok := code.find(n, e.Label); !ok {
				return differ(n, "%s can go on by %s, %s by %s", law, labels([]Edge{e}), program, labels(code.Out[n]))
			}
		}
		for _, e := range code.Out[n] {
			f, ok := spec.find(m, e.Label)
			switch {
			case !ok:
				return nil, &Difference{path(leads, n), e.Label,
					fmt.Sprintf("%s can go on by %s, %s by %s", program, labels([]Edge{e}), law, labels(spec.Out[m]))}
			case image[e.To] < 0:
				image[e.To], leads[e.To] = f.To, lead{n, f}
				queue = append(queue, e.To)
			case image[e.To] != f.To:
				return nil, &Difference{path(leads, n), e.Label,
					fmt.Sprintf("%s leads %s to another state than another way does, and %s to the same; that way:\n%sthis way",
						labels([]Edge{f}), law, program, steps(path(leads, e.To)))}
			}
		}
	}
	for m, ok := range met {
		if !ok {
			return nil, &Difference{What: fmt.Sprintf("no state of %s is state %d of %s, %s", program, m, law, spec.Shown[m])}
		}
	}
	return image, nil
}

// path returns the way to a state.
func path(leads []lead, n int) (all []Edge) {
	for ; n != 0; n = leads[n].from {
		all = append([]Edge{leads[n].by}, all...)
	}
	return all
}

func labels(out []Edge) string {
	if len(out) == 0 {
		return "nothing"
	}
	var all []string
	for _, e := range out {
		text := e.Label
		if e.Action != "" {
			text += " (" + e.Action + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func steps(path []Edge) string {
	var b strings.Builder
	for _, e := range path {
		fmt.Fprintf(&b, "    %-12s %s\n", e.Label, e.Action)
	}
	return b.String()
}
