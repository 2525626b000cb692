package explore

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Options are the settings of a search.
type Options struct {
	KeepGoing bool
	Deadline  time.Time // zero: none
	MaxSteps  int
	Most      int         // executions; 0: no limit
	Failed    func() bool // whether the program has failed by other means; may be nil

	// Stuck is called, on another goroutine, when one execution takes longer
	// than Patience, with the stacks of all goroutines: a thread waits for
	// something that is no step. If nil, the program ends with a panic, since a
	// blocked goroutine cannot be ended.
	Stuck    func(stacks string)
	Patience time.Duration // 0: one minute

	// For tests of the search itself.
	NoSleep      bool // every interleaving, not every trace
	Fingerprints bool // count the different traces
}

// Result is what a search has seen.
type Result struct {
	Executions, Traces, Blocked, Deadlocks, Races, Failures int
	Steps, MaxDepth, Threads                                int

	Exhausted bool
	First     *machine.Failure // the first violation
	Schedule  Schedule         // that leads to it
	Err       error            // why the program cannot be explored

	Fingerprints map[uint64]int // runs by trace, if asked for
}

// node is a decision on the path of the last execution: which thread took a
// step, or how a choice went.
type node struct {
	enabled uint64
	asleep  uint64 // threads that need not be tried here, or have been
	effects int    // where the effects of the enabled threads begin
	effect  machine.Effect
	thread  int
	code    machine.Code // None: not known yet
	n       int          // a choice of n; 0: a step
	value   int          // of the choice
}

type search struct {
	opts    Options
	m       *machine.Machine
	path    []node
	effects []machine.Effect // of all nodes, end to end
	depth   int              // nodes of the path that the running execution has used
	blocked bool
	err     error
	steps   []step // of the running execution, for fingerprints
	res     Result
}

// Search explores body.
func Search(body func(), opts Options) Result {
	s := &search{opts: opts}
	s.m = machine.New(s)
	s.m.MaxSteps, s.m.RacesGoOn = opts.MaxSteps, opts.KeepGoing
	defer s.m.Close()
	var runs atomic.Uint64
	defer watch(&runs, opts)()
	if opts.Fingerprints {
		s.res.Fingerprints = make(map[uint64]int)
	}
	for {
		runs.Add(1)
		s.depth, s.blocked, s.steps = 0, false, s.steps[:0]
		s.m.Run(body)
		if !s.account() {
			return s.res
		}
		if !s.backtrack() {
			s.res.Exhausted = true
			return s.res
		}
		if s.late() {
			return s.res
		}
	}
}

// late reports whether a limit is reached. Looking at the
// clock costs about as much as a step, so that is not done every time.
func (s *search) late() bool {
	if s.opts.Most > 0 && s.res.Executions >= s.opts.Most {
		return true
	}
	return !s.opts.Deadline.IsZero() && s.res.Executions%16 == 0 && time.Now().After(s.opts.Deadline)
}

// account books the execution that has just ended and reports whether to go on.
func (s *search) account() bool {
	m, r := s.m, &s.res
	r.Executions++
	r.Steps += m.Steps
	r.MaxDepth = max(r.MaxDepth, m.Steps)
	r.Threads = max(r.Threads, m.Threads())
	if s.err == nil {
		s.err = m.Err
	}
	if s.err != nil {
		r.Err = s.err
		return false
	}
	f := s.failure()
	switch {
	case m.Done && m.Failure == nil && (f == nil || f.Kind == machine.RaceFailure), f != nil && f.Kind == machine.DeadlockFailure:
		r.Traces++
		if s.opts.Fingerprints {
			r.Fingerprints[fingerprint(s.steps, !m.Done)]++
		}
	case s.blocked:
		r.Blocked++
	}
	if f == nil {
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
		r.First, r.Schedule = f, s.schedule()
	}
	return s.opts.KeepGoing
}

// failure returns what the execution that has just ended violated, or nil.
func (s *search) failure() *machine.Failure {
	switch m := s.m; {
	case s.opts.Failed != nil && s.opts.Failed():
		s.opts.Failed = nil // it stays failed, which says nothing about later ones
		return &machine.Failure{Kind: machine.ExitFailure, Thread: -1, Message: "the test failed during this execution"}
	case m.Failure == nil && m.Raced: // and the execution went on
		return &machine.Failure{Kind: machine.RaceFailure}
	default:
		return m.Failure
	}
}

// schedule returns the path as a schedule.
func (s *search) schedule() Schedule {
	var sched Schedule
	for i := range s.path[:s.depth] {
		if nd := &s.path[i]; nd.n > 0 {
			sched.choose(nd.thread, nd.value)
		} else {
			sched.step(nd.thread)
		}
	}
	return sched
}

// Next is part of machine.Controller.
func (s *search) Next(m *machine.Machine) *machine.Thread {
	if s.depth == len(s.path) && !s.extend(m) {
		return nil
	}
	nd := &s.path[s.depth]
	s.depth++
	if nd.n > 0 || nd.thread >= m.Threads() {
		return s.differs(nd, "another number of threads or choices")
	}
	t := m.Thread(nd.thread)
	op := t.Pending()
	if nd.code == machine.None {
		nd.code = op.Code
	}
	if op.Object() != nd.effect.Object || op.Code != nd.code || t.Effect() != nd.effect || !t.CanStep() {
		return s.differs(nd, fmt.Sprintf("thread %d is at %v of object %d, and was at %v of object %d",
			nd.thread, op.Code, op.Object(), nd.code, nd.effect.Object))
	}
	if s.opts.Fingerprints {
		s.steps = append(s.steps, step{thread: nd.thread, effect: nd.effect})
	}
	return t
}

// differs ends the search: the same decisions have led to different steps.
func (s *search) differs(nd *node, what string) *machine.Thread {
	s.err = fmt.Errorf("loom: the body is not deterministic: after the same %d decisions %s; "+
		"it must depend on nothing but its own steps (no map order, random numbers, time, or state kept from the execution before)",
		s.depth-1, what)
	return nil
}

// extend adds a node for the step after the path, and reports false if there is
// none to take.
func (s *search) extend(m *machine.Machine) bool {
	nd := node{asleep: s.carry(), effects: len(s.effects)}
	nd.enabled, s.effects = m.Enabled(s.effects)
	awake := nd.enabled &^ nd.asleep
	if awake == 0 {
		s.effects = s.effects[:nd.effects]
		if nd.enabled == 0 {
			m.Deadlock()
		} else {
			s.blocked = true
		}
		return false
	}
	nd.thread = bits.TrailingZeros64(awake)
	if last := m.Last(); last != nil && awake&(1<<last.ID()) != 0 {
		nd.thread = last.ID() // no switch
	}
	nd.effect = s.effects[nd.effects+nd.thread]
	s.path = append(s.path, nd)
	return true
}

// carry returns the threads that sleep after the path: those that slept at its
// last node, or were explored there, and whose steps commute with the one taken.
func (s *search) carry() uint64 {
	if len(s.path) == 0 || s.opts.NoSleep {
		return 0
	}
	nd := &s.path[len(s.path)-1]
	if nd.n > 0 {
		return nd.asleep
	}
	var sleep uint64
	for rest := nd.asleep; rest != 0; rest &= rest - 1 {
		q := bits.TrailingZeros64(rest)
		if s.effects[nd.effects+q].Independent(nd.effect) {
			sleep |= 1 << q
		}
	}
	return sleep
}

// Choose is part of machine.Controller.
func (s *search) Choose(t *machine.Thread, n int) int {
	if s.depth == len(s.path) {
		s.path = append(s.path, node{n: n, thread: t.ID(), asleep: s.carry(), effects: len(s.effects)})
	}
	nd := &s.path[s.depth]
	s.depth++
	if nd.n != n || nd.thread != t.ID() {
		s.differs(nd, fmt.Sprintf("thread %d chooses among %d, and thread %d chose among %d", t.ID(), n, nd.thread, nd.n))
		return 0
	}
	if s.opts.Fingerprints {
		s.steps = append(s.steps, step{thread: t.ID(), effect: machine.Effect{Object: -1}, choice: nd.value + 1})
	}
	return nd.value
}

// backtrack changes the last decision that can be changed and forgets those
// after it. It reports false if there is none.
func (s *search) backtrack() bool {
	for n := len(s.path); n > 0; n-- {
		nd := &s.path[n-1]
		if nd.n > 0 {
			if nd.value++; nd.value < nd.n {
				return true
			}
		} else {
			nd.asleep |= 1 << nd.thread
			if rest := nd.enabled &^ nd.asleep; rest != 0 {
				nd.thread = bits.TrailingZeros64(rest)
				nd.effect, nd.code = s.effects[nd.effects+nd.thread], machine.None
				s.effects = s.effects[:nd.effects+bits.Len64(nd.enabled)]
				return true
			}
		}
		s.effects = s.effects[:nd.effects]
		s.path = s.path[:n-1]
	}
	return false
}
