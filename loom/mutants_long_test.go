//go:build loom

package loom_test

func init() { mutants = append(mutants, longMutants...) }

// longMutants are bugs of shares and of saved searches.
var longMutants = []struct {
	name   string
	killer string
	edits  []edit
}{
	{"who sleeps at a prefix sleeps below it: the naive split", "TestSharesAreTheWhole", []edit{
		{"explore/path.go", "if _, ok := p.by.(*sleepSets); ok && n == p.guide.floor {", "if n == p.guide.floor {"},
		{"explore/shard.go", "if n == p.guide.floor {\n\t\treturn p.guide.asleep\n\t}\n", "if n == p.guide.floor {\n\t\treturn 0\n\t}\n"}}},
	{"a share runs the traces of others and counts them", "TestSharesAreTheWhole", []edit{{"explore/shard.go",
		"if n == p.guide.floor {\n\t\treturn p.guide.asleep\n\t}\n", "if n == p.guide.floor {\n\t\treturn 0\n\t}\n"}}},
	{"a step before which another has to wait is moved before it", "TestSharesOfRandomProgramsAreTheWhole", []edit{{"explore/shard.go",
		"return o.clashes(s, e.Object, e.Mode)\n", "return true || e.Object > 0\n"}}},
	{"a step that has waited is moved only before the last that it waited for", "TestSharesOfRandomProgramsAreTheWhole", []edit{{"explore/order.go",
		"if pt.n > 0 || waits(pt.code) || r.behindGate(j, r.have[pt.thread]+1) {", "if pt.n > 0 || waits(pt.code) {"}}},
	{"the last prefix is nobody's", "TestSharesAreTheWhole", []edit{{"explore/shard.go",
		"for i, g := range all {", "for i, g := range all[:len(all)-1] {"}}},
	{"a saved search forgets what is still to be run", "TestKilledSearchGoesOn", []edit{{"explore/checkpoint.go",
		"sp.Tree, sp.Then = o.forest.list(pt.tree), o.forest.list(pt.then)", "sp.Then = o.forest.list(pt.then)"}}},
	{"a saved search forgets who sleeps", "TestKilledSearchGoesOn", []edit{{"explore/checkpoint.go",
		"Value: pt.value, Asleep: pt.asleep,", "Value: pt.value,"}}},
	{"a search that was saved begins its counts anew", "TestKilledSearchGoesOn", []edit{{"explore/checkpoint.go",
		"p.res, p.share = s.Result, s.Share", "p.share = s.Share"}}},
	{"a saved search is not held against the body", "TestSavedSearchOfAChangedBodyIsRefused", []edit{{"explore/guide.go",
		"if g.n != 0 || pt.enabled&(1<<g.thread) == 0 || g.code != machine.None &&", "if g.n != 0 || pt.enabled&(1<<g.thread) == 0 || false &&"}}},
}
