package main

import "github.com/filch-sched/filch/tla/trace"

// subject is how runs of a subject are looked at.
type subject struct {
	*trace.Subject
	machine, drawn []trace.Program // runs on the machine, and that package loom draws

	// sure is another seed with which executions are drawn each time, since between them
	// they have every step, the rare ones as well; 0: every seed has.
	sure uint64

	falsified trace.Program // is falsified in every way
	real      bool          // on the machine
	planted   trace.Program // is drawn of code with a planted bug
	draws     int           // how many executions

	// plants are bugs in ci/mutants whose runs must be rejected. The first few are
	// planted in every run, all in nightly ones.
	plants []string
	atOnce int
}

// algorithms are those of package loom that draw executions, and executions how many
// each draws of a program.
var algorithms = []string{"random", "pct"}

const executions = 20

var subjects = []subject{
	{
		Subject:   trace.Sched,
		machine:   []trace.Program{{Workers: 4, Tasks: 2_700}}, // some 100,000 steps
		drawn:     []trace.Program{{Workers: 2, Tasks: 6}, {Workers: 3, Tasks: 7}},
		falsified: trace.Program{Workers: 3, Tasks: 24}, planted: trace.Program{Workers: 3, Tasks: 9}, draws: 8,
		plants: []string{
			"sched-silent-refill", "sched-notify-first", "idle-no-chain", "idle-no-look", "park-token-stays",
			"sched-lifo-uncapped", "sched-victim-left-out", "sched-inject-last", "idle-wake-all-unlisted", "ring-steal-more",
		},
		atOnce: 5,
	},
	{
		Subject:   trace.Rings,
		machine:   []trace.Program{{Workers: 4, Tasks: 400}, {Workers: 3, Tasks: 150}, {Workers: 2, Tasks: 150}}, // some 14,000
		drawn:     []trace.Program{{Workers: 3, Tasks: 12}},
		sure:      33,
		falsified: trace.Program{Workers: 4, Tasks: 100}, real: true, planted: trace.Program{Workers: 3, Tasks: 20}, draws: 20,
		plants: []string{
			"ring-publish-first", "ring-capacity-from-real", "ring-no-clear", "ring-release-first", "ring-always-busy",
			"ring-batch-publish-first", "ring-busy-as-empty", "ring-busy-looked-once", "ring-overflow-double-task",
			"ring-overflow-lost-task", "ring-overflow-newest-first", "ring-overflow-no-tail", "ring-overflow-wrong-half",
			"ring-room-from-real", "ring-steal-half-down", "ring-steal-less",
			"ring-steal-publish-first", "ring-steal-reversed", "ring-steal-unpublished", "ring-tail-before-head",
		},
		atOnce: 3,
	},
	{
		Subject:   trace.Parker,
		machine:   []trace.Program{{Workers: 3, Tasks: 700}, {Workers: 2, Tasks: 700}},
		drawn:     []trace.Program{{Workers: 3, Tasks: 6}},
		falsified: trace.Program{Workers: 3, Tasks: 100}, real: true, planted: trace.Program{Workers: 3, Tasks: 6}, draws: 20,
		plants: []string{
			"park-token-stays", "park-close-silent", "park-overwrites-token", "park-signal-unlocked", "park-wait-if",
		},
		atOnce: 1,
	},
}

// config is the .cfg for runs of the code, which also checks the claims, and broken that
// for runs that must be rejected.
func (s subject) config() string { return "traces/" + s.Spec + ".cfg" }
func (s subject) broken() string { return "traces/" + s.Spec + "Broken.cfg" }
