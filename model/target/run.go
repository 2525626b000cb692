package target

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// machine is what the operations of one run are done on.
type machine interface {
	// do carries out one operation of a thread of the scenario, which was
	// called at the stamp call.
	do(thread int, op model.Op, call int64) model.Result
	// finish ends the run, once all threads have ended: it may do operations
	// that take out what is left, each on behalf of a thread, and check what
	// must hold at the end.
	finish(do func(thread int, op model.Op) model.Result)
}

// timed is a machine with a clock of its own. Its stamps are no steps of the
// exploration, which need not try their orders: a history is judged with the
// order in which things did happen in the one run that stands for its trace.
type timed interface{ now() int64 }

// watcher is a machine that wants to know when its operations returned.
type watcher interface {
	returned(thread int, op model.Op, at int64)
}

// staffed is a machine with threads of its own that it does not start itself.
type staffed interface {
	// start starts them, before the threads of the scenario.
	start() []*loom.Thread
}

// busy is a machine whose own threads do operations.
type busy interface {
	// history returns them, once the run is over.
	history() model.History
}

// newMachine returns what s runs on.
func newMachine(s model.Scenario) machine {
	switch s.Target {
	case model.Ring, model.Inject:
		return newQueues(s)
	case model.Park:
		return newParkers(s)
	case model.Idle:
		return newCrew(s)
	case model.Sched:
		return newWhole(s)
	case model.Tracker:
		return newTrackers(s)
	}
	panic(fmt.Sprintf("target: scenario %q: target %v cannot be run", s.Name, s.Target))
}

// recorder keeps the operations of one thread.
type recorder struct {
	m   machine
	ops model.History
}

// do carries out op and records it with its interval.
func (r *recorder) do(thread int, op model.Op) model.Result {
	call, ret := loom.Call, loom.Return
	if c, ok := r.m.(timed); ok {
		call, ret = c.now, c.now
	}
	o := model.Operation{Thread: thread, Op: op, Call: call()}
	o.Result = r.m.do(thread, op, o.Call)
	o.Return = ret()
	r.ops = append(r.ops, o)
	if w, ok := r.m.(watcher); ok {
		w.returned(thread, op, o.Return)
	}
	return o.Result
}

// Run performs s once and returns its history: the setup, the threads at the
// same time, and at the end what takes out all that is left. What can be
// checked only during the run is: a breach ends it by loom.Failf.
//
// It must be called on a thread of an exploration or stress test. The scenario
// must be valid: it panics if its target is unknown.
func Run(s model.Scenario) model.History {
	m := newMachine(s)
	main := &recorder{m: m}
	for _, st := range s.Setup {
		main.do(st.Thread, st.Op)
	}
	var crew []*loom.Thread
	if own, ok := m.(staffed); ok {
		crew = own.start()
	}
	recorders := make([]*recorder, len(s.Threads))
	threads := make([]*loom.Thread, len(s.Threads))
	for i, th := range s.Threads {
		r := &recorder{m: m}
		recorders[i] = r
		threads[i] = loom.Go(func() {
			for _, op := range th.Ops {
				r.do(i, op)
			}
		})
	}
	for _, t := range append(threads, crew...) {
		t.Join()
	}
	m.finish(main.do)
	h := main.ops
	for _, r := range recorders {
		h = append(h, r.ops...)
	}
	if own, ok := m.(busy); ok {
		h = append(h, own.history()...)
	}
	return h
}

// Body returns a body for loom.Check and loom.Explore that performs s and holds
// its history against the law.
func Body(s model.Scenario) func() {
	spec, names := model.SpecOf(s), s.Names()
	lawful := map[string]bool{} // histories that were judged before
	return func() {
		h := Run(s)
		key := h.Key()
		if lawful[key] {
			return
		}
		if v := model.Check(spec, h); v != nil {
			loom.Failf(string(guarded(v.Claims, s.Claims)), "%s", describe(v, h, names))
		}
		lawful[key] = true
	}
}

// guarded picks the one of the violated claims that the scenario guards, else
// the most specific.
func guarded(violated, guards []model.Claim) model.Claim {
	for _, c := range violated {
		if slices.Contains(guards, c) {
			return c
		}
	}
	return violated[0]
}

// describe is a violation with its history, threads by their names.
func describe(v *model.Violation, h model.History, names []string) string {
	var b strings.Builder
	b.WriteString(v.Message)
	if len(v.Claims) > 1 {
		fmt.Fprintf(&b, " (claims: %v)", v.Claims)
	}
	for _, o := range v.Operations {
		fmt.Fprintf(&b, "\n\t%s", o.Format(names))
	}
	b.WriteString("\nhistory:\n\t")
	b.WriteString(strings.ReplaceAll(strings.TrimSpace(h.Format(names)), "\n", "\n\t"))
	return b.String()
}

// Options returns the options that s brings: which claims a race and a deadlock
// violate.
func Options(s model.Scenario) []loom.Option {
	claim := map[model.Target]model.Claim{model.Park: model.TokenKept, model.Idle: model.NoLostWakeup,
		model.Sched: model.ShutdownDrains}[s.Target]
	for _, c := range []model.Claim{model.NoLostWakeup, model.WorkConserving, model.ShutdownWakes} {
		if slices.Contains(s.Claims, c) {
			claim = c
		}
	}
	opts := []loom.Option{loom.Race(string(model.NoSlotRace))}
	if claim != "" { // else nothing in the target waits for anything but a lock
		opts = append(opts, loom.Deadlock(string(claim)))
	}
	return opts
}

// Check explores s, or under the ordinary build stresses it, and fails t at the
// first history that is not lawful.
func Check(t testing.TB, s model.Scenario, opts ...loom.Option) loom.Report {
	t.Helper()
	r := loom.Check(t, Body(s), append(Options(s), opts...)...)
	if r.Races > 0 && s.Target == model.Park {
		t.Errorf("%s violated: %s", model.UnparkPublishes, unpublished)
	}
	return r
}

// unpublished is what a race means whose plain variable is the one that Write
// and Read use.
const unpublished = "the store before an Unpark races with the load after the Park that it released"

// Explore is Check without a test: it returns what Check reports.
func Explore(s model.Scenario, opts ...loom.Option) (loom.Report, error) { return Explorer(s)(opts...) }

// Explorer returns Explore of s, to be called any number of times, one after the
// other: a history that is lawful is judged once.
func Explorer(s model.Scenario) func(opts ...loom.Option) (loom.Report, error) {
	body, own := Body(s), Options(s)
	return func(opts ...loom.Option) (loom.Report, error) {
		r, err := loom.Explore(body, slices.Concat(own, opts)...)
		var v *loom.Violation
		if errors.As(err, &v) && v.Claim == string(model.NoSlotRace) && s.Target == model.Park {
			v.Claim, v.Message = string(model.UnparkPublishes), unpublished+": "+v.Message
		}
		return r, err
	}
}
