//go:build loom

package loom_test

func init() { mutants = append(mutants, graphMutants...) }

// graphMutants are bugs of the search of states: of keys, leaps, edges, and of what
// is looked for on the closed graph.
var graphMutants = []struct {
	name   string
	killer string
	edits  []edit
}{
	// Keys.
	{"the last field of a struct is not in keys", "memory:TestEveryDifferenceIsWritten", []edit{{"memory/plan.go",
		"for i := range t.NumField() {\n\t\tif f := t.Field(i); f.Name != \"_\" {", "for i := range t.NumField() {\n\t\tif f := t.Field(i); f.Name != \"_\" && (i == 0 || i < t.NumField()-1) {"}}},
	{"a hash of 16 bits", "TestLeapsMakeNoDifferenceToRandomPrograms", []edit{{"graph/table.go",
		"return digest{maphash.Bytes(seeds[0], b), maphash.Bytes(seeds[1], b)}",
		"return digest{maphash.Bytes(seeds[0], b) & 0xff, maphash.Bytes(seeds[1], b) >> 56 << 56}"}}},
	{"a table compares half of a hash that it has cut", "TestLeapsMakeNoDifferenceToRandomPrograms", []edit{{"graph/table.go",
		"*t.of.at(n - 1) == d {", "t.of.at(n - 1)[0]>>56 == d[0]>>56 {"}}},
	{"what a thread has observed is not in keys", "TestGraphsAndTracesAgree", []edit{{"graph/key.go",
		"\tfor i := range seen {\n\t\tif err := k.observation(&seen[i]); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n", ""}}},
	{"the key of a boundary is not in keys", "TestLeapsMakeNoDifferenceToRandomPrograms", []edit{{"graph/key.go",
		"k.w.Uint(t.BoundaryKey())", "k.w.Uint(0)"}}},
	{"what a lock guards is not observed", "TestGraphWhatALockGuardsIsRemembered", []edit{{"machine/observe.go",
		"if t.seeing != nil && t.seeing.Plain != nil {", "if t.seeing != nil && t.seeing.Plain == nil {"}}},
	{"symmetric threads are not in order", "TestGraphSymmetry", []edit{{"graph/parts.go",
		"func(a, b portion) int { return bytes.Compare(a.bytes, b.bytes) }", "func(a, b portion) int { return bytes.Compare(nil, nil) }"}}},
	{"Exact believes what the driver says of locks", "TestWrongGuardsAreNoticed", []edit{{"graph/key.go",
		"\tif k.s.opts.Exact {\n\t\treturn nil, false\n\t}\n", ""}}},
	{"a map with pointers for keys is written", "TestGraphRefusesMemoryThatKeysDoNotCover", []edit{{"memory/plan.go",
		"if m.Len() > 0 && Pointy(m.Type().Key()) {", "if m.Len() < 0 {"}}},

	// Edges and states.
	{"an edge is dropped", "TestKnownStepsMakeNoDifference", []edit{{"graph/walk.go",
		"\ts.g.link(r.at, e, n)\n", "\tif n != 3 {\n\t\ts.g.link(r.at, e, n)\n\t}\n"}}},
	{"the last outcome of a choice is not tried", "TestGraphTriesAllOutcomes", []edit{{"graph/onward.go",
		"if v < r.outcome[i] {", "if v < r.outcome[i]-1 {"}}},
	{"the last thread takes no steps", "TestGraphsAndTracesAgree", []edit{{"graph/walk.go",
		"nextThread(s.g.may(at), int(r.edge.Thread)+1)", "nextThread(s.g.may(at)&(1<<2-1), int(r.edge.Thread)+1)"}}},
	{"a step that leads elsewhere than before is no error", "TestGraphRefusesWhatItCannotKey", []edit{{"graph/walk.go",
		"\t\tif n != r.from {", "\t\tif false {"}, {"graph/walk.go", "\t\tif n != r.at {", "\t\tif false {"}}},
	{"paths in reports begin at hubs", "TestKnownStepsFindTheSameViolations", []edit{{"graph/workers.go",
		"\tc.g.root()\n", ""}}},
	{"accesses to cells of the last step do not race", "TestGraphSeesRacesOnCells", []edit{{"graph/examine.go",
		"if a.Object == b.Object && (a.Store || b.Store) {", "if a.Object == b.Object && a.Store && b.Store {"}}},
	{"only the first end is looked at by a table", "TestNoStateIsMissedUnheard", []edit{{"graph/recall.go",
		"(h.n < 0 || h.what.may == 0)", "h.n < 0"}}},
	{"the end is not looked at", "TestNoStateIsMissedUnheard", []edit{{"graph/search.go",
		"\tf, _ := s.examine()\n\ts.shown = \"\"\n\treturn f", "\ts.shown = \"\"\n\treturn nil"}}},
	{"interchangeable threads share a home", "TestNoStateIsMissedUnheard", []edit{{"graph/memo.go",
		" || s.hubs.halts[id] != s.hubs.halts[members[0]]", ""}}},
	{"to settle is a boundary", "TestNoStateIsMissedUnheard", []edit{{"machine/observe.go",
		"t.co == nil, t.settling}", "t.co == nil}"}}},
	{"steps on cells settle", "TestEndAfterCellsIsNoStepOfItsOwn", []edit{{"machine/observe.go",
		"!t.seeing.Joined || ", ""}}},

	// Leaps.
	{"a leap puts nothing in place", "TestLeapsMakeNoDifference", []edit{{"graph/hub.go",
		"\t\ts.image.Restore(saved)\n", ""}}},
	{"a leap puts the first words in place alone", "memory:TestImagePutsBackWhatItHasSaved", []edit{{"memory/image.go",
		"\tfor i := range m.spans {\n\t\tb = b[", "\tfor i := range m.spans[:1] {\n\t\tb = b["}}},
	{"a leap leaves threads signalled", "TestLeapsMakeNoDifference", []edit{{"machine/rest.go",
		"t.touched, t.signalled, t.asleep, t.disturbed = t.touched[:0], false, false, false", "t.touched = t.touched[:0]"}}},
	{"a leap does not look at the shape of memory", "TestLeapsNeedTheShapeOfTheFirstState", []edit{{"graph/hub.go",
		"s.m.Idle() && s.image.Same()", "s.m.Idle()"}}},
	{"a hub is where some threads are", "TestLeapsMakeNoDifference", []edit{{"graph/hub.go",
		"if h, is := s.m.Thread(i).Halt(); !is || h != want {\n\t\t\tset", "if _, is := s.m.Thread(i).Halt(); !is && i < 3 || want == (machine.Halt{}) {\n\t\t\tset"}}},

	// Known steps.
	{"a local does not tell the key of its boundary", "TestKnownStepsMakeNoDifference", []edit{{"machine/local.go",
		"binary.AppendUvarint(append(b, flags), t.key)", "binary.AppendUvarint(append(b, flags), 0)"}}},
	{"a local does not tell which cells were touched", "TestKnownStepsMakeNoDifference", []edit{{"machine/local.go",
		"b = binary.AppendUvarint(b, uint64(len(t.touched)))\n\tfor _, c := range t.touched {", "b = binary.AppendUvarint(b, 0)\n\tfor _, c := range t.touched[:0] {"}}},
	{"other outcomes of a known step are forgotten", "TestKnownStepsMakeNoDifference", []edit{{"graph/miss.go",
		"if ms.by = r.other(ms.by); ms.by.none() {", "if ms.by = (Edge{Thread: nothing}); ms.by.none() {"}}},
	{"a known step on the way home is known whatever was chosen", "TestKnownStepsMakeNoDifference", []edit{{"graph/miss.go",
		"if ms.after.image >= 0 && len(s.run.outcome) == 0 {", "if ms.after.image >= 0 {"}}},
	{"a known step completes nothing", "TestKnownStepsMakeNoDifference", []edit{{"graph/miss.go",
		"\tif r.complete {\n\t\te.Ends = completes", "\tif false {\n\t\te.Ends = completes"}}},
	{"a step is taken beside whatever memory is there", "TestKnownStepsMakeNoDifference", []edit{{"graph/learn.go",
		"\ts.put(l.image)\n\ts.putOwn", "\ts.putOwn"}}},
	{"a step is taken with whatever its thread has for itself", "TestKnownStepsMakeNoDifference", []edit{{"graph/learn.go",
		"\ts.putOwn(ms.thread, l.local)\n", ""}}},
	{"a thread is brought to where it is beside the memory that its last step has left", "TestKnownStepsMakeNoDifference", []edit{{"graph/recall.go",
		"last = link{st[0], st[1+t], mv.by.Choices}", "last = link{mv.image, st[1+t], mv.by.Choices}"}}},
	{"a local is what it is beside another memory", "TestKnownStepsCountFromWhereTheyAre", []edit{{"graph/local.go",
		"m.first.put(image, part, id)", "m.first.put(0, part, id)"}}},
	{"only the thread that has taken a step is looked at again", "TestKnownStepsCountFromWhereTheyAre", []edit{{"graph/recall.go",
		"case mv.image == st[0]:", "default:"}}},
	{"a known state is looked at with the memory of another one", "TestKnownStepsFindTheSameViolations", []edit{{"graph/recall.go",
		"\ts.put(st[0])\n\tfor t", "\tfor t"}}},
	{"the edges of one state run into those of another", "TestKnownStepsMakeNoDifference", []edit{{"graph/states.go",
		"\t\tlabel |= ending\n", ""}}},
	{"memory that changes its shape is known by its values", "TestKnownStepsNeedOneShape", []edit{{"graph/miss.go",
		"s.m.Threads() != len(m.slots) || !s.image.Same()", "s.m.Threads() != len(m.slots)"}}},
	{"an object of any kind is what memory holds", "TestKnownStepsNeedOneShape", []edit{{"machine/local.go",
		"return k <= Bool || k == Cells || k == Choices", "return true"}}},

	// Runs without an end.
	{"fairness is forgotten", "TestGraphIsFair", []edit{{"graph/cycles.go",
		"\t\tif p.edge < 0 {\n\t\t\treturn nil, false\n\t\t}\n\t\tthrough", "\t\tif p.edge < 0 {\n\t\t\tcontinue\n\t\t}\n\t\tthrough"}}},
	{"a thread that waits now and then is treated unfairly if it takes no steps", "TestLassoWithASleeperIsFair", []edit{{"graph/cycles.go",
		"\t\talways &= v.may(n)\n", "\t\talways = some | v.may(n)\n"}}},
	{"an operation that is completed is progress of its thread alone", "TestGraphFindsEndlessRuns", []edit{{"graph/cycles.go",
		"wants: func(e Edge) bool { return e.Ends&completes == 0 }}\n\treturn", "wants: func(e Edge) bool { return e.Thread != 1 || e.Ends&completes == 0 }}\n\treturn"}}},
	{"an operation that another thread completes is one's own", "TestWaitFreeIsMoreThanLockFree", []edit{{"graph/cycles.go",
		"return e.Thread != t || e.Ends&completes == 0", "return e.Ends&completes == 0"}}},
	{"a run without an end goes round once more for threads that there are not", "TestLassoIsAPrefixAndACycle", []edit{{"graph/cycles.go",
		"if (some&^always)>>t&1 == 0 || v.passes(through, t) {", "if always>>t&1 != 0 {"}}},
}
