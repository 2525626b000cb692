//go:build loom

package loom_test

// The bugs below are of what draws executions, counts them and makes them short.
func init() {
	mutants = append(mutants, []struct {
		name   string
		killer string
		edits  []edit
	}{
		{"the minimiser makes no switch", "TestMinimisedIsShortest", []edit{{"explore/minimise.go",
			"} else if mi.level < mi.best.Switches() {", "} else if false {"}}},
		{"the minimiser does not go on where a later level begins", "TestMinimisedIsNoLongerThanByHand", []edit{{"explore/minimise.go",
			"seen && before <= level {", "seen && before >= 0 {"}}},
		{"the minimiser does not try other outcomes", "TestMinimisedIsNoLongerThanByHand", []edit{{"explore/minimise.go",
			"for v := 1; v < n; v++ {", "for v := 1; v < 1; v++ {"}}},
		{"the minimiser does not come back to a thread that could have gone on", "TestMinimisedComesBack", []edit{{"explore/minimise.go",
			"if !s.effect.Independent(mi.effects[id]) {\n\t\t\treturn false", "if !s.effect.Independent(mi.effects[id]) {\n\t\t\treturn true"}}},
		{"the minimiser keeps the first schedule of its level", "TestMinimisedIsNoLongerThanByHand", []edit{{"explore/minimise.go",
			"(!mi.found || better(s, mi.best))", "!mi.found"}}},
		{"long schedules lose no segment", "explore:TestLongSchedulesGetShort", []edit{{"explore/minimise_merge.go",
			"if m.Err == nil && same(m.Failure, f) && better(fo.did, s) {", "if false {"}}},

		{"pct never changes a priority", "explore:TestPCTFindsBugsAsOftenAsItMust", []edit{{"explore/sample_algorithms.go",
			"p.priority[id] = -float64(i)\n", "_ = i\n"}}},
		{"pct gives all threads the same priority", "explore:TestPCTFindsBugsAsOftenAsItMust", []edit{{"explore/sample_algorithms.go",
			"append(p.priority, 1+p.rand.Float64())", "append(p.priority, 1)"}}},
		{"urw does not know how many steps are left", "explore:TestUniformRandomWalk", []edit{{"explore/sample_algorithms.go",
			"weights[id] = w.expected(id)", "weights[id] = 1"}}},
		{"urw does not count threads that are not yet there", "explore:TestUniformWalkCountsUnbornThreads", []edit{{"explore/sample_algorithms.go",
			"if c.step > k {", "if false {"}}},
		{"the order of steps does not matter to a fingerprint", "explore:TestSampledTraces", []edit{{"explore/estimate_hash.go",
			"before += object[mode]", "before += 0 * object[mode]"}}},
		{"a trace that is seen again is new", "explore:TestSampledTraces", []edit{{"explore/sample_census.go",
			"if _, seen := c.first[h]; seen {", "if _, seen := c.first[h]; seen && false {"}}},

		{"a leaf counts for one", "TestEstimate", []edit{{"explore/estimate_particle.go",
			"\tw.weight /= o.p\n", ""}}},
		{"copies of a particle count as much as it", "TestEstimate", []edit{{"explore/estimate_particle.go",
			"\t\t\tp.weight /= share\n", ""}}},
		{"nobody sleeps below a node", "TestEstimate", []edit{{"explore/estimate_particle.go",
			"\t\t\t\to.asleep |= 1 << z\n", "\t\t\t\to.asleep |= 0 << z\n"}}},
		{"what the search has seen is estimated, too", "TestEstimateImproves", []edit{{"explore/estimate.go",
			"e.rounds[l.round].left -= l.weight", "e.rounds[l.round].left -= 0 * l.weight"}}},

		{"a failed compare-and-swap is what others read", "explore:TestRelations", []edit{{"explore/edges.go",
			"if ev.Effect.Mode == machine.Write {\n\t\t\to.written", "if true {\n\t\t\to.written"}}},
		{"a search that another program has saved is gone on with", "TestSavedSearchNamesItsProgram", []edit{{"explore/checkpoint.go",
			"case s.Code != opts.Code:", "case false:"}}},
		{"a plain access is taken to be in the trace", "TestBothSidesOfARaceAreRows", []edit{{"machine/plain.go",
			"t.cell(&v.ref, store, true)", "t.cell(&v.ref, store, false)"}}},
		{"an atomic access that races is not noted", "TestBothSidesOfARaceAreRows", []edit{{"machine/plain.go",
			"t.accessed(false).set(&a.last, t.id)", "access{}.set(&a.last, t.id)"}}},
		{"what is named late has no name before", "TestNamesOfWhatIsNamedLate", []edit{{"explore/replay.go",
			"\tm.NameAll()\n", ""}}},
		{"an interval is as wide as the rounds differ", "TestIntervalsAreHonest", []edit{{"explore/estimate.go",
			"max(leastOff, math.Exp", "max(1, math.Exp"}}},
		{"no trace found means that there is none", "TestNoEstimateOfWhatNoRoundHasReached", []edit{{"explore/estimate.go",
			" || e.drawn == 0", ""}}},
		{"no function is a helper", "TestCallsOfHelpersAreShown", []edit{{"explore/replay_place.go",
			"len(lines[f]) == 1 && len(calls[f]) > 1", "false && len(lines[f]) == len(calls[f])"}}},
		{"a lock that was given back is held", "explore:TestWhoHoldsWhat", []edit{{"explore/holders.go",
			"if match(h) {", "if false && match(h) {"}}},
	}...)
}
