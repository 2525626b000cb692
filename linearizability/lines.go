package linearizability

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"unicode/utf8"

	"github.com/filch-sched/filch/model"
)

// Limits of a history file, so that reading one needs bounded memory: of the bytes
// of a line, of operations, and of the tasks in all of them together.
const (
	MaxLine       = 1 << 20
	MaxOperations = 1 << 21
	MaxTasks      = 1 << 23
)

// format is the value of the key "history" in the first line of a file.
const format = "filch/1"

// header is the first line of a history file.
type header struct {
	History    string `json:"history"`
	Target     string `json:"target"`
	Threads    int    `json:"threads"`
	Capacity   int64  `json:"capacity,omitempty"` // as large on machines with small words
	Stuck      bool   `json:"stuck,omitempty"`
	Setup      int    `json:"setup,omitempty"`
	Operations int    `json:"operations"`
}

// line is one operation of a history file.
type line struct {
	Thread  int          `json:"thread"`
	Op      string       `json:"op"`
	On      int          `json:"on,omitempty"`
	Args    []model.Task `json:"args,omitempty"`
	Max     int          `json:"max,omitempty"`
	Out     string       `json:"out,omitempty"`
	Tasks   []model.Task `json:"tasks,omitempty"`
	N       int          `json:"n,omitempty"`
	Refused bool         `json:"refused,omitempty"`
	Call    *int64       `json:"call"`
	Return  *int64       `json:"return"`
}

// Write writes h as JSON lines, in the format that the package documentation
// describes.
func Write(w io.Writer, h *History) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	if err := e.Encode(header{format, h.Target.String(), h.Threads, int64(h.Capacity), h.Stuck, h.Setup, len(h.Ops)}); err != nil {
		return fmt.Errorf("linearizability: %w", err)
	}
	for _, o := range h.Ops {
		l := line{Thread: o.Thread, Op: o.Kind.String(), On: o.On, Args: o.Args, Max: o.Max,
			Tasks: o.Tasks, N: o.N, Refused: o.Refused, Call: &o.Call}
		if o.Return != Never {
			l.Return, l.Out = &o.Return, o.Outcome.String()
		}
		if err := e.Encode(l); err != nil {
			return fmt.Errorf("linearizability: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("linearizability: %w", err)
	}
	return nil
}

// WriteFile is Write to a file.
func WriteFile(name string, h *History) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := Write(out, h); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// LineError is what is wrong with a line of a history file. Lines count from 1.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// ReadFile is Read from a file. An error names the file.
func ReadFile(name string) (*History, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("linearizability: %w", err)
	}
	defer in.Close()
	h, err := Read(in)
	if err != nil {
		return nil, fmt.Errorf("linearizability: %s: %w", name, err)
	}
	return h, nil
}

// ByteOrderMark is what some editors on Windows begin a UTF-8 text with. It says
// nothing, as does the carriage return with which a line may end there.
const ByteOrderMark = "\ufeff"

// Read reads a history as Write writes it. What is not one, in any way, is a
// [*LineError].
func Read(r io.Reader) (*History, error) {
	in := &lineReader{s: bufio.NewScanner(r)}
	in.s.Buffer(nil, MaxLine)
	var first header
	if more, err := in.next(&first); err != nil {
		return nil, err
	} else if !more {
		return nil, &LineError{1, errors.New("the file is empty")}
	}
	h, err := first.history()
	if err != nil {
		return nil, &LineError{1, err}
	}
	for tasks := 0; ; {
		var l line
		more, err := in.next(&l)
		switch {
		case err != nil:
			return nil, err
		case !more && len(h.Ops) < first.Operations:
			return nil, &LineError{in.at, fmt.Errorf("the file ends after %d of the %d operations that line 1 says", len(h.Ops), first.Operations)}
		case !more:
			return h, h.checkLines()
		case len(h.Ops) == first.Operations:
			return nil, &LineError{in.at, fmt.Errorf("there is more than the %d operations that line 1 says", first.Operations)}
		}
		o, err := l.operation()
		if tasks += len(o.Args) + len(o.Tasks); err == nil && tasks > MaxTasks {
			err = fmt.Errorf("more than %d tasks in all", MaxTasks)
		}
		if err != nil {
			return nil, &LineError{in.at, err}
		}
		h.Ops = append(h.Ops, o)
	}
}

// lineReader reads JSON values, one a line.
type lineReader struct {
	s  *bufio.Scanner
	at int // the number of the line
}

// next reads the next line into v. It reports false at the end.
func (r *lineReader) next(v any) (more bool, err error) {
	r.at++
	more = r.s.Scan()
	if err := r.s.Err(); err != nil { // also if what was read before is a last line
		return false, &LineError{r.at, fmt.Errorf("cannot be read: %w", err)}
	}
	if !more {
		return false, nil
	}
	b := r.s.Bytes()
	if r.at == 1 {
		b = bytes.TrimPrefix(b, []byte(ByteOrderMark))
	}
	if err := strict(b, v); err != nil {
		return false, &LineError{r.at, err}
	}
	return true, nil
}

// checkLines is check with the operations told by their lines.
func (h *History) checkLines() error {
	err := h.check()
	var op *OpError
	switch {
	case errors.As(err, &op):
		return &LineError{op.Index + 2, op.Err}
	case err != nil:
		return &LineError{1, err}
	}
	return nil
}

// strict decodes one JSON object and nothing else.
func strict(b []byte, v any) error {
	if !utf8.Valid(b) {
		return errors.New("is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("is empty")
		}
		return fmt.Errorf("is not what belongs here: %w", err)
	}
	if d.More() {
		return errors.New("has more than one JSON value")
	}
	return nil
}

func (f header) history() (*History, error) {
	if f.History != format {
		return nil, fmt.Errorf("history is %q, want %q", f.History, format)
	}
	if f.Operations < 0 || f.Operations > MaxOperations {
		return nil, fmt.Errorf("%d operations, want 0 to %d", f.Operations, MaxOperations)
	}
	h := &History{Threads: f.Threads, Capacity: int(min(f.Capacity, math.MaxInt)), Stuck: f.Stuck, Setup: f.Setup}
	for _, t := range []model.Target{model.Ring, model.Inject, model.Park, model.Sched, model.Deque} {
		if t.String() == f.Target {
			h.Target = t
		}
	}
	if h.Target == 0 {
		return nil, fmt.Errorf("target is %q, want ring, inject, park, sched or deque", f.Target)
	}
	return h, nil
}

func (l line) operation() (model.Operation, error) {
	o := model.Operation{Thread: l.Thread,
		Op:     model.Op{On: l.On, Args: l.Args, Max: l.Max},
		Result: model.Result{Tasks: l.Tasks, N: l.N, Refused: l.Refused},
		Return: Never}
	for k := range shapes {
		if k.String() == l.Op {
			o.Kind = k
		}
	}
	if o.Kind == 0 {
		return o, fmt.Errorf("op is %q, which is not judged", l.Op)
	}
	if l.Call == nil {
		return o, errors.New("has no call")
	}
	o.Call = *l.Call
	if l.Return == nil {
		return o, nil
	}
	o.Return = *l.Return
	for _, out := range shapes[o.Kind].outcomes {
		if out.String() == l.Out {
			o.Outcome = out
		}
	}
	if o.Outcome == 0 {
		return o, fmt.Errorf("out is %q, which %s cannot answer", l.Out, l.Op)
	}
	return o, nil
}
