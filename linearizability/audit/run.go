package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/model"
)

// section is what an audit found out about one target.
type section struct {
	Target  string  `json:"target"`
	Verdict string  `json:"verdict"` // clean, violation or inconclusive
	Reason  string  `json:"reason,omitempty"`
	Seconds float64 `json:"seconds"`
	// Driving is the part of Seconds in which the code was driven; the rest went
	// into judging.
	Driving float64  `json:"driving_seconds"`
	Threads int      `json:"threads"`
	Tally   tally    `json:"tally"`
	Needs   []need   `json:"needs"`
	Claims  []string `json:"claims"`
	Found   *finding `json:"violation,omitempty"`
	// Unjudged is how many lives could not be judged, as with too many operations at
	// a time, and why the last of them could not.
	Unjudged int    `json:"unjudged,omitempty"`
	Why      string `json:"unjudged_because,omitempty"`
}

// The verdicts.
const (
	clean        = "clean"
	violation    = "violation"
	inconclusive = "inconclusive"
)

// finding is a violation with what was run.
type finding struct {
	Claim   model.Claim              `json:"claim"`
	Message string                   `json:"message"`
	Seed    uint64                   `json:"seed"`
	Panics  string                   `json:"panics,omitempty"`
	Lines   []string                 `json:"operations"` // the offending ones
	File    string                   `json:"file,omitempty"`
	Command string                   `json:"command,omitempty"`
	Unsaved string                   `json:"unsaved,omitempty"` // why there is no file, or no drawing
	Drawing string                   `json:"drawing,omitempty"` // porcupine's page, beside the report
	History *linearizability.History `json:"-"`                 // the part that proves it
	Ops     []int                    `json:"-"`                 // the offending operations in it
}

// runner drives one target.
type runner struct {
	config
	d     driver
	crew  *crew.Crew
	lives []*life
	out   section
	show  *progress
	end   time.Time // of the time that it has
}

// runTarget drives d until time or operations run out, or something is found.
func runTarget(c config, d driver, show *progress) *section {
	clock := new(linearizability.Clock)
	r := &runner{config: c, d: d, crew: crew.New(c.threads, clock), show: show}
	defer r.crew.Close()
	threads, size := d.logs()
	for range 2 * min(runtime.GOMAXPROCS(0), runtime.NumCPU()) { // no more are judged at a time
		r.lives = append(r.lives, newLife(clock, threads, size))
	}
	r.out = section{Target: d.target().String(), Verdict: clean, Threads: c.threads}
	for _, cl := range d.claims() {
		r.out.Claims = append(r.out.Claims, string(cl))
	}
	begin := time.Now()
	r.end = begin.Add(c.duration)
	for n := uint64(0); r.goesOn(time.Since(begin)); n += uint64(len(r.lives)) {
		r.batch(n)
		spent := time.Since(begin)
		show.update(r.out.Target, r.out.Tally.Operations, spent, r.expected(spent))
	}
	r.out.Seconds = time.Since(begin).Seconds()
	r.conclude()
	return &r.out
}

// expected is how long the target will have taken in the end, as far as can be
// said: the operations may run out before the time.
func (r *runner) expected(spent time.Duration) time.Duration {
	if done := r.out.Tally.Operations; r.ops > 0 && done > 0 {
		return min(r.duration, time.Duration(float64(spent)*float64(r.ops)/float64(done)))
	}
	return r.duration
}

// goesOn reports whether to play another batch. Where too little has happened
// at the same time by the end, twice the time is taken: the machine may have
// been busy elsewhere.
func (r *runner) goesOn(spent time.Duration) bool {
	if r.out.Verdict != clean || r.ops > 0 && r.out.Tally.Operations >= r.ops {
		return false
	}
	if spent < r.duration {
		return true
	}
	return spent < 2*r.duration && runtime.GOMAXPROCS(0) > 1 && r.threads > 1 &&
		vacuous(needsOf(r.d.target(), r.threads, &r.out.Tally), r.threads) != ""
}

// batch plays some lives, one after the other, and judges them, all at a time.
func (r *runner) batch(n uint64) {
	begin := time.Now()
	played := 0
	restore := r.crowd(n)
	for i, l := range r.lives {
		l.begin(r.d, lifeSeed(r.seed, n+uint64(i)))
		r.d.play(l, r.crew)
		l.end()
		played++
		if over := begin.Before(r.end) && time.Now().After(r.end); over || l.trouble.Any() {
			break
		}
	}
	restore()
	r.out.Driving += time.Since(begin).Seconds()
	verdicts := make([]verdict, played)
	var wg sync.WaitGroup
	for i, l := range r.lives[:played] {
		wg.Go(func() { verdicts[i] = judge(l) })
	}
	wg.Wait()
	for i, v := range verdicts {
		r.out.Tally.merge(&v.tally)
		if r.out.Verdict == clean {
			r.settle(r.lives[i], v, lifeSeed(r.seed, n+uint64(i)))
		}
	}
}

// crowd changes how many processors there are from batch to batch, if there is more
// than one to begin with: as many as there are, one for each thread, half way
// between, and one for each thread again. With more than there are cores the
// operating system takes some away in the middle of an operation, and others meet
// it there. What it returns takes that back.
func (r *runner) crowd(n uint64) (restore func()) {
	procs := runtime.GOMAXPROCS(0)
	if procs == 1 || procs >= r.threads {
		return func() {}
	}
	sweep := []int{procs, r.threads, (procs + r.threads) / 2, r.threads}
	runtime.GOMAXPROCS(sweep[n/uint64(len(r.lives))%4])
	return func() { runtime.GOMAXPROCS(procs) }
}

// lifeSeed is the seed of one life of an audit.
func lifeSeed(seed, n uint64) uint64 {
	x := seed + (n+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	return x ^ x>>31
}

// verdict is what became of one life.
type verdict struct {
	tally tally
	found *linearizability.Violation
	err   error
}

func judge(l *life) (v verdict) {
	if l.trouble.Stuck && len(l.h.Ops) == 0 {
		v.err = fmt.Errorf("the run was stuck before it began")
		return v
	}
	v.tally.add(&l.h, l.start)
	v.tally.Loads, v.tally.Procs = map[string]int{l.load: 1}, map[int]int{l.procs: 1}
	if l.unfit != "" {
		v.err = errors.New(l.unfit)
		return v
	}
	if v.found, v.err = linearizability.Judge(&l.h); v.found == nil && v.err == nil {
		v.found = l.wrong
	}
	return v
}

// settle makes the verdict on a life that of the target, if it is not clean.
func (r *runner) settle(l *life, v verdict, seed uint64) {
	if v.err != nil {
		r.out.Unjudged++
		r.out.Why = v.err.Error()
		if l.trouble.Any() { // nothing more can be driven
			r.out.Verdict, r.out.Reason = inconclusive, "a history could not be judged: "+r.out.Why
		}
		return
	}
	if v.found == nil {
		return
	}
	f := &finding{Claim: v.found.Claim, Message: v.found.Message, Seed: seed, Panics: l.trouble.Said}
	if v.found != l.wrong {
		h, w := linearizability.Shrink(linearizability.Worst(&l.h, v.found))
		f.setHistory(h, w)
	}
	r.out.Verdict, r.out.Reason, r.out.Found = violation, string(f.Claim), f
}

// setHistory makes h, in which w is found, what proves the finding.
func (f *finding) setHistory(h *linearizability.History, w *linearizability.Violation) {
	f.Message = w.Message
	f.History, f.Ops = h, w.Ops
	for _, op := range w.Ops {
		f.Lines = append(f.Lines, h.Line(op))
	}
}

// conclude decides whether a run in which nothing was found means something.
func (r *runner) conclude() {
	r.out.Needs = needsOf(r.d.target(), r.threads, &r.out.Tally)
	if r.out.Verdict != clean {
		return
	}
	if why := vacuous(r.out.Needs, r.threads); why != "" {
		r.out.Verdict, r.out.Reason = inconclusive, why
	}
	if r.out.Unjudged > r.out.Tally.Lives/10 {
		r.out.Verdict, r.out.Reason = inconclusive, fmt.Sprintf("%d of %d lives could not be judged, the last because of this: %s",
			r.out.Unjudged, r.out.Tally.Lives, r.out.Why)
	}
}
