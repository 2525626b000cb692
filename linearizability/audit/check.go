package main

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/shell"
	"github.com/filch-sched/filch/linearizability/pairs"
	"github.com/filch-sched/filch/model"
)

// runCheck judges a history file. One in which no two operations overlap, as in
// one without any, can violate a claim, but it cannot show that one holds.
func (c config) runCheck(stdout io.Writer) (int, error) {
	file, err := openHistory(c.check)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, linearizability.MaxLine)
	if c.object != "" || isPairs(in) {
		return c.checkPairs(in, stdout)
	}
	h, err := linearizability.Read(in)
	if at := (*linearizability.LineError)(nil); errors.As(err, &at) && at.Line == 1 {
		return 0, fmt.Errorf("%s: %w; %s", c.check, err, wantsHistory)
	} else if err != nil {
		return 0, fmt.Errorf("%s: %w", c.check, err)
	}
	s := c.newSummary()
	s.Command = goRun + "-check " + shell.Quote(c.check)
	sec := &section{Target: h.Target.String(), Verdict: clean, Threads: h.Threads, Claims: c.claimsOf(h.Target)}
	sec.Tally.add(h, 0)
	s.Sections = []*section{sec}
	v, err := linearizability.Judge(h)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", c.check, err)
	case v != nil:
		sec.Found = &finding{Claim: v.Claim, File: c.check, Command: s.Command}
		sec.Found.setHistory(h, v)
		sec.Verdict, sec.Reason = violation, string(v.Claim)
	default:
		sec.Needs = needsOfFile(&sec.Tally)
		if why := lacking(sec.Needs); why != "" {
			sec.Verdict, sec.Reason = inconclusive, why
		}
	}
	return c.finish(s, stdout)
}

// wantsHistory is what to say to somebody whose file is none.
const wantsHistory = "-check takes the file of a history: lines of JSON as the audit saves them, or as package linearizability/pairs describes"

// openHistory opens the file of a history.
func openHistory(name string) (*os.File, error) {
	file, err := os.Open(name)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, fmt.Errorf("-check %s: %w; %s", shell.Quote(name), path.Err, wantsHistory)
	} else if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("-check %s: is a directory; %s", shell.Quote(name), wantsHistory)
	}
	return file, nil
}

// claimsOf lists the claims that histories of a target are judged by.
func (c config) claimsOf(t model.Target) (out []string) {
	for _, name := range targetNames {
		if d := c.driver(name); d.target() == t {
			for _, cl := range d.claims() {
				out = append(out, string(cl))
			}
		}
	}
	return out
}

// isPairs reports whether the first line is that of a file of pairs of calls and
// returns.
func isPairs(in *bufio.Reader) bool {
	for n := 512; ; n *= 2 {
		b, err := in.Peek(min(n, in.Size()))
		if at := bytes.IndexByte(b, '\n'); at >= 0 || err != nil || n >= in.Size() {
			if at >= 0 {
				b = b[:at]
			}
			return pairs.IsFirst(b)
		}
	}
}

// checkPairs judges a history that others have recorded.
func (c config) checkPairs(in io.Reader, stdout io.Writer) (int, error) {
	h, err := pairs.Read(in, c.object)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.check, err)
	}
	v, err := h.Judge(c.duration + overtime)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.check, err)
	}
	s := c.newSummary()
	s.Command = goRun + "-check " + shell.Quote(c.check)
	if c.object != "" {
		s.Command += " -object " + c.object
	}
	sec := &section{Target: h.Object, Verdict: clean, Tally: pairsTally(h), Claims: []string{pairs.Linearizable}}
	s.Sections = []*section{sec}
	sec.Needs = needsOfFile(&sec.Tally)
	switch why := lacking(sec.Needs); {
	case v.Claim != "":
		sec.Verdict, sec.Reason, sec.Claims = violation, v.Claim, []string{v.Claim}
		sec.Found = &finding{Claim: model.Claim(v.Claim), Message: v.Message, File: c.check, Command: s.Command}
		for _, line := range v.Lines {
			sec.Found.Lines = append(sec.Found.Lines, fmt.Sprintf("called in line %d", line))
		}
		c.drawPairs(h, v, sec.Found)
	case v.Unknown != "":
		sec.Verdict, sec.Reason = inconclusive, v.Unknown
	case why != "":
		sec.Verdict, sec.Reason = inconclusive, why
	}
	return c.finish(s, stdout)
}

// drawPairs lets porcupine draw what it has judged, beside the report.
func (c config) drawPairs(h *pairs.History, v pairs.Verdict, f *finding) {
	if c.report == "" || v.Claim != pairs.Linearizable || len(v.Lines) == 0 {
		return
	}
	var b bytes.Buffer
	name := filepath.Join(filepath.Dir(c.report), "audit-"+h.Object+".porcupine.html")
	err := h.Draw(&b, v.Lines[0])
	if err == nil {
		err = os.WriteFile(name, b.Bytes(), 0o644)
	}
	if err != nil {
		f.Unsaved = err.Error()
		return
	}
	f.Drawing = filepath.Base(name)
}

// pairsTally counts what is in a history.
func pairsTally(h *pairs.History) tally {
	t := tally{Lives: 1, Operations: int64(len(h.Ops)), Outcomes: map[string]int64{}}
	under := new(ends) // of the operations that are under way
	for _, o := range h.Ops {
		out := "ok"
		switch {
		case o.Return == pairs.Open:
			out = "info"
		case o.Failed:
			out = "fail"
		}
		t.Outcomes[o.F+" = "+out]++
		for under.Len() > 0 && (*under)[0] < o.Call {
			heap.Pop(under)
		}
		t.Overlap[min(under.Len(), len(t.Overlap)-1)]++
		heap.Push(under, o.Return)
	}
	return t
}

// ends is a heap of stamps, the least first.
type ends []int64

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i] < e[j] }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(int64)) }
func (e *ends) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
