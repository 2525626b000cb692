package closed

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/filch-sched/filch/loom"
)

// Closed is a graph that closes, and what is known of it.
type Closed struct {
	Protocol string // "ring", "pair", "chain", "inject", "parker", "idle", "sched"
	Bound    string // of what there is a number
	Body     func()
	Options  []loom.Option

	States, Edges, Depth int // 0: not counted with the form that the driver has now
	When                 When
}

// When says in which runs a graph is searched to its end, in others to the bound
// of [First] states.
type When int

const (
	Always  When = iota // go test
	Quick               // the part graphs of ci/run.sh, which takes some minutes
	Nightly             // the same, nightly
)

// String returns the word for it.
func (w When) String() string { return [...]string{"always", "quick", "nightly"}[w] }

// ParseWhen returns what a word stands for.
func ParseWhen(word string) (When, error) {
	for w := Always; w <= Nightly; w++ {
		if word == w.String() {
			return w, nil
		}
	}
	return 0, fmt.Errorf("closed: %q is none of always, quick and nightly", word)
}

// First is how many states of a larger graph a shorter run searches: those nearest
// to its beginning.
const First = 60_000

// Head begins the table of the graphs.
const Head = "| protocol | bound | states | edges | depth | run | time |\n|---|---|--:|--:|--:|---|--:|\n"

// Row is the graph's row in the table, with the time that it took.
func (c Closed) Row(took string) string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %v | %s |", c.Protocol, c.Bound, grouped(c.States), grouped(c.Edges), grouped(c.Depth), c.When, took)
}

// grouped writes n with a comma before every three digits, 0 as a dash.
func grouped(n int) string {
	if n == 0 {
		return "-"
	}
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Differs says how counts differ from what is known of the graph, "" if they do not.
func (c Closed) Differs(states, edges, depth int) string {
	for _, of := range []struct {
		what     string
		known, n int
	}{{"states", c.States, states}, {"edges", c.Edges, edges}, {"depth", c.Depth, depth}} {
		if of.known != 0 && of.known != of.n {
			return fmt.Sprintf("%d states, %d edges, depth %d; pinned are %d, %d, %d", states, edges, depth, c.States, c.Edges, c.Depth)
		}
	}
	return ""
}

// Name is the graph's name in tests: unique, without spaces.
func (c Closed) Name() string { return c.Protocol + "-" + word(c.Bound) }

func word(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c == ' ' || c == ',' || c == '/' {
			b[i] = '-'
		}
	}
	return string(b)
}

// Graphs returns the graphs, those that take least time first.
func Graphs() []Closed {
	var all []Closed
	for _, of := range []func() []Closed{ringGraphs, pairGraphs, chainGraphs, injectGraphs, parkerGraphs, idleGraphs, schedGraphs} {
		all = append(all, of()...)
	}
	slices.SortStableFunc(all, func(a, b Closed) int { return cmp.Compare(a.When, b.When) })
	return all
}

// ringGraphs are those of one owner and thieves. A thief that takes one task keeps
// none, from capacity 4 on some go through its own ring; two thieves meet at the
// claim, and of three two can be there while the third is done.
func ringGraphs() []Closed {
	const wrap = 1<<32 - 1
	ring := func(capacity, thieves, states, edges, depth int, when When) Closed {
		return Closed{"ring", fmt.Sprintf("capacity %d, thieves %d", capacity, thieves),
			Ring(capacity, thieves, 0), RingOptions(), states, edges, depth, when}
	}
	return []Closed{
		ring(2, 1, 1586, 3978, 25, Always),
		{"ring", "capacity 2, thieves 1, from the wrap", Ring(2, 1, wrap), RingOptions(), 1586, 3978, 25, Always},
		ring(2, 2, 10727, 36681, 33, Always),
		{"ring", "capacity 2, thieves 2, busy answers", AnsweredRing(2, 2), RingOptions(), 10727, 36681, 33, Always},
		{"ring", "capacity 2, lengths, operations 6", Lengths(2, 6), RingOptions(), 2590, 5250, 21, Always},
		ring(4, 1, 46616, 117743, 58, Always),
		{"ring", "capacity 4, thieves 1, from the wrap", Ring(4, 1, wrap), RingOptions(), 46616, 117743, 58, Always},
		{"ring", "capacity 2, thieves 1, operations 4 each, from the wrap, exact", BoundedRing(2, 1, 4, 1<<32-2), append(RingOptions(), loom.Exact()),
			26780, 53464, 37, Always},
		ring(2, 3, 52247, 230690, 36, Always),
		{"ring", "capacity 2, thieves 1, law", LawfulRing(2, 1, true), RingOptions(), 5264, 15505, 36, Always},
		{"ring", "capacity 2, thieves 2, law", LawfulRing(2, 2, false), RingOptions(), 170706, 652659, 45, Quick},
		{"ring", "capacity 4, thieves 1, law", LawfulRing(4, 1, true), RingOptions(), 274110, 849706, 82, Quick},
		ring(4, 2, 2963817, 10310952, 76, Quick),
		ring(4, 3, 94151143, 419461897, 91, Nightly),
	}
}

// pairGraphs are those of two workers that steal from each other.
func pairGraphs() []Closed {
	pair := func(capacity, tagged, states, edges, depth int, when When) Closed {
		return Closed{"pair", fmt.Sprintf("capacity %d, tagged %d", capacity, tagged),
			Pair(capacity, tagged), RingOptions(), states, edges, depth, when}
	}
	return []Closed{
		pair(2, 1, 22390, 63164, 36, Always),
		pair(2, 2, 60946, 171796, 39, Always),
		pair(4, 1, 729338, 2026882, 70, Nightly),
	}
}

// chainGraphs are those of three rings in a row. From capacity 4 on a steal publishes in
// the ring of a thief that is stolen from.
func chainGraphs() []Closed {
	return []Closed{{"chain", "capacity 4", Chain(4), RingOptions(), 275981, 904016, 253, Always}}
}

// injectGraphs are those of two that push or close and two that pop. Blocks hold two
// tasks, so two can be in two blocks, and three fill one.
func injectGraphs() []Closed {
	return []Closed{
		{"inject", "tasks 1, law", LawfulInject(1), nil, 5768, 29727, 25, Always},
		{"inject", "tasks 2", Inject(2), nil, 55614, 265549, 39, Always},
		{"inject", "tasks 2, law", LawfulInject(2), nil, 355998, 1507040, 38, Quick},
		{"inject", "tasks 3", Inject(3), nil, 247960, 1028221, 40, Nightly},
	}
}

// parkerGraphs are those of an owner and two that unpark it, or also close. Each
// timed park makes some six times as many states: its timer can be late for ever.
func parkerGraphs() []Closed {
	parker := func(timed int, closes bool, states, edges, depth int, when When) Closed {
		bound := fmt.Sprintf("timeouts %d", timed)
		if closes {
			bound += ", close"
		}
		return Closed{"parker", bound, Parker(timed, closes), ParkerOptions(), states, edges, depth, when}
	}
	return []Closed{
		parker(0, false, 2660, 8784, 42, Always),
		parker(0, true, 6899, 25232, 43, Always),
		parker(1, false, 30231, 102710, 45, Always),
		parker(1, true, 73575, 274919, 46, Always),
		parker(2, false, 161140, 562419, 61, Quick),
		parker(2, true, 376218, 1436535, 61, Nightly),
		{"parker", "timeouts 0, law", LawfulParker(0), ParkerOptions(), 7910, 25302, 44, Always},
		{"parker", "timeouts 1, law", LawfulParker(1), ParkerOptions(), 82295, 272819, 49, Always},
		{"parker", "timeouts 2, law", LawfulParker(2), ParkerOptions(), 426871, 1468602, 65, Nightly},
		parker(3, false, 666009, 2388615, 78, Nightly),
	}
}

// idleGraphs are those of crews.
func idleGraphs() []Closed {
	crew := func(c Crew, states, edges, depth int, when When) Closed {
		return Closed{"idle", c.String(), c.Body(), c.Options(), states, edges, depth, when}
	}
	return []Closed{
		crew(Crew{Workers: 1, Tasks: 1}, 741, 1479, 75, Always),
		crew(Crew{Workers: 1, Tasks: 1, Endless: true}, 741, 1479, 75, Always),
		crew(Crew{Workers: 1, Tasks: 1, Calls: true}, 10257, 30709, 88, Always),
		crew(Crew{Workers: 1, Tasks: 2}, 1211, 2484, 75, Always),
		crew(Crew{Workers: 2, Tasks: 2, Still: true, Endless: true}, 68566, 190027, 111, Always),
		crew(Crew{Workers: 2, Tasks: 1}, 221348, 620106, 148, Always),
		crew(Crew{Workers: 2, Tasks: 2}, 570190, 1628066, 148, Nightly),
		crew(Crew{Workers: 2, Tasks: 2, Asleep: 1}, 570190, 1628066, 143, Nightly),
		crew(Crew{Workers: 2, Tasks: 2, Asleep: 2}, 570190, 1628066, 145, Nightly),
		crew(Crew{Workers: 2, Tasks: 2, Batch: 2}, 844254, 2436034, 164, Nightly),
		crew(Crew{Workers: 3, Tasks: 1, Still: true}, 2867822, 10186784, 133, Nightly),
	}
}
