package machine

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// This file finds strangers: goroutines that an exploration has started and does
// not follow, because a package did it whose go statements are what they are.
// What such a goroutine does is in no schedule, so nothing that is said of an
// exploration with one is true. It is known by where it comes from: the stack of
// every goroutine ends with the number of the one that has started it.

// watched says whether an exploration is on whose strangers matter. Where source
// has not been rewritten, no hook tells of them, and nobody asks.
var watched atomic.Bool

// family is what is known of goroutines, by their numbers, which are not used
// again.
type family struct {
	sync.Mutex
	threads map[string]bool // goroutines that run, or have run, threads
	verdict map[string]bool // whether one descends from them
	before  map[string]bool // those that there were when the exploration began
	first   string          // what the first stranger of the exploration has done
	nth     int             // how many explorations have been watched
	lent    [64]lent        // the last WaitGroups
	lends   int
}

var strangers family

// WatchStrangers has the exploration that begins now look out for strangers. The
// function that it returns ends that.
func WatchStrangers() (end func()) {
	s := &strangers
	s.Lock()
	defer s.Unlock()
	if s.threads == nil {
		s.threads = map[string]bool{}
	}
	s.first, s.verdict, s.before = "", map[string]bool{}, map[string]bool{}
	s.nth++
	for _, g := range goroutines() {
		s.before[g.number] = true
	}
	watched.Store(true)
	return func() { watched.Store(false) }
}

// enlist notes that the calling goroutine runs threads.
func enlist() {
	if watched.Load() {
		n := fmt.Sprint(number())
		strangers.Lock()
		strangers.threads[n] = true
		strangers.Unlock()
	}
}

// Stranger is called by a goroutine that is no thread and does something that an
// exploration would follow: it is remembered if an exploration is on that has
// started it.
func Stranger() {
	if watched.Load() {
		strangers.meet(nil)
	}
}

// StrangerAt is Stranger for what would end the process: Done of the WaitGroup at
// addr, which counts nothing outside of explorations. It reports whether that is
// no wonder: an exploration has started the goroutine, or has had the group not
// long ago, and had it count.
func StrangerAt(addr unsafe.Pointer) bool { return strangers.meet(addr) }

// meet remembers the calling goroutine if the exploration that is on has started
// it, or has had the group at addr, if that is not nil. It reports whether any
// exploration has.
func (s *family) meet(addr unsafe.Pointer) bool {
	var buf [16 << 10]byte
	stack := string(buf[:runtime.Stack(buf[:], false)])
	g := parseGoroutine(stack)
	s.Lock()
	defer s.Unlock()
	if s.threads == nil {
		return false
	}
	ours, known := s.verdict[g.number]
	if !known {
		ours = s.descends(g)
		s.verdict[g.number] = ours
	}
	now := ours && !s.before[g.number]
	for _, l := range s.lent {
		if addr != nil && l.addr == uintptr(addr) {
			ours, now = true, now || l.nth == s.nth
		}
	}
	if now && watched.Load() && s.first == "" {
		s.first = fmt.Sprintf("a goroutine that loom does not know%s, does at %v what an exploration would have to follow", creator(stack), caller())
	}
	return ours
}

// lent is a WaitGroup that an exploration has had. Its address is not kept from
// being used again: it matters only for what ends the process otherwise.
type lent struct {
	addr uintptr
	nth  int // which exploration
}

// Lend notes that t uses the WaitGroup at addr.
func (t *Thread) Lend(addr unsafe.Pointer) {
	if watched.Load() {
		s := &strangers
		s.Lock()
		s.lent[s.lends%len(s.lent)] = lent{uintptr(addr), s.nth}
		s.lends++
		s.Unlock()
	}
}

// descends reports whether a thread has started g, or one that has started it.
func (s *family) descends(g goroutine) bool {
	var all map[string]goroutine
	for {
		parent := g.parent()
		switch {
		case parent == "" || s.threads[g.number]:
			return false
		case s.threads[parent] || s.verdict[parent]:
			return true
		case s.before[g.number]:
			return false
		}
		if all == nil {
			all = map[string]goroutine{}
			for _, g := range goroutines() {
				all[g.number] = g
			}
		}
		var alive bool
		if g, alive = all[parent]; !alive {
			return false
		}
	}
}

// FirstStranger returns what the first stranger of the exploration has done, ""
// if none is known.
func FirstStranger() string {
	strangers.Lock()
	defer strangers.Unlock()
	return strangers.first
}

// LeftStranger returns, in words, a goroutine that the exploration has started and
// that still is there, though it may have done nothing yet that a hook sees; "" if
// there is none.
func LeftStranger() string {
	s := &strangers
	s.Lock()
	defer s.Unlock()
	for _, g := range goroutines() {
		if s.before[g.number] || g.state == "coroutine" || g.ofRuntime() || !s.descends(g) {
			continue
		}
		return "a goroutine that loom does not know" + creator("\n"+g.stack) + ", is there when the exploration ends"
	}
	return ""
}

// parseGoroutine reads the stack trace of one goroutine.
func parseGoroutine(text string) goroutine {
	head, stack, _ := strings.Cut(text, "\n")
	number, _, _ := strings.Cut(strings.TrimPrefix(head, "goroutine "), " ")
	return goroutine{number: number, stack: stack}
}

// parent returns the number of the goroutine that has started g, "" if none has.
func (g goroutine) parent() string {
	_, at, ok := strings.Cut("\n"+g.stack, "\ncreated by ")
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(at, "\n")
	_, number, ok := strings.Cut(line, " in goroutine ")
	if _, err := strconv.Atoi(number); !ok || err != nil {
		return ""
	}
	return number
}

// ofRuntime reports whether g is one that the runtime starts for itself, on
// whatever goroutine it needs it first.
func (g goroutine) ofRuntime() bool {
	_, by, _ := strings.Cut("\n"+g.stack, "\ncreated by ")
	for _, p := range []string{"runtime.", "unique.", "weak.", "internal/", modulePath + "/internal/"} {
		if strings.HasPrefix(by, p) {
			return true
		}
	}
	return false
}
