//go:build loom

package loom_test

// The bugs below are of heads and of rounds that a thread forgets.
func init() {
	mutants = append(mutants, []struct {
		name   string
		killer string
		edits  []edit
	}{
		{"all heads are one", "TestHeadsAreToldApartByTheCallsThatLeadThere", []edit{{"graph/retry.go",
			"\t\t\tat.head = hash(pcs)\n", "\t\t\tat.head = 1\n"}}},
		{"a head is told by the calls nearest to it", "TestHeadsAreToldApartByAllCalls", []edit{{"graph/retry.go",
			"for n == len(r.pcs) {", "for n > len(r.pcs) {"}}},
		{"a head is on any object", "TestHeadsAreToldApartByTheCallsThatLeadThere", []edit{{"graph/key.go",
			"\tk.w.Uint(o.Value)\n\tk.w.Uint(uint64(at))\n", "\tk.w.Uint(o.Value)\n"}}},
		{"a head is on what no root leads to", "TestHeadIsOnWhatARootLeadsTo", []edit{{"graph/key.go",
			"\tif at == 0 {\n\t\treturn fmt.Errorf(\"loom: a HeadAt", "\tif at < 0 {\n\t\treturn fmt.Errorf(\"loom: a HeadAt"}}},
		{"a thread forgets nothing at a head", "TestGraphWithHeadsCloses", []edit{{"machine/rest.go",
			"append(t.seen[:0], Observation{Code: Boundary", "append(t.seen, Observation{Code: Boundary"}}},
		{"Exact has heads", "TestExactLeavesHeadsOut", []edit{{"graph/retry.go",
			"\tif !opts.Exact {\n\t\tr.heads", "\tif opts.FullKeys || opts.Exact || true {\n\t\tr.heads"}}},
		{"a head is at whatever its function does", "TestHeadIsAtWhatItSays", []edit{{"graph/retry.go",
			"if h.Code == code && called(", "if called("}}},
		{"a round begins in another call", "TestRoundsOfTwoCallsAreToldApart", []edit{{"graph/dead.go",
			"return o.Where != where &&", "return false &&"}}},
		{"an atomic.Pointer is not in keys", "TestGraphKnowsPointers", []edit{{"memory/plan.go",
			"\t\tref(w, p)\n", "\t\t_ = ref\n"}}},
	}...)
}
