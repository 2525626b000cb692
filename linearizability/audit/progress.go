package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress prints a line while the audit runs: over and over in place on a
// terminal, else rarely.
type progress struct {
	w        io.Writer
	terminal bool
	last     time.Time
	after    time.Duration // how long the targets that come later will take
}

func newProgress(f *os.File) *progress {
	info, err := f.Stat()
	return &progress{w: f, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0, last: time.Now()}
}

func (p *progress) update(target string, operations int64, spent, of time.Duration) {
	every := 5 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf("audit: %-6s %d operations judged, %.0f s of %.0f s, about %.0f s left in all",
		target, operations, spent.Seconds(), of.Seconds(), max(0, of-spent).Seconds()+p.after.Seconds())
	if p.terminal {
		fmt.Fprintf(p.w, "\r%-78s", line)
		return
	}
	fmt.Fprintln(p.w, line)
}

// done takes the line off a terminal.
func (p *progress) done() {
	if p.terminal {
		fmt.Fprintf(p.w, "\r%-78s\r", "")
	}
}
