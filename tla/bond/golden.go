package bond

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// GoldenName returns the path, from the folder of the specifications, of the golden
// file of a model's graph.
func GoldenName(model string) string { return "golden/" + model + ".graph.gz" }

// Source is the files that a golden graph is made of: the model, its root module with
// all that this extends or instantiates, and its .cfg, each with its sha256.
type Source struct {
	Model string
	Files []string // "path sha256", in order
}

var moduleEnd = regexp.MustCompile(`(?m)^====+$`)

var uses = regexp.MustCompile(`(?m)^EXTENDS (.*)$|\bINSTANCE (\w+)`)

// SourceOf reads what the graph of a model is made of from the folder of the
// specifications. Modules that are not there are TLC's own; what follows the end of a
// module is no part of it.
func SourceOf(dir, model, module, config string) (Source, error) {
	s := Source{Model: model}
	queue := []string{module + ".tla", config}
	for i := 0; i < len(queue); i++ {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(queue[i])))
		if os.IsNotExist(err) && i > 1 {
			continue
		}
		if err != nil {
			return s, fmt.Errorf("bond: %w", err)
		}
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		if end := moduleEnd.FindIndex(text); end != nil && strings.HasSuffix(queue[i], ".tla") {
			text = append(text[:end[1]:end[1]], '\n')
		}
		s.Files = append(s.Files, fmt.Sprintf("%s %x", queue[i], sha256.Sum256(text)))
		for _, u := range uses.FindAllStringSubmatch(string(text), -1) {
			for _, name := range strings.Split(u[1]+u[2], ",") {
				if name = strings.TrimSpace(name) + ".tla"; !slices.Contains(queue, name) {
					queue = append(queue, name)
				}
			}
		}
	}
	slices.Sort(s.Files)
	return s, nil
}

// Golden is a specification's graph in its canonical form, and what it was made of.
type Golden struct {
	Source
	*Graph
}

// Text returns the golden graph as its file has it, unpacked. The lines are
//
//	model NAME
//	file PATH SHA256            for each
//	graph S E                   how many states and edges there are
//	state N MEMORY              a state
//	N LABEL ACTIONS M           an edge from state N to state M
//
// States have numbers in the order in which a breadth-first search meets them that
// follows edges in the order of their labels.
func (g Golden) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "model %s\n", g.Model)
	for _, f := range g.Files {
		fmt.Fprintf(&b, "file %s\n", f)
	}
	fmt.Fprintf(&b, "graph %d %d\n", len(g.Out), g.Edges())
	for n, out := range g.Out {
		fmt.Fprintf(&b, "state %d %s\n", n, g.Shown[n])
		for _, e := range out {
			fmt.Fprintf(&b, "%d %s %s %d\n", n, e.Label, e.Action, e.To)
		}
	}
	return b.Bytes()
}

// Save writes the golden file in the folder of the specifications.
func (g Golden) Save(dir string) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(g.Text())
	}
	if err == nil {
		err = z.Close()
	}
	name := filepath.Join(dir, filepath.FromSlash(GoldenName(g.Model)))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err == nil {
		err = os.WriteFile(name, b.Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Errorf("bond: %w", err)
	}
	return nil
}

// Load reads the golden file of a model from the folder of the specifications.
func Load(dir, model string) (Golden, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(GoldenName(model))))
	if err != nil {
		return Golden{}, fmt.Errorf("bond: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return Golden{}, fmt.Errorf("bond: %s: %w", f.Name(), err)
	}
	g, err := parseGolden(z)
	if err != nil {
		return Golden{}, fmt.Errorf("bond: %s: %w", f.Name(), err)
	}
	return g, nil
}

func parseGolden(r io.Reader) (Golden, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	g, states, edges := Golden{Graph: &Graph{}}, 0, 0
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		var err error
		switch word {
		case "model":
			g.Model = rest
		case "file":
			g.Files = append(g.Files, rest)
		case "graph":
			_, err = fmt.Sscan(rest, &states, &edges)
		case "state":
			_, shown, _ := strings.Cut(rest, " ")
			g.Shown, g.Out = append(g.Shown, shown), append(g.Out, nil)
		default:
			var from int
			var e Edge
			if _, err = fmt.Sscan(in.Text(), &from, &e.Label, &e.Action, &e.To); err == nil && (from != len(g.Out)-1 || e.To >= states) {
				err = fmt.Errorf("an edge out of place")
			}
			if err == nil {
				g.Out[from] = append(g.Out[from], e)
			}
		}
		if err != nil {
			return g, fmt.Errorf("%q: %w", in.Text(), err)
		}
	}
	if err := in.Err(); err != nil {
		return g, err
	}
	if len(g.Out) != states || g.Edges() != edges || states == 0 {
		return g, fmt.Errorf("%d states and %d edges, and it has %d and %d", states, edges, len(g.Out), g.Edges())
	}
	return g, g.sorted()
}
