package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// Recorded is the last execution of m, for the reports of searches of another
// kind, with the schedule that leads to it there.
func Recorded(s Schedule, m *machine.Machine) Execution {
	return Execution{Schedule: s, Trace: m.Trace, Failure: m.Failure, Err: m.Err, twice: ambiguous(m.Trace)}
}
