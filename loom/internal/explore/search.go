package explore

import (
	"fmt"
	"slices"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Options are the settings of a search.
type Options struct {
	Algorithm string // one of Algorithms, "" for the first
	KeepGoing bool
	Deadline  time.Time // zero: none
	MaxSteps  int
	Most      int  // executions; 0: no limit
	Bounded   bool // only executions with at most Bound preemptions
	Bound     int
	Failed    func() bool // whether the program has failed by other means; may be nil
	Watch     Watcher     // may be nil
	Shard     Shard       // the share of the traces that is searched; zero: all
	// Checkpoint is a file that the search is saved to now and then, and resumed
	// from if it is there; "" if it is not saved. Tag says in it of what it is, and
	// Code of which program.
	Checkpoint, Tag, Code string
	SaveEvery             time.Duration

	// For tests of the search itself.
	NoSleep      bool // "sleep" runs every interleaving, not every trace
	Fingerprints bool // count the different traces
}

// Algorithms are the searches that there are.
var Algorithms = []string{"optimal", "sleep"}

// Result is what a search has seen.
type Result struct {
	Executions, Traces, Blocked, Deadlocks, Races, Failures int
	Steps, MaxDepth, Threads                                int
	Elsewhere                                               int // runs of traces that belong to other shares
	Cut                                                     int // beginnings that lie over the bound, once the search has come to it
	Preemptions                                             int // of the first violation
	Probes                                                  int // beginnings run only to see what a step would do there

	Algorithm string // what was used
	Ordered   bool   // additions to a counter were taken to conflict (counters.go)
	Exhausted bool
	Loaded    bool             // all of it comes from the checkpoint: nothing was run
	First     *machine.Failure // the first violation
	Schedule  *Schedule        // that leads to it
	Err       error            // why the program cannot be explored

	Fingerprints map[uint64]int // runs by trace, if asked for

	opening *Schedule // the first execution, if that violated nothing
}

// strategy is what one search does differently from another.
type strategy interface {
	// begin is called before each execution.
	begin()
	// step chooses the thread of a new point among those that are enabled there.
	// It reports false if no execution needs to go on from there.
	step(p *point) bool
	// choice chooses the outcome of a new point.
	choice(p *point)
	// stuck is called when no thread can take a step and not all are done.
	stuck()
	// back changes the last point of the path that is to be changed and forgets
	// those after it. It reports false if there is none. finished says whether
	// the execution has come to its end, not to a point where step said no.
	back(finished bool) bool
}

// Search explores body.
func Search(body func(), opts Options) Result {
	if opts.Algorithm == "" {
		opts.Algorithm = Algorithms[0]
	}
	p := &path{memory: used(), opts: opts, body: body, res: Result{Algorithm: opts.Algorithm}}
	switch {
	case !slices.Contains(Algorithms, opts.Algorithm):
		return Result{Err: fmt.Errorf("loom: %q is not an algorithm: there are %q", opts.Algorithm, Algorithms)}
	case opts.Bounded:
		p.by = newBounded(p)
		p.res.Algorithm = "bounded"
	case opts.Algorithm == "sleep":
		p.by = &sleepSets{p}
	default:
		p.by = newOptimal(p)
	}
	p.m = machine.New(p)
	p.m.MaxSteps, p.m.GoOn = opts.MaxSteps, opts.KeepGoing
	p.m.NoYield = opts.Shard.N == 0 && opts.Checkpoint == ""
	p.m.Solo = p.m.NoYield && !opts.Bounded
	defer p.m.Close()
	if opts.Fingerprints {
		p.res.Fingerprints = make(map[uint64]int)
	}
	if w, ok := opts.Watch.(treeWatcher); ok {
		w.Tree(p.size)
	}
	p.all()
	p.reopen()
	if p.unlike && p.res.Err == nil {
		p.res.Err = errUnlike
	}
	p.res.Err = placed(p.res.Err, body)
	p.keep()
	return p.res
}

// all searches all that there is, or a share of it, from the beginning or from
// where it was saved.
func (p *path) all() {
	shares := []guide{{}}
	if p.opts.Shard.N > 0 {
		if shares, p.res.Err = divide(p.body, p.opts); p.res.Err != nil {
			return
		}
	}
	if p.opts.Checkpoint != "" {
		s, err := load(p.opts)
		if err != nil {
			p.res.Err = err
			return
		}
		if s != nil && s.Done {
			p.res = s.Result
			p.res.Loaded = true
			return
		}
		if s != nil && s.Share < len(shares) {
			p.guide = shares[s.Share]
			p.resume(s)
			p.savedAt = time.Now()
			if !p.search() {
				return
			}
			shares = shares[s.Share+1:]
		}
	}
	p.searchEach(shares)
}

// searchEach searches below each of the prefixes.
func (p *path) searchEach(shares []guide) {
	first := p.share
	if p.res.Executions > 0 {
		first++
	}
	for i, g := range shares {
		p.share, p.guide = first+i, g
		p.cut(0)
		if o, ok := p.by.(*optimal); ok {
			o.order.kept = 0
		}
		if p.search() {
			continue
		}
		if !p.fell {
			return
		}
		// Not with the other search: from the first prefix.
		p.fell = false
		p.restart()
		all, err := divide(p.body, p.opts)
		if err != nil {
			p.res.Err = err
			return
		}
		p.searchEach(all)
		return
	}
	p.res.Exhausted = p.res.Cut == 0
	p.save(true)
}

// search searches below the guide, and reports whether it came to the end of it.
func (p *path) search() (ended bool) {
	for {
		p.run()
		if p.m.Yielded || p.unlike && p.m.Solo {
			p.restartPlain()
			continue
		}
		p.guide.points = p.guide.points[:min(p.guide.floor, len(p.guide.points))] // what is saved is resumed once
		if !p.account() || p.watched() {
			return false
		}
		if p.disputed() {
			if p.opts.Shard.N > 0 {
				p.res.Err = errDisputed
				return false
			}
			p.restartOrdered()
			if p.drawn() {
				return false
			}
			continue
		}
		if _, ok := p.by.(*optimal); ok && p.m.Either {
			if p.guide.floor > 0 {
				p.fell = true
				return false
			}
			p.restart()
			continue
		}
		more := p.by.back(!p.blocked || p.shut)
		if p.m.Yielded { // a probe has
			p.restartPlain()
			continue
		}
		if p.err != nil {
			p.res.Err = p.err
			return false
		}
		if p.over {
			return false // perhaps in the middle of back
		}
		if !more {
			return true
		}
		if p.save(false); p.err != nil {
			p.res.Err = p.err
			return false
		}
		if p.late() {
			return false
		}
	}
}

// account books the execution that has just ended and reports whether to go on.
func (p *path) account() bool {
	m, r := p.m, &p.res
	r.Executions++
	r.Steps += m.Steps
	r.MaxDepth = max(r.MaxDepth, m.Steps)
	r.Threads = max(r.Threads, m.Threads())
	if p.err == nil {
		p.err = m.Err
	}
	if p.err != nil {
		if _, ok := p.err.(*machine.Overlap); ok {
			if e := Replay(p.body, *p.schedule(), p.opts); e.Err != nil {
				p.err = e.Err // with both places
			}
		}
		r.Err = p.err
		return false
	}
	p.traced = false
	if p.blocked && p.over {
		return false // there was no time for the rest of it
	}
	if p.shut {
		r.Elsewhere++
		return true
	}
	if p.blocked {
		r.Blocked++
		return true // what it has violated, one that ran to its end has, too
	}
	f := failure(m, &p.opts)
	if b, ok := p.by.(*bounded); ok && !b.finish() && (f == nil || f.Kind != machine.ExitFailure) {
		r.Blocked++ // only now known to be one that has been run
		return true
	}
	if p.elsewhere() && (f == nil || p.opts.KeepGoing) {
		r.Elsewhere++
		return true
	}
	if m.Done && m.Failure == nil && (f == nil || f.Kind == machine.RaceFailure) || f != nil && f.Kind == machine.DeadlockFailure {
		r.Traces++
		p.traced = true
		if p.opts.Fingerprints {
			r.Fingerprints[p.trail.fingerprint(!m.Done)]++
		}
	}
	if f == nil {
		if r.Executions == 1 {
			r.opening = p.schedule()
		}
		return true
	}
	if m.Raced {
		r.Races++
	}
	switch f.Kind {
	case machine.DeadlockFailure:
		r.Deadlocks++
	case machine.RaceFailure: // counted
	default:
		r.Failures++
	}
	if r.First == nil {
		r.First, r.Schedule, r.Preemptions = f, p.schedule(), p.preemptions()
	}
	return p.opts.KeepGoing
}

// watched tells the watcher of the execution that has just ended, and reports
// whether that ends the search.
func (p *path) watched() bool {
	w, r := p.opts.Watch, &p.res
	if w == nil {
		return false
	}
	var fingerprint uint64
	if p.traced && p.listens {
		fingerprint = p.trail.fingerprint(!p.m.Done)
	}
	f := w.Ran(r, p.traced, fingerprint)
	if f == nil {
		return false
	}
	r.Failures++
	if r.First == nil {
		r.First, r.Schedule = &f.Failure, &f.Schedule
	}
	return !p.opts.KeepGoing
}
