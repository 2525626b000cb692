package machine

import (
	"encoding/json"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Recorder writes down operations, one line of JSON for each. It is held from
// before an operation until after it, so the order of the lines is the order of
// the operations.
type Recorder struct {
	mu    sync.Mutex
	file  *os.File
	seq   uint64
	event event
	words map[unsafe.Pointer]uint32
	last  uint32 // number given to an object
}

// event is a line of the file that LOOM_RECORD names.
type event struct {
	PID       int    `json:"pid"`             // of the process, since several may write to one file
	Seq       uint64 `json:"seq"`             // counts the events of the process, from 1
	Goroutine uint64 `json:"goroutine"`       // its number in stack traces
	Kind      string `json:"kind"`            // of the object: "int", "mutex" ...
	Object    uint32 `json:"object"`          // numbered as they are first used, from 1
	Op        string `json:"op"`              // name of the method, or "go", "start", "end", "fires"
	In        string `json:"in,omitempty"`    // what it was given
	Out       string `json:"out,omitempty"`   // what it returned
	Place     string `json:"place,omitempty"` // file and line of the call
}

var events = &Recorder{words: make(map[unsafe.Pointer]uint32)}

func (e *Recorder) open(name string) {
	if name == "" {
		refuse("LOOM_MODE=record needs LOOM_RECORD=FILE, to which events are appended")
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		refuse("LOOM_RECORD: " + err.Error())
	}
	e.file = f
}

// begin takes the recorder for an operation.
func (e *Recorder) begin(r *Ref, addr unsafe.Pointer, k Kind, op string) *Recorder {
	place := ""
	if at := caller(); at != (Site{}) {
		place = at.String()
	}
	goroutine := uint64(number())
	e.mu.Lock()
	e.event = event{PID: os.Getpid(), Goroutine: goroutine, Kind: k.String(), Object: e.object(r, addr), Op: op, Place: place}
	return e
}

// object returns the number of an object.
func (e *Recorder) object(r *Ref, addr unsafe.Pointer) uint32 {
	if r == nil {
		n := e.words[addr]
		if n == 0 {
			e.last++
			n = e.last
			e.words[addr] = n
		}
		return n
	}
	if r.number == 0 {
		e.last++
		r.number = e.last
	}
	return r.number
}

// Done ends the operation and writes it down, with what it was given and what it
// returned.
func (e *Recorder) Done(in, out string) {
	e.seq++
	e.event.Seq, e.event.In, e.event.Out = e.seq, in, out
	line, err := json.Marshal(e.event)
	if err == nil {
		_, err = e.file.Write(append(line, '\n'))
	}
	if err != nil {
		refuse("LOOM_RECORD: " + err.Error())
	}
	e.mu.Unlock()
}

// Undone ends an operation that was not done after all.
func (e *Recorder) Undone() { e.mu.Unlock() }

// Note writes down what is no operation on an object of the shim: what thread n,
// outside of an exploration, does.
func Note(op string, n uint32) {
	if mode != recorded {
		return
	}
	e := events.begin(&threads, nil, Threads, op)
	e.event.Object = n
	e.Done("", "")
}

// StampOutside draws a stamp outside of an exploration, and writes it down.
func StampOutside(op string, stamps *atomic.Int64) int64 {
	if mode != recorded {
		return stamps.Add(1)
	}
	e := events.begin(&threads, nil, Stamps, op)
	n := stamps.Add(1)
	e.event.Object = 0
	e.Done("", strconv.FormatInt(n, 10))
	return n
}

// Started writes down that the calling goroutine starts a thread, and returns its
// number, for Note.
func Started() uint32 {
	n := started.Add(1)
	Note("go", n)
	return n
}

// threads stands for all threads outside of explorations, started counts them.
var (
	threads Ref
	started atomic.Uint32
)
