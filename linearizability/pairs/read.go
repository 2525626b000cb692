package pairs

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/filch-sched/filch/linearizability"
)

// Limits of a file, so that reading one needs bounded memory: of its lines,
// operations, and bytes of keys and values together.
const (
	MaxLine       = linearizability.MaxLine
	MaxOperations = linearizability.MaxOperations
	MaxBytes      = 1 << 26
)

// Format is the value of the key "history" in the first line of a file.
const Format = "pairs/1"

// example is a first line.
const example = `{"history":"pairs/1","object":"queue"}`

// Open is the Return of an operation of which nobody knows when it was done, or
// whether.
const Open = math.MaxInt64

// History is what a file says.
type History struct {
	Object   string
	Capacity int // of a queue or a deque; 0 for none
	Ops      []Op
}

// Op is one operation.
type Op struct {
	Process int64
	F       string
	Key     string
	Value   string // what was given: JSON
	Old     string // of cas, what was to be there
	Answer  string // what was answered: JSON
	Failed  bool
	Call    int64 // the number of the line
	Return  int64 // likewise, or Open
}

// line is one line of a file.
type line struct {
	History  string          `json:"history"`
	Object   string          `json:"object"`
	Capacity int64           `json:"capacity"`
	Process  *int64          `json:"process"`
	Type     string          `json:"type"`
	F        string          `json:"f"`
	Key      json.RawMessage `json:"key"`
	Value    json.RawMessage `json:"value"`
}

// IsFirst reports whether a file that begins with this line is meant to be of pairs,
// if not of those that [Read] reads: whether it says so or has the keys of one.
func IsFirst(first []byte) bool {
	var l map[string]json.RawMessage
	if json.Unmarshal(unmarked(first), &l) != nil {
		return false
	}
	_, object := l["object"]
	_, process := l["process"]
	return object || process || strings.HasPrefix(string(l["history"]), `"pairs/`)
}

// unmarked is a first line without a byte order mark.
func unmarked(first []byte) []byte {
	return bytes.TrimPrefix(first, []byte(linearizability.ByteOrderMark))
}

// Read reads a history of object, which may be "" if the first line names it. What
// is no history is a [*linearizability.LineError].
func Read(r io.Reader, object string) (*History, error) {
	in := &reader{h: &History{Object: object}, open: map[int64]int{}, scan: bufio.NewScanner(r)}
	in.scan.Buffer(nil, MaxLine)
	for in.scan.Scan() {
		in.at++
		b := in.scan.Bytes()
		if in.at == 1 {
			b = unmarked(b)
		}
		if len(bytes.TrimSpace(b)) == 0 {
			in.blank = cmp.Or(in.blank, in.at)
			continue
		}
		if in.blank > 0 {
			return nil, &linearizability.LineError{Line: in.blank, Err: errors.New("is empty, and others follow")}
		}
		if err := in.line(b); err != nil {
			return nil, &linearizability.LineError{Line: in.at, Err: err}
		}
	}
	err := in.scan.Err()
	switch {
	case err != nil:
		return nil, &linearizability.LineError{Line: in.at + 1, Err: fmt.Errorf("cannot be read: %w", err)}
	case in.at == 0, in.blank == 1:
		return nil, &linearizability.LineError{Line: 1, Err: errors.New("the file is empty")}
	}
	return in.h, nil
}

// reader is how far Read is.
type reader struct {
	h     *History
	scan  *bufio.Scanner
	at    int           // the number of the line
	blank int           // the first empty line, which is to be at the end; 0 if none was
	open  map[int64]int // the operation of a process that has not returned
	bytes int
}

func (r *reader) line(b []byte) error {
	if !utf8.Valid(b) {
		return errors.New("is not UTF-8")
	}
	var l line
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&l); err != nil {
		return notJSON(err)
	}
	if d.More() {
		return errors.New("has more than one JSON value")
	}
	if r.at == 1 {
		if done, err := r.header(l); done || err != nil {
			return err
		}
	}
	if l.Process == nil {
		return errors.New("has no process")
	}
	r.bytes += len(l.Key) + len(l.Value)
	if r.bytes > MaxBytes {
		return fmt.Errorf("more than %d bytes of keys and values", MaxBytes)
	}
	if l.Type == "invoke" {
		return r.call(l)
	}
	return r.returns(l)
}

// notJSON says in plain words why a line is none of a history.
func notJSON(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("is cut: it ends in the middle of its JSON object")
	case !errors.As(err, &kind):
		return fmt.Errorf("is not what belongs here: %w", err)
	case kind.Field == "process" || kind.Field == "capacity":
		return fmt.Errorf("%s is a JSON %s, want a whole number of 64 bits", kind.Field, kind.Value)
	case kind.Field != "":
		return fmt.Errorf("%s is a JSON %s, want a string", kind.Field, kind.Value)
	}
	return fmt.Errorf("is not what belongs here: a JSON %s, want an object", kind.Value)
}

// header reads a first line that says what the history is of. It reports whether
// it is one.
func (r *reader) header(l line) (bool, error) {
	if l.History != "" {
		switch {
		case l.History != Format:
			return true, fmt.Errorf("history is %q, want %q", l.History, Format)
		case r.h.Object != "" && r.h.Object != l.Object:
			return true, fmt.Errorf("object is %q, and it was said to be %q", l.Object, r.h.Object)
		case l.Capacity < 0:
			return true, fmt.Errorf("capacity %d is negative", l.Capacity)
		}
		r.h.Object, r.h.Capacity = l.Object, int(min(l.Capacity, math.MaxInt))
	}
	if l.History == "" && r.h.Object == "" {
		return true, fmt.Errorf("does not say what the history is of: want a first line such as %s, or that the reader is told, as by -object of the command audit", example)
	}
	if _, known := objects[r.h.Object]; !known {
		return true, fmt.Errorf("object is %q, want register, kv, queue or deque", r.h.Object)
	}
	return l.History != "", nil
}

func (r *reader) call(l line) error {
	want, known := objects[r.h.Object][l.F]
	switch i, busy := r.open[*l.Process]; {
	case !known:
		return fmt.Errorf("%q is no operation of a %s", l.F, r.h.Object)
	case busy:
		return fmt.Errorf("process %d calls %s, and its %s of line %d has not returned", *l.Process, l.F, r.h.Ops[i].F, r.h.Ops[i].Call)
	case len(r.h.Ops) == MaxOperations:
		return fmt.Errorf("more than %d operations", MaxOperations)
	}
	o := Op{Process: *l.Process, F: l.F, Call: int64(r.at), Return: Open}
	if r.h.Object == "kv" {
		if err := json.Unmarshal(l.Key, &o.Key); err != nil || l.Key[0] != '"' {
			return fmt.Errorf("key is %s, want a string", orNothing(l.Key))
		}
	}
	if want > 0 {
		if err := r.isValue(l.Value, want); err != nil {
			return err
		}
		o.Value = canonical(l.Value)
		var two []json.RawMessage
		if want == 2 && json.Unmarshal(l.Value, &two) == nil {
			o.Old, o.Value = canonical(two[0]), canonical(two[1])
		}
	}
	r.open[*l.Process] = len(r.h.Ops)
	r.h.Ops = append(r.h.Ops, o)
	return nil
}

func (r *reader) returns(l line) error {
	i, called := r.open[*l.Process]
	if !called {
		return fmt.Errorf("process %d returns from nothing that it has called", *l.Process)
	}
	o := &r.h.Ops[i]
	if l.F != "" && l.F != o.F {
		return fmt.Errorf("process %d returns from %s, and has called %s in line %d", *l.Process, l.F, o.F, o.Call)
	}
	delete(r.open, *l.Process)
	switch l.Type {
	case "info":
		return nil
	case "fail":
		o.Failed = true
	case "ok":
		if objects[r.h.Object][o.F] == 0 {
			if string(l.Value) != "null" || o.F != "read" {
				if err := r.isValue(l.Value, 1); err != nil {
					return err
				}
			}
			o.Answer = canonical(l.Value)
		}
	default:
		return fmt.Errorf("type is %q, want invoke, ok, fail or info", l.Type)
	}
	o.Return = int64(r.at)
	return nil
}

// objects says what operations there are, and how many values each is given.
var objects = map[string]map[string]int{
	"register": {"read": 0, "write": 1, "cas": 2},
	"kv":       {"get": 0, "put": 1, "append": 1},
	"queue":    {"enqueue": 1, "dequeue": 0},
	"deque":    {"push": 1, "pop": 0, "steal": 0},
}

// isValue reports whether b is a number or a string, a string if it is of a key, or
// so many of them.
func (r *reader) isValue(b json.RawMessage, n int) error {
	if n > 1 {
		var all []json.RawMessage
		if err := json.Unmarshal(b, &all); err != nil || len(all) != n {
			return fmt.Errorf("value is %s, want %d values", orNothing(b), n)
		}
		for _, v := range all {
			if err := r.isValue(v, 1); err != nil {
				return err
			}
		}
		return nil
	}
	if r.h.Object == "kv" && (len(b) == 0 || b[0] != '"') {
		return fmt.Errorf("value is %s, want a string", orNothing(b))
	}
	if len(b) == 0 || b[0] != '"' && b[0] != '-' && (b[0] < '0' || b[0] > '9') {
		return fmt.Errorf("value is %s, want a number or a string", orNothing(b))
	}
	return nil
}

// canonical is a value with its strings in one spelling. Numbers are compared as
// they are written.
func canonical(b json.RawMessage) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if d.Decode(&v) == nil {
		if out, err := json.Marshal(v); err == nil {
			return string(out)
		}
	}
	return string(b)
}

// orNothing is b, in short.
func orNothing(b json.RawMessage) string {
	switch {
	case len(b) == 0:
		return "missing"
	case len(b) > 40:
		return string(b[:40]) + "..."
	}
	return string(b)
}
