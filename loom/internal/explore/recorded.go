package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// Recorded is the last execution of m, for the reports of searches of another
// kind, with the schedule that leads to it there.
func Recorded(s Schedule, m *machine.Machine) Execution {
	m.NameAll()
	e := Execution{Schedule: s, Trace: m.Trace, Failure: m.Failure, Err: m.Err, Threads: m.Threads()}
	e.twice, e.helpers = ambiguous(e), helpersOf(e)
	e.nameOnce()
	return e
}
