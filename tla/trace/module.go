package trace

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Data is the name of the module with the runs that the subject's module explains.
func (s *Subject) Data() string { return s.Spec + "Data" }

var schedNames = []string{
	"WakeW1", "WakeW2", "WakeW4", "WakeW4CAS", "WakeW6", "Unpark", "ParkT2", "ParkT3", "ParkT5", "SearchE1", "SearchE2",
	"StopX1", "ResumeF1", "ResumeF4", "WakeWorkerV1", "WakeWorkerV3", "Excuse", "WakeAllA1", "WakeAllA5", "Sleep",
	"Submit", "SubmitRefused", "CloseInject", "InjectLen", "InjectPop",
	"RingPop", "RingPush", "RefillPush", "SlotSwap", "SlotTake", "LookRing",
	"StealClaim", "StealEmpty", "StealBusy", "StealRelease", "StealBring",
	"Closed", "Over", "Counts", "EndOver", "CloseFlag", End,
}

// Write writes runs of one subject, of a scheduler with equal numbers of workers, as a
// TLA+ module.
// The runs stand one behind the other; the first step of each is among the Starts.
func Write(w io.Writer, runs []Trace) error {
	var starts, lines []string
	of := runs[0].Of
	for _, run := range runs {
		if run.Of != of || of.equal && run.Workers != runs[0].Workers {
			return fmt.Errorf("trace: runs of %s with %d workers and of %s with %d in one module", of.Name, runs[0].Workers, run.Of.Name, run.Workers)
		}
		starts = append(starts, fmt.Sprint(len(lines)+1))
		for _, s := range run.Steps {
			lines = append(lines, s.String())
		}
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "---------------------------- MODULE %s ----------------------------\n", of.Data())
	fmt.Fprintf(b, "(* Recorded runs, written by package trace: see module %-19s *)\n", of.Spec+",")
	fmt.Fprintf(b, "(* which says what the events are.                                         *)\n")
	fmt.Fprint(b, of.definitions(runs))
	fmt.Fprintf(b, "Starts == %s\n", set(starts))
	fmt.Fprintf(b, "Trace == <<\n%s>>\n%s\n", strings.Join(lines, ",\n"), strings.Repeat("=", 77))
	return b.Flush()
}

// schedDefinitions are what module SchedTrace needs besides the steps.
func schedDefinitions(runs []Trace) string {
	threads := map[byte][]string{}
	for _, run := range runs {
		for _, s := range run.Steps {
			if kind := s.Thread[0]; s.Name != End && kind != 'w' && !slices.Contains(threads[kind], quote(s.Thread)) {
				threads[kind] = append(threads[kind], quote(s.Thread))
			}
		}
	}
	return fmt.Sprintf("TraceWorkers == %s\nTraceSubmitters == %s\nTraceClosers == %s\n"+
		"TraceOutside == TraceSubmitters \\cup TraceClosers\nTraceLIFOCap == %d\nTraceInterval == %d\n",
		workers(runs), set(threads['s']), set(threads['c']), LIFOCap, Interval)
}

// workers is the set of the workers of the run that has most.
func workers(runs []Trace) string {
	var all []string
	for _, run := range runs {
		for i := len(all); i < run.Workers; i++ {
			all = append(all, quote(name(i)))
		}
	}
	return set(all)
}

func set(of []string) string { return "{" + strings.Join(of, ", ") + "}" }

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
		case []int:
			text += ", <<" + strings.Trim(strings.ReplaceAll(fmt.Sprint(a), " ", ", "), "[]") + ">>"
		default:
			text += fmt.Sprintf(", %v", a)
		}
	}
	return text + ">>"
}
