package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Event is a line of a record: what a goroutine did on one object. LOOM_MODE=record
// of package loom writes such lines, and so does its option Record.
type Event struct {
	PID       int
	Seq       uint64
	Goroutine uint64
	Kind      string
	Object    uint32
	Op        string
	In, Out   string
	Place     string // file and line, or empty

	Line int `json:"-"` // of the file, from 1
}

// Read reads a record of any number of runs, one after the other: of processes, or of
// executions. The lines of each must be counted without a gap: a line that the file
// has lost shows.
func Read(r io.Reader) (runs [][]Event, err error) {
	var last Event
	lines := bufio.NewScanner(r)
	for line := 1; lines.Scan(); line++ {
		e := Event{Line: line}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("trace: line %d: %w", line, err)
		}
		if e.PID != last.PID {
			runs, last = append(runs, nil), Event{PID: e.PID}
		}
		if e.Seq != last.Seq+1 || len(runs) == 0 {
			return nil, fmt.Errorf("trace: line %d is event %d of run %d, after event %d", line, e.Seq, e.PID, last.Seq)
		}
		last = e
		runs[len(runs)-1] = append(runs[len(runs)-1], e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if len(runs) == 0 {
		return nil, errors.New("trace: the record is empty")
	}
	return runs, nil
}

// number reads what a record has of a number: in base 10, or in base 16 with an
// underscore between the halves of a word.
func number(s string) (uint64, error) {
	return strconv.ParseUint(strings.ReplaceAll(s, "_", ""), 0, 64)
}

// swap reads what a record has of a compare-and-swap.
func swap(e Event) (old, new uint64, ok bool, err error) {
	before, after, is := strings.Cut(e.In, " -> ")
	if !is || e.Out != "true" && e.Out != "false" {
		return 0, 0, false, fmt.Errorf("%q with result %q is no compare-and-swap", e.In, e.Out)
	}
	if old, err = number(before); err == nil {
		new, err = number(after)
	}
	return old, new, e.Out == "true", err
}
