package trace

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Module is the name of the module that Write writes and SchedTrace reads.
const Module = "SchedTraceData"

// Names are the names of steps.
var Names = []string{
	"WakeW1", "WakeW2", "WakeW4", "WakeW4CAS", "WakeW6", "Unpark", "ParkT2", "ParkT3", "ParkT5", "SearchE1", "SearchE2",
	"StopX1", "ResumeF1", "ResumeF4", "WakeWorkerV1", "WakeWorkerV3", "Excuse", "WakeAllA1", "WakeAllA5", "Sleep",
	"Submit", "SubmitRefused", "CloseInject", "InjectLen", "InjectPop",
	"RingPop", "RingPush", "RefillPush", "SlotSwap", "SlotTake", "LookRing",
	"StealClaim", "StealEmpty", "StealBusy", "StealRelease", "StealBring",
	"Closed", "Over", "Counts", "EndOver", "CloseFlag", End,
}

// Write writes runs with the same number of workers as a TLA+ module. The runs stand
// one behind the other; the first step of each is among the Starts.
func Write(w io.Writer, runs []Trace) error {
	var starts, lines []string
	threads := map[byte][]string{}
	for i := range runs[0].Workers {
		threads['w'] = append(threads['w'], quote(name(i)))
	}
	for _, run := range runs {
		if run.Workers != runs[0].Workers {
			return fmt.Errorf("trace: runs with %d and with %d workers in one module", runs[0].Workers, run.Workers)
		}
		starts = append(starts, fmt.Sprint(len(lines)+1))
		for _, s := range run.Steps {
			if kind := s.Thread[0]; s.Name != End && !slices.Contains(threads[kind], quote(s.Thread)) {
				threads[kind] = append(threads[kind], quote(s.Thread))
			}
			lines = append(lines, s.String())
		}
	}
	set := func(of []string) string { return "{" + strings.Join(of, ", ") + "}" }
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "---------------------------- MODULE %s ----------------------------\n", Module)
	fmt.Fprintf(b, "(* Recorded runs of the scheduler, written by package trace: see module    *)\n")
	fmt.Fprintf(b, "(* SchedTrace, which says what the events are.                             *)\n")
	fmt.Fprintf(b, "TraceWorkers == %s\n", set(threads['w']))
	fmt.Fprintf(b, "TraceSubmitters == %s\n", set(threads['s']))
	fmt.Fprintf(b, "TraceClosers == %s\n", set(threads['c']))
	fmt.Fprintf(b, "TraceOutside == TraceSubmitters \\cup TraceClosers\n")
	fmt.Fprintf(b, "TraceLIFOCap == %d\nTraceInterval == %d\n", LIFOCap, Interval)
	fmt.Fprintf(b, "Starts == %s\n", set(starts))
	fmt.Fprintf(b, "Trace == <<\n%s>>\n%s\n", strings.Join(lines, ",\n"), strings.Repeat("=", 77))
	return b.Flush()
}

func quote(s string) string { return `"` + s + `"` }

// String returns the step as TLA+ has it.
func (s Step) String() string {
	text := "<<" + quote(s.Name) + ", " + quote(s.Thread)
	for _, a := range s.Args {
		switch a := a.(type) {
		case string:
			text += ", " + quote(a)
		case bool:
			text += ", " + strings.ToUpper(fmt.Sprint(a))
		default:
			text += fmt.Sprintf(", %v", a)
		}
	}
	return text + ">>"
}
