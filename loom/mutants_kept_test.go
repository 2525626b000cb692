//go:build loom

package loom_test

// The bugs below are of what refuses a body, and of what keeps to the time.
func init() {
	mutants = append(mutants, []struct {
		name   string
		killer string
		edits  []edit
	}{
		{"values that were read are not compared", "TestStateKeptBetweenExecutionsIsRefused", []edit{{"explore/path.go",
			"case t.Values() != pt.values:", "case false:"}}},
		{"addresses that were read are compared", "TestAddressesInWordsAreNoState", []edit{{"machine/word.go",
			"if v < 1<<(4*unsafe.Sizeof(uintptr(0))) {", "if true {"}}},
		{"the first execution is not run again", "TestStateKeptBetweenExecutionsIsRefused", []edit{{"explore/search_limits.go",
			"if r.Err != nil || r.First == nil || r.opening == nil {", "if true {"}}},
		{"a violation may come again with another message", "TestStateKeptBetweenExecutionsIsRefused", []edit{{"explore/explain.go",
			"anyAddress(e.Failure.Message) != anyAddress(f.Message)", "false"}}},
		{"a word may begin in the middle of another", "TestOverlappingWordsAreRefused", []edit{{"machine/plain_words.go",
			"case w.sizes[at-4] == 8:", "case false:"}}},
		{"a word may have another in its middle", "TestOverlappingWordsAreRefused", []edit{{"machine/plain_words.go",
			"case size == 8 && w.sizes[at+4] > 0:", "case false:"}}},
		{"loads are compared with all loads before them", "TestTimeGrowsWithTheLength", []edit{{"explore/order.go",
			"if e.effect.Mode == pt.effect.Mode && e.effect.Mode != machine.Write {", "if false {"}}},
		{"outcomes that are to be run are inserted again", "TestTimeGrowsWithTheLength", []edit{{"explore/optimal_reverse.go",
			"\t\t\tpt.try(v)\n", ""}}},
		{"a round of the estimate has no end", "TestDeadlineIsKept", []edit{{"explore/estimate.go",
			"return !until.IsZero() && time.Now().After(until)", "return false"}}},
		{"a token may have more behind it", "TestTokensAreWrittenInOneWay", []edit{{"explore/schedule.go",
			"return n\n}\n\n// letters", "return 0\n}\n\n// letters"}}},
	}...)
}
