package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/filch-sched/filch/model"
)

// stateVar names the file in which a child says how far it is; plantVar, the
// planted bug that it was built with.
const (
	stateVar = "FILCH_AUDIT_STATE"
	plantVar = "FILCH_AUDIT_PLANT"
)

// overtime is how much longer than asked for an audit may take: for judging
// what was recorded last, shrinking and drawing, on a busy machine.
const overtime = 90 * time.Second

// supervise runs the audit in a child and makes a report of its death if it
// dies of what it audits.
func (c config) supervise(stdout, stderr io.Writer) (int, error) {
	exe, err := self()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "filch-audit-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	state := filepath.Join(dir, "state.json")
	out, errs := &tail{w: stdout}, &tail{w: stderr}
	stop, done := stopped()
	defer done()
	child := exec.CommandContext(stop, exe, ofBuild(c.flags())...)
	child.Env = append(os.Environ(), stateVar+"="+state)
	if c.perturb {
		child.Env = append(child.Env, c.delays()...)
	}
	child.Stdout, child.Stderr = out, errs
	if err := startTied(child, dir); err != nil {
		return 0, err
	}
	late := time.AfterFunc(2*c.duration+overtime, func() { _ = child.Process.Kill() })
	err = child.Wait()
	ended := late.Stop()
	if child.ProcessState == nil {
		return 0, err
	}
	code := child.ProcessState.ExitCode()
	if out.has("\nverdict: ") {
		return code, nil
	}
	if code == exitUsage && !crashed(errs) {
		return code, nil // the child has said why
	}
	why := ""
	switch {
	case crashed(errs):
	case stop.Err() != nil:
		why = "the audit was told to stop"
	case !ended:
		why = fmt.Sprintf("the audit had not ended %v after its time and was killed", overtime)
	default:
		why = "audit process ended " + ending(child.ProcessState)
	}
	return c.postMortem(state, errs, why, stdout)
}

// stopped returns a context that is over when this process is told to end.
func stopped() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// crashed reports whether a process that wrote errs was ended by the runtime
// for what it did. The runtime also says where the goroutines are when another
// process sends SIGQUIT or SIGABRT: that is not the fault of what runs.
func crashed(errs *tail) bool {
	for _, begin := range fatal {
		if errs.has("\n"+begin) && errs.has("\ngoroutine ") {
			return true
		}
	}
	return false
}

// fatal is how the runtime begins to say why it ends the process.
var fatal = []string{"panic: ", "fatal error: ", "SIGSEGV: ", "SIGBUS: ", "SIGFPE: ", "SIGILL: "}

// ending says how a process ended that did not crash.
func ending(p *os.ProcessState) string {
	if status, ok := p.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("by signal %d, %v", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("with status %d and no verdict", p.ExitCode())
}

// saveState writes what is known so far and what is driven next to the file
// that the parent reads if the child dies.
func saveState(s *summary, next string) error {
	b, err := json.Marshal(struct {
		Next    string
		Summary *summary
	}{next, s})
	if err != nil {
		return err
	}
	return os.WriteFile(os.Getenv(stateVar), b, 0o600)
}

// postMortem reports a child that ended without a verdict: for the reason why,
// or of a crash, which is a violation, if that is "".
func (c config) postMortem(state string, errs *tail, why string, stdout io.Writer) (int, error) {
	var last struct {
		Next    string
		Summary *summary
	}
	b, err := os.ReadFile(state)
	if err == nil {
		err = json.Unmarshal(b, &last)
	}
	switch {
	case err == nil && c.driver(last.Next) != nil:
	case why != "":
		last.Next, last.Summary = c.targets[0], c.newSummary()
	default:
		return 0, fmt.Errorf("the audit died before it began: %w", errors.Join(err, errors.New(errs.text())))
	}
	d := c.driver(last.Next)
	sec := &section{Target: d.target().String(), Threads: c.threads}
	for _, cl := range d.claims() {
		sec.Claims = append(sec.Claims, string(cl))
	}
	if why != "" {
		sec.Verdict, sec.Reason = inconclusive, why
	} else {
		claim := fatalTo(errs.text())
		sec.Verdict, sec.Reason = violation, string(claim)
		sec.Found = &finding{Claim: claim, Seed: c.seed, Panics: errs.text(), Message: "the process died: " + errs.cause(),
			Command: goRun + strings.Join(c.flags(), " ")}
	}
	last.Summary.Sections = append(last.Summary.Sections, sec)
	return c.finish(last.Summary, stdout)
}

// fatalTo returns the claim that is broken when the process dies: of the
// innermost package of filch in what it said.
func fatalTo(text string) model.Claim {
	claim, first := model.PanicContained, len(text)
	for name, c := range map[string]model.Claim{
		"queue": model.NoLostTask, "idle": model.CountsMatchSleepers,
		"park": model.TokenKept, "sched": model.PanicContained,
	} {
		if at := strings.Index(text, "filch/"+name+"."); at >= 0 && at < first {
			claim, first = c, at
		}
	}
	return claim
}

// tail passes on what is written and keeps the first and the last part of it.
type tail struct {
	w    io.Writer
	kept []byte
}

// tailSize is how much is kept.
const tailSize = 1 << 16

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b...)
	if len(t.kept) > 2*tailSize {
		t.kept = append(t.kept[:tailSize], t.kept[len(t.kept)-tailSize:]...)
	}
	return t.w.Write(b)
}

// has reports whether s is there; a leading newline stands for the begin too.
func (t *tail) has(s string) bool { return bytes.Contains(append([]byte("\n"), t.kept...), []byte(s)) }

// text is the beginning of what a dying process said.
func (t *tail) text() string {
	lines := strings.Split(string(t.kept), "\n")
	for i, l := range lines {
		if slices.ContainsFunc(fatal, func(begin string) bool { return strings.HasPrefix(l, begin) }) {
			lines = lines[i:]
			break
		}
	}
	return strings.Join(lines[:min(len(lines), 40)], "\n")
}

// cause is its first line.
func (t *tail) cause() string {
	first, _, _ := strings.Cut(t.text(), "\n")
	if first == "" {
		return "without a word"
	}
	return first
}
