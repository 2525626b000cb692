package machine

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// This file finds threads that wait for something that no step brings about: a
// channel, real time, a lock of package sync. Such a thread stops everything, for
// the goroutine that runs the exploration waits for it, and nothing can end a
// blocked goroutine. So the exploration runs on a goroutine of its own, and that
// is what Guard gives up.

// patience is how Guard decides that an execution is stuck.
type patience struct {
	look     time.Duration // how often it looks
	looks    int           // how many times a thread must be seen in the same place, blocked
	computes time.Duration // how long a thread may go on without a step
}

var usual = patience{look: 300 * time.Millisecond, looks: 4, computes: 30 * time.Second}

// beats is how many steps count as progress, a power of two.
const beats = 1024

// Guard runs f, which runs machines, on a goroutine of its own and returns when
// f has. If before that a thread is blocked by something that no step ends, for
// more than a second, or computes for half a minute without a step, Guard returns
// an error that shows its stack. That goroutine and those of f are left behind,
// and whatever becomes of them, they take no part in later explorations.
func Guard(f func()) error { return guard(f, usual) }

func guard(f func(), p patience) error {
	done := make(chan struct{})
	var panicked any
	go func() {
		defer close(done)
		room(0)
		defer func() {
			if panicked = recover(); panicked != nil {
				panicked = fmt.Sprintf("%v\n\n%s", panicked, debug.Stack())
			}
		}()
		f()
	}()
	w := watch{patience: p}
	tick := time.NewTicker(p.look)
	defer tick.Stop()
	for {
		select {
		case <-done:
			if panicked != nil {
				panic(panicked)
			}
			return nil
		case <-tick.C:
			if text := w.look(); text != "" {
				abandon(w.suspect)
				return fmt.Errorf("loom: %s", text)
			}
		}
	}
}

// watch is what Guard has seen.
type watch struct {
	patience
	run, beat uint64
	since     time.Time // how long it has been so
	suspect   goroutine
	seen      int // how often, in the same place
}

// look looks once and returns what is wrong, or "".
func (w *watch) look() string {
	run, beat, co := running.run.Load(), running.beat.Load(), running.co.Load()
	if together.on.Load() {
		run, co = runs.Load(), oneOf(together.machines.Load())
	}
	if co == nil || run != w.run || beat != w.beat {
		w.run, w.beat, w.since, w.seen = run, beat, time.Now(), 0
		return ""
	}
	g, ok := threadGoroutine()
	if !ok {
		w.seen = 0 // it was just between two threads
		return ""
	}
	what, blocked := waitsFor[g.state]
	if g != w.suspect || !blocked {
		w.suspect, w.seen = g, 0
	}
	w.seen++
	name := Name(int(co.id.Load()))
	switch {
	case blocked && w.seen >= w.looks*slow(g.state):
		return fmt.Sprintf("%s waits for %s at %v. %s", name, what, g.site(), blockedText(g))
	case !blocked && time.Since(w.since) > w.computes:
		return fmt.Sprintf("%s has taken no step for %v, at %v. %s", name, w.computes, g.site(), busyText(g))
	}
	return ""
}

// slow is how much more patience a state deserves: the world outside answers late,
// and most often it does.
func slow(state string) int {
	if state == "syscall" || state == "IO wait" {
		return 8
	}
	return 1
}

func blockedText(g goroutine) string {
	return "No step of another thread can end that, so an exploration cannot either: threads may wait only for each other, " +
		"by the types of loom/atomic, loom/sync and loom/time. Its goroutine and the others of this execution are left behind.\n\n" + g.text()
}

func busyText(g goroutine) string {
	return "Either it loops, or it computes for too long to be done again in every execution. It goes on, left behind with the others of this execution.\n\n" + g.text()
}

// waitsFor has the states of goroutines that are blocked, as the runtime calls
// them in stack traces, and what they mean.
var waitsFor = map[string]string{
	"chan receive":                  "a receive from a channel",
	"chan send":                     "a send to a channel",
	"chan receive (nil chan)":       "a receive from a nil channel",
	"chan send (nil chan)":          "a send to a nil channel",
	"select":                        "a select",
	"select (no cases)":             "a select without cases",
	"sleep":                         "the time to pass, in time.Sleep",
	"IO wait":                       "a file or the network",
	"syscall":                       "the operating system",
	"semacquire":                    "a lock of the runtime",
	"sync.Cond.Wait":                "a sync.Cond of package sync",
	"sync.Mutex.Lock":               "a sync.Mutex of package sync",
	"sync.RWMutex.RLock":            "a sync.RWMutex of package sync",
	"sync.RWMutex.Lock":             "a sync.RWMutex of package sync",
	"sync.WaitGroup.Wait":           "a sync.WaitGroup of package sync",
	"synctest.Run":                  "a bubble of testing/synctest",
	"synctest.Wait":                 "a bubble of testing/synctest",
	"wait for GC cycle":             "the garbage collector",
	"finalizer wait":                "finalizers",
	"chan receive (durable)":        "a receive from a channel",
	"chan send (durable)":           "a send to a channel",
	"select (durable)":              "a select",
	"sync.WaitGroup.Wait (durable)": "a sync.WaitGroup of package sync",
}

// goroutine is one of a stack trace.
type goroutine struct{ number, state, stack string }

func (g goroutine) text() string { return "goroutine " + g.number + " [" + g.state + "]:\n" + g.stack }

// left are the numbers of goroutines that explorations have left behind.
var left struct {
	sync.Mutex
	numbers []string
}

// threadGoroutine returns the goroutine of the thread that runs now, false if it
// is not seen.
func threadGoroutine() (goroutine, bool) {
	left.Lock()
	defer left.Unlock()
	for _, g := range goroutines() {
		if g.state != "coroutine" && strings.Contains(g.stack, "loom/internal/machine.(*coro).run(") &&
			!slices.Contains(left.numbers, g.number) {
			return g, true
		}
	}
	return goroutine{}, false
}

// goroutines returns all there are.
func goroutines() []goroutine {
	buf := make([]byte, 1<<20)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	var list []goroutine
	for _, block := range strings.Split(string(buf), "\n\n") {
		head, stack, _ := strings.Cut(block, "\n")
		number, rest, ok := strings.Cut(strings.TrimPrefix(head, "goroutine "), " ")
		if !ok {
			continue
		}
		if strings.HasPrefix(rest, "gp=") { // GOTRACEBACK=system
			_, rest, _ = strings.Cut(rest, "[")
			rest = "[" + rest
		}
		state, _, _ := strings.Cut(strings.Trim(rest, "[]:"), ", ")
		list = append(list, goroutine{number, state, stack})
	}
	return list
}

// site returns the innermost place of a stack that is neither in the standard
// library nor in the shim.
func (g goroutine) site() Site {
	lines := strings.Split(g.stack, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		function, _, _ := strings.Cut(strings.TrimPrefix(lines[i], "created by "), "(")
		root := function[:max(0, strings.IndexAny(function, "./"))]
		at := parseSite(lines[i+1])
		ours := inside(lines[i]) && !strings.HasSuffix(at.File, "_test.go")
		if !ours && root != "" && !slices.Contains(library, root) {
			return at
		}
	}
	return Site{}
}

// library are the first parts of the names of packages of the standard library
// that may be on the stack of a goroutine that is blocked.
var library = strings.Fields("bufio context crypto database encoding fmt internal io iter log net os reflect runtime sync syscall testing text time vendor")

// parseSite reads the line of a stack trace that names a place.
func parseSite(line string) Site {
	at, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return Site{}
	}
	var n int
	fmt.Sscan(at[i+1:], &n)
	return Site{File: at[:i], Line: n}
}

// abandon leaves the running execution behind, whose thread is g.
func abandon(g goroutine) {
	left.Lock()
	left.numbers = append(left.numbers, g.number)
	left.Unlock()
	if machines := together.machines.Load(); machines != nil {
		for _, m := range *machines {
			m.abandoned.Store(true)
			m.seat.co.Store(nil)
		}
		together.on.Store(false)
		return
	}
	running.m.Load().abandoned.Store(true)
	running.co.Store(nil)
}

// stay ends a goroutine of an abandoned execution as far as that is possible: it
// does nothing more.
func stay() { select {} }

// stray makes a goroutine that an exploration has left behind stay where it is.
func stray() {
	left.Lock()
	n := len(left.numbers)
	left.Unlock()
	if n == 0 {
		return
	}
	me := fmt.Sprint(number())
	left.Lock()
	yes := slices.Contains(left.numbers, me)
	left.Unlock()
	if yes {
		stay()
	}
}
