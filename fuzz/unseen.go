package fuzz

import (
	"errors"
	"fmt"
	"strings"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// unseen returns why a target is no test of its code under the tag loom: loom saw no
// operation of it, as of a queue on package sync's own Mutex, whose threads would run
// one after the other whatever the schedules say, and pass; or a thread of it waits
// for what loom does not see, which would take seconds in program after program.
//
// Threads that share something cannot all be silent, so one program with two threads
// at work tells. What violates something is left to the fuzzer.
func (j *theirs) unseen() error {
	if !loom.Enabled {
		return nil
	}
	programs := 0
	for _, in := range beginnings() {
		p := j.shape.Decode(in[0])
		if working(p.Scenario) < 2 {
			continue
		}
		steps, ran, err := j.steps(p.Scenario)
		if err != nil && steps == 0 && awaitsOthers(err) {
			return fmt.Errorf("fuzz: the code under test cannot be explored: %w\nprogram:\n\t%s", err, indented(p.String()))
		}
		if err != nil || steps > 0 || !ran {
			return nil // of an error the target, which runs p as well, says what that breaks
		}
		programs++
	}
	if programs == 0 {
		return nil
	}
	return fmt.Errorf("fuzz: no operation of the code under test was seen by loom, in %d programs of several threads: "+
		"with the tag loom only what is built on package loom's atomic, sync and cell runs in more than one order; "+
		"build it on these, let go tool loom do so if it is in your own module, or fuzz it without the tag", programs)
}

// awaitsOthers reports whether an exploration stopped at a thread that waits for what loom
// does not see and somebody may yet do, of which the code is not to be accused.
func awaitsOthers(err error) bool {
	var found *loom.Violation
	what, _, _ := strings.Cut(err.Error(), "\n")
	return !errors.As(err, &found) && strings.Contains(what, " waits for ") && !strings.Contains(what, "select without cases")
}

// working is how many threads of s do something.
func working(s model.Scenario) (n int) {
	for _, th := range s.Threads {
		if len(th.Ops) > 0 {
			n++
		}
	}
	return n
}

// steps runs s once and returns how many steps the code under test took. Nothing is
// run while another exploration is replayed.
func (j *theirs) steps(s model.Scenario) (n int, ran bool, err error) {
	stamps := 0 // those of what others than the threads do are steps, too
	r, err := loom.Explore(func() {
		m := j.begin(s)
		for _, st := range s.Setup {
			m.do(st.Thread, st.Op)
		}
		var threads []*loom.Thread
		for t, th := range s.Threads {
			threads = append(threads, loom.Go(func() {
				for _, op := range th.Ops {
					m.do(t, op)
				}
			}))
		}
		for _, t := range threads {
			t.Join()
		}
		m.rest(m.do)
		if m.also != nil {
			stamps = 2 * len(m.also())
		}
	}, loom.Bytes(nil))
	return r.Steps - stamps, err != nil || r.Executions > 0, err
}
