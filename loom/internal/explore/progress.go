package explore

import (
	"fmt"
	"io"
	"math"
	"time"
)

// Watcher is told how a search gets on.
type Watcher interface {
	// Listens reports whether the watcher wants to know the fingerprints of the
	// traces that are run next.
	Listens() bool
	// Ran is called after every execution with what the search has seen so far,
	// and whether this one was the end of a trace, with its fingerprint if the
	// watcher listens. It may run the body. What it returns, if not nil, ends
	// the search: a violation that it has met itself.
	Ran(r *Result, traced bool, fingerprint uint64) *Found
}

// treeWatcher is a watcher that can do with an estimate from the search itself,
// which is good for the moment of the call.
type treeWatcher interface {
	Tree(size func() float64)
}

// Progress is a watcher that, once the search has taken some time, estimates how
// many traces there are and writes now and then how far it is.
type Progress struct {
	// Open says where lines go, nil if none are to be written, whether each is
	// to replace the one before it, and what the search is called. It is called
	// once, and only if the search takes long enough for a line.
	Open func() (out io.Writer, terminal bool, name string)
	// Sampling says that executions are drawn: there is nothing to estimate.
	Sampling bool

	body     func()
	opts     Options
	tree     func() float64 // may be nil
	estimate *Estimator
	begin    time.Time
	begun    bool // there has been an execution
	before   seen // by an earlier process
	look     int  // steps: when to look at the clock again
	round    int  // executions: when to draw another estimate

	opened   bool
	out      io.Writer
	terminal bool
	name     string
	line     time.Time // when the last was written, or the search began
	written  int       // lines
}

// seen is what a search has seen.
type seen struct{ executions, traces int }

const (
	// quietTime is how long a search takes before anything is estimated.
	quietTime = time.Second
	// glance is how many steps there are between two looks at the clock: some
	// milliseconds.
	glance = 20_000
	// A round of particles takes some dozens of executions for each. With a
	// particle for every so many executions, and a round whenever there have
	// been twice as many, the estimator takes less than a tenth of the time.
	executionsPerParticle = 1000
	fewest, most          = 16, 8192 // particles
)

// NewProgress returns a watcher for a search of body, which begins now.
func NewProgress(body func(), opts Options) *Progress {
	now := time.Now()
	return &Progress{body: body, opts: opts, begin: now, line: now}
}

// Tree is part of treeWatcher.
func (p *Progress) Tree(size func() float64) { p.tree = size }

// Listens is part of Watcher.
func (p *Progress) Listens() bool { return p.estimate != nil }

// Ran is part of Watcher.
func (p *Progress) Ran(r *Result, traced bool, fingerprint uint64) *Found {
	if !p.begun {
		p.begun, p.before = true, seen{r.Executions - 1, r.Traces}
		if traced {
			p.before.traces--
		}
	}
	if traced && p.estimate != nil {
		p.estimate.Saw(fingerprint)
	}
	if r.Steps < p.look {
		return nil
	}
	p.look = r.Steps + glance
	return p.at(time.Now(), r)
}

// at does what is due.
func (p *Progress) at(now time.Time, r *Result) *Found {
	if now.Sub(p.begin) < p.quiet() {
		return nil
	}
	if !p.opened && p.Open != nil {
		p.opened = true
		p.out, p.terminal, p.name = p.Open()
	}
	if p.estimate == nil && !p.Sampling {
		p.listen()
		p.round = fewest * executionsPerParticle / 2 // rather early than good
	}
	if p.estimate != nil && r.Executions >= p.round {
		p.round = 2 * r.Executions
		if f := p.estimate.Round(min(max(r.Executions/executionsPerParticle, fewest), most)); f != nil {
			return f
		}
	}
	if p.out != nil && now.Sub(p.line) >= p.interval() {
		p.line = now
		p.write(r, now.Sub(p.begin))
	}
	return nil
}

func (p *Progress) listen() {
	if p.estimate == nil {
		p.estimate = NewEstimator(p.body, p.opts, 1)
	}
}

// quiet is less if the search itself is to take little time.
func (p *Progress) quiet() time.Duration {
	if p.opts.Deadline.IsZero() {
		return quietTime
	}
	return min(quietTime, p.opts.Deadline.Sub(p.begin)/10)
}

// interval is how long a line stands: a second, and where lines add up longer,
// after a while.
func (p *Progress) interval() time.Duration {
	if p.terminal || p.written < 10 {
		return time.Second
	}
	return 10 * time.Second
}

// End ends the watch and returns the estimate, if there is one: of a search that
// has not seen all. If nothing has been estimated until then, that is done now,
// which takes some thousand executions.
func (p *Progress) End(r *Result) (Guess, *Found) {
	if p.out != nil && p.terminal && p.written > 0 {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	defer p.close()
	if p.Sampling || r.Exhausted || r.Err != nil || r.First != nil && !p.opts.KeepGoing {
		return Guess{}, nil
	}
	p.listen()
	particles := fewest
	if r.MaxDepth > longRun && r.Executions < longRun {
		particles = 4
	}
	for len(p.estimate.rounds) < lastRounds {
		if f := p.estimate.Round(particles); f != nil {
			return Guess{}, f
		}
	}
	g, _ := p.guess(r)
	return g, nil
}

// If nothing has been estimated before the end, there are so many rounds: fewer, or
// with fewer particles, say little. Only a search that has run few executions, and
// long ones, would take much less time than these.
const (
	lastRounds = 5
	longRun    = 500 // steps, and executions
)

// guess returns the estimate of how many traces there are in all, or in the share
// that is searched.
func (p *Progress) guess(r *Result) (Guess, bool) {
	if p.estimate == nil {
		return Guess{}, false
	}
	g, ok := p.estimate.Estimate(r.Traces)
	if !ok {
		return g, false
	}
	least := float64(r.Traces)
	if n := float64(p.opts.Shard.N); n > 1 {
		g = Guess{max(g.Traces/n, least), max(g.Low/n, least), max(g.High/n, least)}
	}
	if p.tree != nil {
		g = g.and(p.tree())
	}
	return g, ok
}

// and takes another estimate into account, of the search. That one is too high
// when much of what is still to be run turns out to be small, and the other too
// low when it misses traces. Only if it is the higher one their middle is taken.
func (g Guess) and(tree float64) Guess {
	if tree <= g.Traces {
		return g
	}
	return Guess{math.Sqrt(g.Traces * tree), g.Low, max(g.High, tree)}
}

func (p *Progress) close() {
	if p.estimate != nil {
		p.estimate.Close()
		p.estimate = nil
	}
}

// write writes a line.
func (p *Progress) write(r *Result, elapsed time.Duration) {
	rate := float64(r.Executions-p.before.executions) / elapsed.Seconds()
	text := fmt.Sprintf("loom: %s: %s, %s executions, %s traces, %s/s", p.name, elapsed.Round(time.Second),
		Roughly(float64(r.Executions)), Roughly(float64(r.Traces)), Roughly(rate))
	if g, ok := p.guess(r); ok {
		text += fmt.Sprintf("; about %s traces (%s to %s)", Roughly(g.Traces), Roughly(g.Low), Roughly(g.High))
		if p.opts.Bounded {
			text += " without the bound"
		} else if fresh := float64(r.Traces - p.before.traces); fresh > 0 {
			left := time.Duration((g.Traces - float64(r.Traces)) / fresh * float64(elapsed))
			text += fmt.Sprintf(", %s seen, %s to go", Percent(float64(r.Traces)/g.Traces), roughTime(left))
		}
	}
	p.written++
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(p.out, text)
	}
}

// roughTime prints how long something will take. What is too long for a Duration
// has become negative.
func roughTime(d time.Duration) string {
	switch {
	case d < 0:
		return "very long"
	case d > 1000*time.Hour:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	case d > time.Hour:
		return d.Round(10 * time.Minute).String()
	case d > time.Minute:
		return d.Round(10 * time.Second).String()
	}
	return d.Round(time.Second).String()
}

// Roughly prints a number with two digits that count.
func Roughly(x float64) string {
	unit := ""
	for _, u := range []string{" thousand", " million", " billion"} {
		if x < 10_000 && unit == "" || x < 995 {
			break
		}
		x, unit = x/1000, u
	}
	switch {
	case unit == " billion" && x >= 995:
		return fmt.Sprintf("%.1e", x*1e9)
	case unit != "" && x < 9.95:
		return fmt.Sprintf("%.1f%s", x, unit)
	case unit == "" && x < 100:
		return fmt.Sprintf("%.0f", x)
	}
	scale := 1.0
	for x/scale >= 100 {
		scale *= 10
	}
	return fmt.Sprintf("%.0f%s", float64(int(x/scale+0.5))*scale, unit)
}

// Count prints a number of things, given what one is called.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Percent prints a share.
func Percent(share float64) string {
	if share = min(100*share, 100); share >= 9.95 {
		return fmt.Sprintf("%.0f %%", share)
	}
	return fmt.Sprintf("%.2g %%", share)
}
