//go:build loom

package loom_test

// The bugs below are of the search with bounded preemptions.
func init() {
	mutants = append(mutants, []struct {
		name   string
		killer string
		edits  []edit
	}{
		{"a preemption costs nothing", "TestPreemptionBoundedCounts", []edit{{"explore/bound.go",
			"free = 1 << last.ID()", "free = pt.enabled"}}},
		{"to leave a thread that waits costs a preemption", "TestPreemptionBoundedCounts", []edit{{"explore/bound.go",
			"free := pt.enabled //", "free := pt.enabled & -pt.enabled //"}}},
		{"what was put off is run at once", "TestPreemptionBoundedCounts", []edit{{"explore/bound.go",
			"b.later = append(b.later,", "b.now = append(b.now,"}}},
		{"what was put off and is then free waits all the same", "TestBoundIsExact", []edit{{"explore/bound.go",
			"run := b.without(free, w.run)", "run := b.without(free, w.run|w.due)"}}},
		{"equivalent beginnings are taken for one whoever has taken the last step", "TestBoundIsExact", []edit{{"explore/bound_known.go",
			"return w.run&bit != 0\n", "return true\n"}}},
		{"what leads to a known beginning is not put off", "TestBoundIsExact", []edit{{"explore/bound.go",
			"\t\tb.known[e.to] = ways{}\n\t\tb.cut++\n\t}", "\t\tb.known[e.to] = ways{}\n\t\tb.cut++\n\t} else {\n\t\treturn\n\t}"}}},
		{"a beginning is not told apart from others as long", "TestBoundIsExact", []edit{{"explore/bound_known.go",
			"return beginning{b.p.trail.sum, b.other.sum} }", "return beginning{uint64(b.p.depth)} }"},
			{"explore/bound_known.go", "beginning{b.p.trail.sum + b.p.trail.hash(t, e, 0), b.other.sum + b.other.hash(t, e, 0)}", "beginning{uint64(b.p.depth) + uint64(e.Mode)*0 + 1}"}}},
		{"steps are known by the numbers of their threads", "TestBoundOfThreadsStartedInAnyOrder", []edit{{"explore/bound_known.go",
			"if tr.names[j] < tr.names[i] {", "if j < i {"}}},
		{"a trace counts with every thread that ends it", "TestPreemptionBoundedCounts", []edit{{"explore/bound.go",
			"\treturn fresh\n", "\treturn true || fresh\n"}, {"explore/bound_known.go",
			"case w.born == ended:\n\t\treturn true", "case w.born == ended:\n\t\treturn false"}}},
		{"the bound never cuts anything off", "TestBoundedRunSaysSo", []edit{{"explore/bound.go",
			"b.p.res.Cut = b.cut", "b.p.res.Cut = 0"}}},
		{"what has been met is still counted as cut off", "TestBoundedRunSaysSo", []edit{{"explore/bound_known.go",
			"\t\tb.cut--\n", ""}}},
		{"only what was put off last is looked at to know what is cut off", "TestBoundIsExact", []edit{{"explore/bound.go",
			"b.level == b.p.opts.Bound || b.cut == 0", "b.level == b.p.opts.Bound || b.cut <= 1"}}},
		{"what is repeated keeps too much of the execution before", "TestBoundIsExact", []edit{{"explore/bound.go",
			"b.frames[kept].node == ids[n-1-kept] {", "b.frames[kept].node != 0 {"}}},
	}...)
}
