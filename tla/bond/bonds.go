package bond

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/filch-sched/filch/loom"
)

// Bond is a driver of production code whose graph is that of a specification.
type Bond struct {
	Model         string // of the manifest
	Body          func()
	Options       []loom.Option
	States, Edges int // of the code: more than the specification's, since it forgets less
}

// Bonds are all of them.
func Bonds() []Bond {
	return []Bond{
		{"RingSmall", Rings(2, 1, true), RingOptions(), 894, 2144},
		{"RingOne", Rings(4, 1, true), RingOptions(), 14973, 37300},
		{"RingTwoSmall", Rings(2, 2, true), RingOptions(), 12550, 42368},
		{"RingTwo", Rings(4, 2, false), RingOptions(), 204338, 699115},
		{"Pair", Pair(2, true), RingOptions(), 10009, 28016},
		{"Parker", Parker(), ParkerOptions(), 1150, 3538},
		{"Shared", Inject(2, 2, 2), nil, 44262, 151152},
		{"Batches", Inject(1, 3, 3), nil, 3468, 6937},
		{"Tracker", Tracker(2), TrackerOptions(), 81583, 220742},
	}
}

// Explore returns the graph of the code.
func (b Bond) Explore() (*Graph, error) {
	var text bytes.Buffer
	r, err := loom.Graph(b.Body, append(b.Options[:len(b.Options):len(b.Options)], loom.Export(&text))...)
	if err != nil {
		return nil, err
	}
	if !r.Exhausted {
		return nil, fmt.Errorf("bond: %s: %v", b.Model, r)
	}
	return ParseExport(&text)
}

// Explain returns a difference with the steps of the code that lead to it, each with
// its file and line.
func (b Bond) Explain(err error) string {
	var d *Difference
	if !errors.As(err, &d) {
		return err.Error()
	}
	path := d.Path
	if d.Next != "" {
		path = append(path[:len(path):len(path)], Edge{Label: d.Next})
	}
	return fmt.Sprintf("%s: %v\nThe code's steps:\n%s", b.Model, err, b.Steps(path))
}

// Steps returns the steps of the code that a path is, one in each line, with file and
// line; those in parts in several.
func (b Bond) Steps(path []Edge) string {
	_, err := loom.Graph(b.Body, append(b.Options[:len(b.Options):len(b.Options)], loom.Replay(token(path)))...)
	if err == nil {
		return ""
	}
	_, table, found := strings.Cut(err.Error(), " violates nothing:\n")
	if !found {
		return err.Error()
	}
	return table
}

// token returns the replay token of a path: the threads of its steps by their
// letters, then the outcomes of the choices of each.
func token(path []Edge) string {
	const letters = "abcdefghij"
	var order strings.Builder
	choices := [len(letters)]string{}
	for i := 0; i < len(path); {
		thread, run := threadOf(path[i].Label), 0
		for ; i < len(path) && threadOf(path[i].Label) == thread; i++ {
			run++
			if _, made, some := strings.Cut(strings.TrimSuffix(path[i].Label, "!"), "."); some {
				choices[thread] += "." + made
			}
		}
		order.WriteByte(letters[thread])
		if run > 1 {
			order.WriteString(strconv.Itoa(run))
		}
	}
	for thread, made := range choices {
		if made != "" {
			order.WriteString("." + letters[thread:thread+1] + made[1:])
		}
	}
	return "1." + order.String()
}

// threadOf returns the number of the thread in a label.
func threadOf(label string) int {
	digits := label[:len(label)-len(strings.TrimLeft(label, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(fmt.Sprintf("bond: label %q begins with no thread", label))
	}
	return n
}
