package fuzz

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/filch-sched/filch/model"
)

// fits returns an error if the program of a file, whose scenario is s, is none of shape
// sh: with the line that says so. It would be run on what it is not about, and pass.
func (sh Shape) fits(file string, s model.Scenario, p Program) error {
	wrong := func(key, format string, args ...any) error {
		return fmt.Errorf("fuzz: %s:%d: %s", file, lineOf(file, key), fmt.Sprintf(format, args...))
	}
	if sh.Target != 0 && s.Target != sh.Target {
		return wrong("target", "a program on target %v, but this fuzz target runs programs on %v", s.Target, sh.Target)
	}
	if !slices.Contains(targets, s.Target) && s.Target != sh.Target {
		return noTarget(file, s)
	}
	least, most := sh.MinThreads, sh.MaxThreads
	if manned(s.Target) {
		least, most = 1, crewThreads
	}
	if n := len(s.Threads); n < least || n > most {
		return wrong(s.Threads[n-1].Name, "%d threads, but programs of this fuzz target have %d to %d", n, least, most)
	}
	g := newGrammar(nil, sh, &Program{Scenario: p.Scenario})
	g.closes, g.mine = true, []model.Task{1}
	for _, st := range s.Setup {
		if !slices.Contains(g.kindsOf(st.Thread, true), st.Kind) {
			return wrong("setup", "%v before the threads start, which no program of this fuzz target does", st.Op)
		}
	}
	for t, th := range s.Threads {
		g.closes = !awaits(s)
		allowed := g.kindsOf(t, false)
		for _, op := range th.Ops {
			if !slices.Contains(allowed, op.Kind) {
				return wrong(th.Name, "%v by %s, which no program of this fuzz target does", op, th.Name)
			}
		}
	}
	if _, err := sh.Encode(p); err != nil {
		return wrong("target", "it is no program of this fuzz target: %v", err)
	}
	return nil
}

// noTarget is the error for a scenario whose target programs do not run on.
func noTarget(file string, s model.Scenario) error {
	return fmt.Errorf("fuzz: %s:%d: target %v is none that programs run on", file, lineOf(file, "target"), s.Target)
}

// awaits reports whether a thread of s waits for a task.
func awaits(s model.Scenario) bool {
	for _, th := range s.Threads {
		if slices.ContainsFunc(th.Ops, func(o model.Op) bool { return o.Kind == model.Await }) {
			return true
		}
	}
	return false
}

// lineOf is the number of the first line of a file that begins with key, 1 if none does.
func lineOf(file, key string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 1
	}
	for i, line := range strings.Split(string(text), "\n") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), key)
		if ok && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " ")) {
			return i + 1
		}
	}
	return 1
}
