package model

import (
	"fmt"
	"strings"
)

// Format returns the text of s: Parse of it gives s again.
func Format(s Scenario) string {
	var b strings.Builder
	for _, d := range s.Doc {
		b.WriteString(strings.TrimRight("# "+d, " ") + "\n")
	}
	line := func(key, value string) { fmt.Fprintf(&b, "%s: %s\n", key, value) }
	line("target", s.Target.String())
	if s.Capacity != 0 {
		line("capacity", fmt.Sprint(s.Capacity))
	}
	if s.Start != 0 {
		line("start", fmt.Sprint(s.Start))
	}
	if s.Workers != 0 {
		line("workers", fmt.Sprint(s.Workers))
	}
	if s.Asleep != 0 {
		line("asleep", fmt.Sprint(s.Asleep))
	}
	for _, l := range s.Tasks {
		line(fmt.Sprintf("task %d", l.Task), l.format())
	}
	names := s.Names()
	formatSetup(line, s.Setup, names)
	for _, t := range s.Threads {
		line(t.Name, formatOps(t.Ops, names))
	}
	if len(s.Claims) > 0 {
		line("claims", joinClaims(s.Claims))
	}
	if s.Nightly {
		line("run", nightly)
	}
	if s.Traces != 0 {
		line("traces", fmt.Sprint(s.Traces))
	}
	return b.String()
}

// format returns the value of a task line.
func (l Law) format() string {
	var parts []string
	if len(l.Spawns) > 0 {
		parts = append(parts, "spawns"+formatTasks(l.Spawns))
	}
	if l.Waits != 0 {
		parts = append(parts, "waits"+formatTasks([]Task{l.Waits}))
	}
	return strings.Join(parts, ", ")
}

func formatTasks(ts []Task) string {
	var b strings.Builder
	for _, t := range ts {
		fmt.Fprintf(&b, " %d", t)
	}
	return b.String()
}

// formatSetup writes one setup line for every run of steps of one thread.
func formatSetup(line func(key, value string), steps []Step, names []string) {
	for len(steps) > 0 {
		n := 1
		for n < len(steps) && steps[n].Thread == steps[0].Thread {
			n++
		}
		ops := make([]Op, n)
		for i, st := range steps[:n] {
			ops[i] = st.Op
		}
		key := "setup"
		if t := steps[0].Thread; t != 0 {
			key += " " + threadName(names, t)
		}
		line(key, formatOps(ops, names))
		steps = steps[n:]
	}
}

func formatOps(ops []Op, names []string) string {
	words := make([]string, len(ops))
	for i, o := range ops {
		words[i] = o.describe(names)
	}
	return strings.Join(words, ", ")
}

func joinClaims(cs []Claim) string {
	words := make([]string, len(cs))
	for i, c := range cs {
		words[i] = string(c)
	}
	return strings.Join(words, " ")
}
