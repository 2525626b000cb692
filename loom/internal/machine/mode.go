package machine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/root"
)

// This file and record.go are what the shim does beside the real thing on
// goroutines that are no threads of an exploration, if LOOM_MODE asks for it.

// mode is what LOOM_MODE asks for.
var mode = modeOf(os.Getenv("LOOM_MODE"))

type modes uint8

const (
	real      modes = iota // nothing
	perturbed              // delays before operations
	recorded               // operations are written down
)

// modeOf reads LOOM_MODE. What it cannot read ends the program: a run in another
// mode than was asked for must not pass for one.
func modeOf(s string) modes {
	switch {
	case s == "":
		return real
	case !tagged:
		refuse(fmt.Sprintf("LOOM_MODE=%s needs the build tag loom", s))
	}
	switch s {
	case "perturb":
		delays.start()
		return perturbed
	case "record":
		events.open(root.File(os.Getenv("LOOM_RECORD")))
		return recorded
	}
	refuse(fmt.Sprintf("LOOM_MODE=%s is not a mode: there are perturb and record", s))
	return real
}

func refuse(text string) {
	fmt.Fprintln(os.Stderr, "loom: "+text)
	os.Exit(2)
}

// delays is the state of the mode perturb.
var delays perturbation

// perturbation delays goroutines before their operations: most often not at all,
// sometimes until others have had their turn, seldom for longer. When it does is
// drawn from the seed and the number of the operation, in the order in which
// operations come; that order is the machine's own, so a seed makes a similar run,
// not the same.
type perturbation struct {
	seed  uint64
	count atomic.Uint64
}

func (p *perturbation) start() {
	p.seed = rand.Uint64()
	if s := os.Getenv("LOOM_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			refuse(fmt.Sprintf("LOOM_SEED=%s is not a number", s))
		}
		p.seed = n
	}
	fmt.Fprintf(os.Stderr, "loom: delays before operations: LOOM_MODE=perturb LOOM_SEED=%d\n", p.seed)
}

// delay is called before an operation.
func (p *perturbation) delay() {
	x := scramble(p.seed + p.count.Add(1)*0x9e3779b97f4a7c15)
	switch n := x % 1024; {
	case n < 128: // 1 in 8
		runtime.Gosched()
	case n < 192: // 1 in 16: up to a microsecond or two, without giving up the processor
		for range x >> 32 % 2048 {
			p.count.Load()
		}
	case n < 194: // 1 in 512
		time.Sleep(time.Duration(x >> 32 % 100_000))
	}
}

// scramble is the finaliser of SplitMix64.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Begin is called by a goroutine that is no thread of the model before it does op
// on the object of r, or on the plain word at addr if r is nil. If it returns a
// Recorder, the operation must be done next, by an attempt that cannot block, and
// then Done or Undone be called.
func Begin(r *Ref, addr unsafe.Pointer, k Kind, op string) *Recorder {
	if r != nil {
		Outside(r, k)
	} else {
		OutsideAt(addr)
	}
	if mode != recorded {
		return nil
	}
	return events.begin(r, addr, k, op)
}

// Recording reports whether operations outside of explorations are written down.
func Recording() bool { return mode == recorded }
