package main

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// TestEveryProgramRuns runs each program, in the ordinary build on goroutines
// and under the tag in every interleaving, and its outcomes fit their width.
func TestEveryProgramRuns(t *testing.T) {
	for _, p := range programs() {
		t.Run(p.name, func(t *testing.T) {
			if p.threads*p.width > 64 || p.width == 0 {
				t.Fatalf("%d threads of %d bits", p.threads, p.width)
			}
			r := loom.Check(t, func() {
				if out := p.body(); p.threads*p.width < 64 && out>>(p.threads*p.width) != 0 {
					loom.Failf("Width", "outcome %#x", out)
				}
			}, loom.Stress(20))
			if loom.Enabled && !r.Exhausted {
				t.Error(r)
			}
		})
	}
}

// The text is what loom-rs/src/ring.rs reads.
func TestScenarioIsWrittenForTheOtherSide(t *testing.T) {
	s, err := model.Parse("x", `target: ring
capacity: 4
start: -2
setup: push 1, push 2
setup thief: push 3
owner: pop, push 4
thief: steal owner
claims: NoLostTask
`)
	must(err)
	const want = "4/4294967294/+1,+2:-,+4/+3:s0"
	if got := (scenario{Scenario: s}).text(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestScenarioForTheOtherSideOnlyPushesPopsAndSteals(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("len is written")
		}
	}()
	code(model.Op{Kind: model.Len})
}

// made is a row as if it had been measured.
func made(mustFinish bool, rust, filch searches) row {
	return row{program: program{name: "made", threads: 2, width: 4, mustFinish: mustFinish}, rust: []searches{rust}, filch: []searches{filch}}
}

func TestBars(t *testing.T) {
	search := func(executions int, seconds float64, outcomes ...string) searches {
		return searches{First: executions, Executions: executions, Seconds: seconds, Finished: true, Complete: 1, Outcomes: outcomes}
	}
	cut := search(1000, 1)
	cut.Finished, cut.Complete = false, 0
	broken := search(1, 1)
	broken.Failure = "it broke"
	for _, c := range []struct {
		name string
		row  row
		want string
	}{
		{"met", made(true, search(1000, 1), search(100, 0.01)), ""},
		{"too slow", made(false, search(1000, 1), search(900, 0.1)), "made: 9.0 times the executions a second, not 10"},
		{"slow, few", made(true, search(1000, 1), search(500, 0.02)), "made: 50.0 times less time, not 100"},
		{"slow, few, not asked for", made(false, search(1000, 1), search(500, 0.02)), ""},
		{"short, and soon over", made(false, search(1000, 1), search(9, 0.09)), ""},
		{"short, and not soon over", made(false, search(1000, 1), search(9, 0.11)), "made: 9.1 times less time, not 10"},
		{"met, no end on the other side", made(false, cut, search(10000, 1)), ""},
		{"short, not soon over, and the other side loses", made(false, search(1000, 1), search(9, 0.11, "1")), ""},
		{"at least", made(true, cut, search(100, 0.01)), ""},
		{"broken", made(false, broken, search(100, 0.01)), "made: it broke"},
	} {
		_, missed := c.row.line()
		if c.want == "" && len(missed) > 0 || c.want != "" && (len(missed) != 1 || missed[0] != c.want) {
			t.Errorf("%s: %q, want %q", c.name, missed, c.want)
		}
	}
	if _, missed := made(false, search(1000, 1), cut).line(); len(missed) != 2 {
		t.Errorf("a search that filch does not finish: %q", missed)
	}
}

func TestOutcomesAreCompared(t *testing.T) {
	side := func(finished bool, outcomes ...string) searches {
		return searches{Finished: finished, Complete: 1, Outcomes: outcomes}
	}
	for _, c := range []struct {
		row           row
		short, inFull string
	}{
		{made(false, side(true, "0", "12"), side(true, "12", "0")), "2, alike", "Both show the same 2 outcomes."},
		{made(false, side(true, "0"), side(true, "12", "0")), "2, loom loses 1", "Rust's loom finishes without 1 of 2 outcomes (0x1 | 0x2)."},
		{made(false, side(false, "0"), side(true, "12", "0")), "2, 1 not seen yet by loom", "Rust's loom does not finish and has not shown 1 of 2 outcomes."},
		{made(false, side(true, "3"), side(true)), "0, loom adds 1", "Rust's loom shows 1 that no interleaving has (0x0 | 0x3): it takes sequentially consistent accesses for acquire and release."},
	} {
		if got := c.row.compared(); got != c.short {
			t.Errorf("%q, want %q", got, c.short)
		}
		if got := c.row.verdict(); got != c.inFull {
			t.Errorf("%q, want %q", got, c.inFull)
		}
	}
}
