package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/internal/shell"
)

// summary is everything that an audit found out.
type summary struct {
	Verdict    string    `json:"verdict"`
	Reason     string    `json:"reason,omitempty"`
	When       time.Time `json:"when"`
	Seed       uint64    `json:"seed"`
	Processors int       `json:"gomaxprocs"`
	Platform   string    `json:"platform"`
	Command    string    `json:"command"`
	Plant      string    `json:"plant,omitempty"`
	Perturbed  bool      `json:"perturbed,omitempty"`
	// Cost is that of recording, measured before the audit.
	Cost     linearizability.Cost `json:"cost"`
	Sections []*section           `json:"sections"`
}

// goRun begins a command line that runs this command: by its full path, so that it
// does in any module that requires filch, as in filch's own.
const goRun = "go run github.com/filch-sched/filch/linearizability/audit "

func (c config) newSummary() *summary {
	return &summary{Verdict: clean, When: time.Now(), Seed: c.seed, Processors: runtime.GOMAXPROCS(0), Plant: os.Getenv(plantVar), Perturbed: perturbed(),
		Platform: fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()),
		Command:  goRun + strings.Join(c.flags(), " ")}
}

// flags returns the command line that repeats this audit.
func (c config) flags() []string {
	out := []string{"-duration", c.duration.String(), "-target", strings.Join(c.targets, ","),
		"-threads", fmt.Sprint(c.threads), "-seed", fmt.Sprint(c.seed)}
	if c.ops > 0 {
		out = append(out, "-ops", fmt.Sprint(c.ops))
	}
	if p := os.Getenv(plantVar); p != "" {
		out = append(out, "-plant", p)
	}
	if c.perturb || perturbed() {
		out = append(out, "-perturb")
	}
	if c.report != "" {
		out = append(out, "-report", c.report)
	}
	if c.json {
		out = append(out, "-json")
	}
	return out
}

// shares are the parts of the time that the targets get. The ring is what most
// depends on timing.
var shares = map[string]int{"ring": 6, "inject": 2, "park": 2, "sched": 3}

// memoryLimit is what the collector keeps an audit below, in bytes.
const memoryLimit = 800 << 20

// audit drives and judges every target. It ends with the first violation: what
// is broken can break everything that comes after.
func (c config) audit(stdout io.Writer) (int, error) {
	// Histories are large and die young. A limit of one's own (GOGC) is kept.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
		debug.SetMemoryLimit(memoryLimit)
	}
	s := c.newSummary()
	s.Cost = linearizability.RecorderCost()
	show := newProgress(os.Stderr)
	total := 0
	for _, name := range c.targets {
		total += shares[name]
	}
	left := c.duration
	for _, name := range c.targets {
		if err := saveState(s, name); err != nil {
			return 0, err
		}
		part := c
		part.duration = c.duration * time.Duration(shares[name]) / time.Duration(total)
		left -= part.duration
		show.after = left
		sec := runTarget(part, c.driver(name), show)
		s.Sections = append(s.Sections, sec)
		if sec.Verdict == violation {
			break
		}
	}
	show.done()
	return c.finish(s, stdout)
}

// finish draws the verdict from the sections, writes what is to be written, and
// returns the exit status.
func (c config) finish(s *summary, stdout io.Writer) (int, error) {
	code := exitClean
	for _, sec := range s.Sections {
		switch {
		case sec.Verdict == violation:
			code, s.Verdict, s.Reason = exitViolation, violation, sec.Reason
		case sec.Verdict == inconclusive && code == exitClean:
			code, s.Verdict, s.Reason = exitInconclusive, inconclusive, sec.Target+": "+sec.Reason
		}
		if sec.Found != nil && sec.Found.History != nil && sec.Found.File == "" {
			c.save(sec)
		}
	}
	if c.report != "" {
		if err := writePage(c.report, s); err != nil && code != exitViolation {
			return 0, err
		} else if err != nil { // a violation is told, whatever else fails
			fmt.Fprintf(os.Stderr, "audit: the report was not written: %v\n", err)
			c.report = ""
		}
	}
	c.print(s, stdout)
	return code, nil
}

// print writes the summary as text, and the verdict last.
func (c config) print(s *summary, w io.Writer) {
	fmt.Fprintf(w, "seed %d, %d processors, %s\n", s.Seed, s.Processors, s.Platform)
	if s.Cost.Threads > 0 {
		fmt.Fprintf(w, "recording an operation takes %.0f ns, one time.Now %.0f ns, with %d threads\n", s.Cost.Record, s.Cost.Now, s.Cost.Threads)
	}
	for _, sec := range s.Sections {
		fmt.Fprintf(w, "%-6s  %-12s %18s in %.1f s, %d of them while another was under way\n",
			sec.Target, sec.Verdict, operations(sec.Tally.Operations), sec.Seconds, sec.Tally.overlapped())
		if len(sec.Tally.Loads) > 0 {
			fmt.Fprintf(w, "        lives by load %v, by processors %v\n", sec.Tally.Loads, sec.Tally.Procs)
		}
		if sec.Unjudged > 0 {
			fmt.Fprintf(w, "        %10d lives that could not be judged, the last because of this: %s\n", sec.Unjudged, sec.Why)
		}
		for _, n := range sec.Needs {
			fmt.Fprintf(w, "        %10d %s\n", n.Had, n.What)
		}
		if sec.Found != nil {
			sec.Found.print(w)
		}
	}
	if c.report != "" {
		fmt.Fprintf(w, "report: %s\n", c.report)
	}
	if c.json {
		b, err := json.Marshal(s)
		if err != nil {
			b = []byte(fmt.Sprintf("{%q: %q}", "error", err.Error()))
		}
		fmt.Fprintf(w, "%s\n", b)
	}
	fmt.Fprintln(w, s.line())
}

// line is the verdict as the last line of the output has it.
func (s *summary) line() string {
	if s.Reason == "" {
		return "verdict: " + s.Verdict
	}
	return "verdict: " + s.Verdict + " " + strings.ReplaceAll(s.Reason, "\n", " ")
}

// print writes a finding as text.
func (f *finding) print(w io.Writer) {
	fmt.Fprintf(w, "%s violated: %s\n", f.Claim, f.Message)
	for _, l := range f.Lines {
		fmt.Fprintf(w, "    %s\n", l)
	}
	if f.Panics != "" {
		fmt.Fprintf(w, "%s\n", strings.TrimSpace(f.Panics))
	}
	if f.File != "" && f.History != nil {
		fmt.Fprintf(w, "history: %s, %s\n", f.File, operations(int64(len(f.History.Ops))))
	}
	if f.Unsaved != "" {
		fmt.Fprintf(w, "not saved: %s\n", f.Unsaved)
	}
	if f.Command != "" {
		fmt.Fprintf(w, "judge it again: %s\n", f.Command)
	}
}

// operations says how many there are.
func operations(n int64) string {
	if n == 1 {
		return "1 operation"
	}
	return fmt.Sprintf("%d operations", n)
}

// save writes the history of a finding beside the report, or here. A finding
// that cannot be saved is still one: it says why it was not.
func (c config) save(sec *section) {
	f := sec.Found
	base := filepath.Join(filepath.Dir(c.report), fmt.Sprintf("audit-%s-%s", sec.Target, strings.ToLower(string(f.Claim))))
	if err := linearizability.WriteFile(base+".jsonl", f.History); err != nil {
		f.Unsaved = err.Error()
		return
	}
	f.File = base + ".jsonl"
	f.Command = goRun + "-check " + shell.Quote(f.File)
	if c.report == "" {
		return
	}
	switch drawn, err := linearizability.DrawFile(base+".porcupine.html", f.History); {
	case err != nil:
		f.Unsaved = err.Error()
	case drawn:
		f.Drawing = filepath.Base(base + ".porcupine.html")
	}
}

// self is the path of the running program.
func self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return exec.LookPath(os.Args[0])
	}
	return path, nil
}
