package tlc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla/trace"
)

// said is what module SchedTrace prints, as TLC breaks its lines: of three runs of 3, 4
// and 2 steps the first comes to its end and the others do not.
const said = `Starting... (2026-11-30 11:00:00)
<< "no action explains event",
  5,
  [ expects |-> {"WakeW1"},
    pc |-> [w0 |-> "W1", w1 |-> "over"],
    sleepers |-> <<"w1">> ] >>
<<"explained to the end", 3>>
<<"no action explains event", 8, [expects |-> {}, sleepers |-> <<>>]>>
`

func runsOf(steps ...int) []trace.Trace {
	var all []trace.Trace
	for _, n := range steps {
		all = append(all, trace.Trace{Workers: 2, Steps: make([]trace.Step, n)})
	}
	return all
}

func TestWhatTheModulePrintsIsRead(t *testing.T) {
	all, err := explained(said, runsOf(3, 4, 2))
	require.NoError(t, err)
	require.Equal(t, []Explained{
		{Steps: 3},
		{1, `[ expects |-> {"WakeW1"}, pc |-> [w0 |-> "W1", w1 |-> "over"], sleepers |-> <<"w1">> ]`},
		{0, `[expects |-> {}, sleepers |-> <<>>]`},
	}, all)
}

func TestRunOfWhichNothingWasPrintedIsAnError(t *testing.T) {
	_, err := explained(said, runsOf(3, 4, 2, 1))
	require.EqualError(t, err, "tlc: run 4 of 4 neither came to its end nor stopped")
	_, err = explained(said, runsOf(2, 5, 2))
	require.EqualError(t, err, "tlc: run 1 of 3 neither came to its end nor stopped")
	_, err = explained("", runsOf(2))
	require.EqualError(t, err, "tlc: run 1 of 1 neither came to its end nor stopped")
}
