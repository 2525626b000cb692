package trace

import "fmt"

// mapped has for each operation of the code, by its function, the steps that it is.
// An operation that decides nothing yet, such as a load before a compare-and-swap, is
// none; the step is where the call takes effect.
var mapped = map[string]func(*translator) error{
	"Tracker.Wake Load":                word("WakeW1"),
	"Tracker.Wake Lock":                plain("WakeW2"),
	"Tracker.Wake Unlock":              plain("WakeW6"),
	"Tracker.choose Load":              word("WakeW4"),
	"Tracker.choose CompareAndSwap":    compare("WakeW4CAS"),
	"Tracker.Park Lock":                plain("ParkT2"),
	"Tracker.Park Add":                 word("ParkT3"),
	"Tracker.Park Unlock":              plain("ParkT5"),
	"Tracker.TrySearch Load":           word("SearchE1"),
	"Tracker.TrySearch CompareAndSwap": compare("SearchE2"),
	"Tracker.StopSearch Add":           word("StopX1"),
	"Tracker.Resume Lock":              plain("ResumeF1"),
	"Tracker.Resume Unlock":            plain("ResumeF4"),
	"Tracker.WakeWorker Lock":          plain("WakeWorkerV1"),
	"Tracker.WakeWorker Unlock":        plain("WakeWorkerV3"),
	"Tracker.excuse Add":               word("Excuse"),
	"Tracker.WakeAll Lock":             plain("WakeAllA1"),
	"Tracker.WakeAll Unlock":           plain("WakeAllA5"),
	"Tracker.Counts Load":              (*translator).counts,

	"Parker.Unpark Swap":          (*translator).unpark,
	"Parker.ready CompareAndSwap": taken,
	"Parker.Park CompareAndSwap":  taken,
	"Parker.sleep Swap":           plain("Sleep"),

	"Ring.Pop Load":                (*translator).popLoad,
	"Ring.Pop CompareAndSwap":      (*translator).popSwap,
	"Ring.append Store":            publishing("RingPush", false),
	"Ring.PushBatch Store":         publishing("RefillPush", true),
	"Stealer.StealInto Store":      publishing("StealBring", true),
	"Stealer.claim Load":           (*translator).claimLoad,
	"Stealer.claim CompareAndSwap": (*translator).claimSwap,
	"Ring.release CompareAndSwap":  (*translator).release,
	"Stealer.Empty Load":           (*translator).emptyLoad,
	"worker.takeLIFO Load":         (*translator).slotLoad,
	"worker.takeLIFO Swap":         (*translator).slotTake,
	"worker.spawn Swap":            (*translator).slotSwap,

	"Inject.Len Load":      (*translator).injectLen,
	"Inject.PopN Load":     (*translator).injectEmpty,
	"Inject.PopN Store":    (*translator).injectPop,
	"Inject.Push Lock":     func(x *translator) error { x.thread().pushing = true; return nil },
	"Inject.Push Store":    (*translator).submit,
	"Inject.Push Unlock":   (*translator).refused,
	"Inject.Close Lock":    (*translator).close,
	"Scheduler.stop Store": plain("CloseFlag"),
	"Scheduler.end Store":  plain("EndOver"),
	"Ctx.GoTask Load":      flag("Closed"),
	"worker.serve Load":    flag("Over"),
	"worker.sleep Load":    (*translator).sleepLoad,
}

// unmapped has the other operations, with the reason why they are no steps.
var unmapped = map[string]string{
	"New Store": made, "New Add": made, "NewRing Store": made, "worker.start Store": made,
	"Inject.PopN Lock": behind, "Inject.PopN Unlock": behind, "Inject.Close Unlock": behind,
	"Ring.Push Load": early, "Ring.release Load": early, "Ring.Free Load": early, "Stealer.StealInto Load": early, "Parker.ready Load": early,
	"Parker.sleep CompareAndSwap": early, "Parker.Park Lock": semaphore, "Parker.Park Unlock": semaphore,
	"Parker.Park Wait": semaphore, "Parker.Park woken": semaphore, "Parker.Unpark Lock": semaphore,
	"Parker.Unpark Unlock": semaphore, "Parker.Unpark Signal": semaphore,
	"Scheduler.submit Add": counter, "worker.publish Lock": counter, "worker.publish Unlock": counter,
	"worker.run Load": shutdown, "worker.leave Add": shutdown, "Scheduler.Shutdown Wait": shutdown,
	"Scheduler.onWorker Load": shutdown, "Scheduler.report Load": shutdown, "latch.open Broadcast": shutdown,
	"latch.open Lock": shutdown, "latch.open Swap": shutdown, "latch.open Unlock": shutdown, "latch.ready Load": shutdown,
	"latch.wait CompareAndSwap": shutdown, "latch.wait Load": shutdown, "latch.wait Lock": shutdown,
	"latch.wait Unlock": shutdown, "latch.wait Wait": shutdown, "latch.wait woken": shutdown,
}

const (
	made      = "the state in which Sched begins"
	behind    = "a lock of inject: what is done behind it takes effect when the length is stored"
	early     = "decides nothing that a later step does not say"
	semaphore = "how a parker waits is module Park's"
	counter   = "a figure for users"
	shutdown  = "Shutdown with a deadline, and who waits for the end, are not modelled"
)

func plain(name string) func(*translator) error {
	return func(x *translator) error { x.step(name); return nil }
}

// halves returns the counts in a value of the idle word.
func halves(v uint64) (searching, unparked int) { return int(v & (1<<16 - 1)), int(v >> 16) }

// word is a step that reads, or has left, a value of the idle word.
func word(name string) func(*translator) error {
	return func(x *translator) error {
		v, err := number(x.e.Out)
		s, u := halves(v)
		x.step(name, s, u)
		return err
	}
}

// compare is a compare-and-swap of the idle word.
func compare(name string) func(*translator) error {
	return func(x *translator) error {
		old, _, ok, err := swap(x.e)
		s, u := halves(old)
		x.step(name, s, u, ok)
		return err
	}
}

// flag is the load of a flag.
func flag(name string) func(*translator) error {
	return func(x *translator) error {
		if x.e.Out != "true" && x.e.Out != "false" {
			return fmt.Errorf("%q is no flag", x.e.Out)
		}
		x.step(name, x.e.Out == "true")
		return nil
	}
}

// sleepLoad is worker.sleep, which loads both flags.
func (x *translator) sleepLoad() error {
	if x.e.Object == x.over {
		return flag("Over")(x)
	}
	return flag("Closed")(x)
}

// counts is a load of the idle word by who wants to know how many are up: a worker
// that looks for the end, or somebody outside for a report.
func (x *translator) counts() error {
	if !x.isWorker() {
		return nil
	}
	return word("Counts")(x)
}

// taken is a compare-and-swap that takes the token, or finds none.
func taken(x *translator) error {
	_, _, ok, err := swap(x.e)
	if ok {
		x.step("Sleep")
	}
	return err
}

const notified = "2" // the state of a parker with a token

// unpark names the worker whose parker it is: nobody, if the record ends before one
// has parked there.
func (x *translator) unpark() error {
	target := "-"
	if w, known := x.parkers[x.e.Object]; known {
		target = name(w)
	}
	x.step("Unpark", target, x.e.Out == notified)
	return nil
}
