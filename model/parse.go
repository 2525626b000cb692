package model

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError is why a scenario is refused, and where.
type SyntaxError struct {
	// Name is that of the scenario; Line and Col count from 1, Col in bytes.
	Name      string
	Line, Col int
	Message   string
	// File is the path of the file that the scenario was read from, "" of a text.
	File string
}

// Error returns the position and the message.
func (e *SyntaxError) Error() string {
	of := e.Name
	if e.File != "" {
		of = e.File
	}
	return fmt.Sprintf("model: scenario %s:%d:%d: %s", of, e.Line, e.Col, e.Message)
}

// byteOrderMark is what some editors begin a UTF-8 text with. It says nothing.
const byteOrderMark = "\ufeff"

// MaxText is how many bytes the text of a scenario may have.
const MaxText = 1 << 16

// Limits of a scenario.
const (
	maxThreads = 8
	maxWorkers = 64
	maxTask    = 1 << 30
)

// word is a piece of a line and the position of its first byte.
type word struct {
	text      string
	line, col int
}

// parser holds the scenario as far as it is read, and what can be checked only
// once the threads are known.
type parser struct {
	s         Scenario
	order     int            // of the last key
	given     map[Task]bool  // tasks that come from somewhere
	submitted map[Task]bool  // those that an operation brings
	spawner   map[Task]Task  // of those that a task brings
	threads   map[string]int // by name
	pending   []func() *SyntaxError
	end       word
}

// Parse reads the text of a scenario. The error, if any, is a *SyntaxError for
// the first thing that is wrong. The grammar is in the package documentation. Lines may
// end as on Windows, and a byte order mark may come first; neither is kept, and columns
// do not count the mark.
func Parse(name, text string) (Scenario, error) {
	p := &parser{s: Scenario{Name: name}, given: map[Task]bool{}, submitted: map[Task]bool{},
		spawner: map[Task]Task{}, threads: map[string]int{}}
	if err := p.parse(text); err != nil {
		err.Name = name
		return Scenario{}, err
	}
	return p.s, nil
}

func fail(w word, format string, args ...any) *SyntaxError {
	return &SyntaxError{Line: w.line, Col: w.col, Message: fmt.Sprintf(format, args...)}
}

func (p *parser) parse(text string) *SyntaxError {
	if len(text) > MaxText {
		last := strings.LastIndexByte(text[:MaxText], '\n') + 1 // where the line begins that is too much
		return fail(word{line: strings.Count(text[:last], "\n") + 1, col: MaxText - last + 1}, "the text is longer than %d bytes", MaxText)
	}
	if !strings.HasSuffix(text, "\n") {
		return fail(word{line: strings.Count(text, "\n") + 1, col: 1}, "the text does not end with a newline")
	}
	text = strings.TrimPrefix(text, byteOrderMark)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		if err := p.line(word{strings.TrimSuffix(l, "\r"), i + 1, 1}); err != nil {
			return err
		}
	}
	p.end = word{line: len(lines) + 1, col: 1}
	return p.finish()
}

// line reads one line.
func (p *parser) line(l word) *SyntaxError {
	if !utf8.ValidString(l.text) {
		return fail(l.at(len(l.text)-len(invalid(l.text))), "not UTF-8")
	}
	if i := strings.IndexFunc(l.text, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
		return fail(l.at(i), "control character %q", l.text[i])
	}
	if doc, ok := strings.CutPrefix(l.text, "#"); ok {
		if p.order > 0 {
			return fail(l, "a comment line after the first key: comments stand at the top, or behind a value")
		}
		p.s.Doc = append(p.s.Doc, strings.TrimRight(strings.TrimPrefix(doc, " "), " "))
		return nil
	}
	text, _, _ := strings.Cut(l.text, "#")
	key, value, ok := strings.Cut(text, ":")
	if !ok {
		return fail(l, "no colon: a line is KEY: VALUE")
	}
	v := word{value, l.line, l.col + len(key) + 1}
	if !strings.HasPrefix(value, " ") {
		return fail(v, "no space after the colon")
	}
	v = v.trim()
	if v.text == "" {
		return fail(v, "no value for %s", strings.TrimSpace(key))
	}
	keys := fields(word{key, l.line, l.col})
	if len(keys) == 0 || strings.Join(texts(keys), " ") != key {
		return fail(l, "malformed key %q", key)
	}
	return p.key(keys, v)
}

// invalid is s from the first byte on that is not UTF-8.
func invalid(s string) string {
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			break
		}
		s = s[n:]
	}
	return s
}

// at is the place i bytes into w.
func (w word) at(i int) word { return word{w.text[i:], w.line, w.col + i} }

// trim is w without the spaces around it.
func (w word) trim() word {
	w = w.at(len(w.text) - len(strings.TrimLeft(w.text, " ")))
	w.text = strings.TrimRight(w.text, " ")
	return w
}

// fields splits w at spaces.
func fields(w word) []word {
	var out []word
	for w = w.trim(); w.text != ""; w = w.trim() {
		n := strings.IndexByte(w.text+" ", ' ')
		out = append(out, word{w.text[:n], w.line, w.col})
		w = w.at(n)
	}
	return out
}

func texts(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.text
	}
	return out
}

// The keys, in the order in which their lines come. A name that is none of
// these is a thread's.
var keys = []string{"target", "capacity", "start", "workers", "asleep", "task", "setup", "", "claims", "run", "traces"}

// nightly is the one value of the key run.
const nightly = "nightly"

// once says which keys have one line at most.
var once = []string{"target", "capacity", "start", "workers", "asleep", "claims", "run", "traces"}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// threadKey is where the threads' lines come among the keys.
var threadKey = slices.Index(keys, "") + 1

// key reads the value of one key.
func (p *parser) key(k []word, v word) *SyntaxError {
	order := slices.Index(keys, k[0].text) + 1
	if order == 0 {
		order = threadKey
	}
	switch {
	case p.order == 0 && order != 1:
		return fail(k[0], "the first key is %q, not target", k[0].text)
	case order < p.order:
		return fail(k[0], "%s comes too late: the order is target capacity start workers asleep task setup THREADS claims run traces", k[0].text)
	case order == p.order && slices.Contains(once, k[0].text):
		return fail(k[0], "a second line %s", k[0].text)
	case len(k) > 2 || len(k) == 2 && k[0].text != "task" && k[0].text != "setup":
		return fail(k[1], "%q after the key %s", k[1].text, k[0].text)
	}
	p.order = order
	switch k[0].text {
	case "target":
		return p.target(v)
	case "capacity", "start", "workers", "asleep", "traces":
		return p.number(k[0], v)
	case "task":
		return p.law(k, v)
	case "setup":
		return p.setup(k, v)
	case "claims":
		return p.claims(v)
	case "run":
		if v.text != nightly {
			return fail(v, "run %q is not %s", v.text, nightly)
		}
		p.s.Nightly = true
		return nil
	}
	return p.thread(k[0], v)
}

func (p *parser) target(v word) *SyntaxError {
	for t, w := range targetWords {
		if w == v.text {
			p.s.Target = t
			return nil
		}
	}
	return fail(v, "target %q is none of ring inject park idle sched deque tracker", v.text)
}

// integer reads a number from lo to hi in its only spelling.
func integer(v word, lo, hi int64) (int64, *SyntaxError) {
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != v.text || n < lo || n > hi {
		return 0, fail(v, "%q is not a number from %d to %d", v.text, lo, hi)
	}
	return n, nil
}

// number reads the value of a key that has a number.
func (p *parser) number(k, v word) *SyntaxError {
	bound := map[string]struct {
		lo, hi int64
		in     []Target
		set    func(n int64)
	}{
		"capacity": {2, 1 << 16, []Target{Ring}, func(n int64) { p.s.Capacity = int(n) }},
		"start":    {-1 << 31, 1<<31 - 1, []Target{Ring}, func(n int64) { p.s.Start = int32(n) }},
		"workers":  {1, maxWorkers, []Target{Idle, Sched, Tracker}, func(n int64) { p.s.Workers = int(n) }},
		"asleep":   {1, int64(p.s.Workers), []Target{Idle, Tracker}, func(n int64) { p.s.Asleep = int(n) }},
		"traces":   {1, 1<<31 - 1, []Target{Ring, Inject, Park, Idle, Sched, Deque, Tracker}, func(n int64) { p.s.Traces = int(n) }},
	}[k.text]
	if !slices.Contains(bound.in, p.s.Target) {
		return fail(k, "target %s has no %s", p.s.Target, k.text)
	}
	n, err := integer(v, bound.lo, bound.hi)
	if err != nil {
		return err
	}
	if k.text == "capacity" && n&(n-1) != 0 {
		return fail(v, "capacity %d is not a power of two", n)
	}
	if k.text == "start" && n == 0 {
		return fail(v, "start 0 is left out")
	}
	bound.set(n)
	return nil
}
