package loom

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/graph"
)

// Option changes how Check and Explore work.
type Option func(*config)

type config struct {
	keepGoing bool
	asFound   bool
	deadline  time.Duration // 0: none
	replay    string
	rounds    int
	deadlock  string // the claim that a deadlock violates
	livelock  string // and a livelock
	race      string // and a race on a cell
	spurious  bool   // whether Cond.Wait may return without a signal
	maxSteps  int
	algorithm string
	bounded   bool // at most bound preemptions
	bound     int
	runs      int // of a sampler; 0: not given
	seed      uint64
	seeded    bool
	depth     int       // of a sampler; 0: not given
	record    io.Writer // of a sampler, for its executions; nil: nowhere
	page      string

	data    []byte // of Bytes
	byBytes bool

	// Of Graph.
	retries []string
	heads   []graph.Head
	exact   bool
	whole   bool
	cells   bool
	states  int       // no more; 0: no bound
	export  io.Writer // of the closed graph; nil: nowhere
	workers int       // executions of a Graph at the same time; 0: one

	shard      [2]int // which of how many; 0 of 0: the whole
	checkpoint string

	// What the front of Check knows and the search needs.
	name    string                           // of an exploration of Check: whose it is
	rewrite func(token, plain string) string // of Check: see replayCommander; else nil
	test    string                           // and the test
	callers *callers                         // of Explore: who calls it
	out     func() io.Writer                 // of Check: what the test prints; else nil
	failed  func() bool                      // reports whether the test has failed meanwhile
	watched *explore.Progress                // what the search that runs has seen
	limit   time.Time                        // when the test binary gives up; zero: never
}

// Defaults of the options.
const (
	// DefaultRounds is how often the body runs in the ordinary build.
	DefaultRounds = 200
	// DefaultMaxSteps is how long one execution may get.
	DefaultMaxSteps = 100_000
)

func newConfig(opts []Option) *config {
	c := &config{rounds: DefaultRounds, maxSteps: DefaultMaxSteps, deadlock: ClaimDeadlock, livelock: ClaimLivelock, race: ClaimRace}
	for _, o := range opts {
		o(c)
	}
	return c
}

// outside fills in what the environment says to both builds.
func (c *config) outside() error {
	text := os.Getenv("LOOM_DEADLINE")
	if text == "" || c.deadline > 0 {
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("loom: LOOM_DEADLINE=%s is not a positive duration, such as 30s", text)
	}
	c.deadline = d
	return nil
}

// KeepGoing counts violations instead of stopping at the first; the first is
// still the one that is reported. An execution that deadlocks or races then
// counts as a trace like any other. One in which a thread fails goes on without
// that thread, whose end nobody learns of, and counts as a failure.
func KeepGoing() Option { return func(c *config) { c.keepGoing = true } }

// AsFound returns a violation by the schedule that it was found with. Without it a
// shorter one that ends alike is looked for first, for some seconds at the most: too
// long for a caller that tries many bodies and keeps the smallest that fails.
func AsFound() Option { return func(c *config) { c.asFound = true } }

// Deadline asks for a bounded run: the search stops after d and what it then
// has not seen is unknown. Report.Exhausted says whether that happened. Without
// this option a search that does not come to its end is a failure. LOOM_DEADLINE=d
// does the same from outside, for explorations that do not have this option.
func Deadline(d time.Duration) Option {
	if d <= 0 {
		panic(fmt.Sprintf("loom: Deadline(%v) is not positive", d))
	}
	return func(c *config) { c.deadline = d }
}

// Replay runs the one execution that token, from a Violation, describes. The
// environment variable LOOM_REPLAY does the same from outside.
func Replay(token string) Option { return func(c *config) { c.replay = token } }

// Stress sets how often the body runs in the ordinary build, which explores
// nothing. It has no effect under the tag loom.
func Stress(rounds int) Option {
	if rounds <= 0 {
		panic(fmt.Sprintf("loom: Stress(%d) is not positive", rounds))
	}
	return func(c *config) { c.rounds = rounds }
}

// Deadlock names the claim that a deadlock violates, [ClaimDeadlock] if the
// option is not given.
func Deadlock(claim string) Option { return func(c *config) { c.deadlock = claim } }

// MaxSteps sets how many steps one execution may take, [DefaultMaxSteps] if the
// option is not given. One that takes more is an error, most often a loop that
// waits for another thread: explored, such a loop has no end.
func MaxSteps(n int) Option {
	if n <= 0 {
		panic(fmt.Sprintf("loom: MaxSteps(%d) is not positive", n))
	}
	return func(c *config) { c.maxSteps = n }
}
