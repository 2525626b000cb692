package main

import (
	"fmt"
	"io"
	"os"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// runCheck judges a history file. One in which no two operations overlap, as in
// one without any, can violate a claim, but it cannot show that one holds.
func (c config) runCheck(stdout io.Writer) (int, error) {
	file, err := os.Open(c.check)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	h, err := linearizability.Read(file)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.check, err)
	}
	s := c.newSummary()
	s.Command = "go run ./linearizability/audit -check " + quote(c.check)
	sec := &section{Target: h.Target.String(), Verdict: clean, Threads: h.Threads, Claims: c.claimsOf(h.Target)}
	sec.Tally.add(h, 0)
	s.Sections = []*section{sec}
	v, err := linearizability.Judge(h)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", c.check, err)
	case v != nil:
		sec.Found = &finding{Claim: v.Claim, File: c.check, Command: s.Command}
		sec.Found.setHistory(h, v)
		sec.Verdict, sec.Reason = violation, string(v.Claim)
	default:
		sec.Needs = needsOfFile(&sec.Tally)
		if why := lacking(sec.Needs); why != "" {
			sec.Verdict, sec.Reason = inconclusive, why
		}
	}
	return c.finish(s, stdout)
}

// claimsOf lists the claims that histories of a target are judged by.
func (c config) claimsOf(t model.Target) (out []string) {
	for _, name := range targetNames {
		if d := c.driver(name); d.target() == t {
			for _, cl := range d.claims() {
				out = append(out, string(cl))
			}
		}
	}
	return out
}
