package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Recorder records runs of one version of the code.
type Recorder struct {
	drive   string // command tla/trace/drive
	sources map[*Subject]Source
	dir     string
}

// Program is what is recorded: of a subject, with so many workers, and so many tasks of
// a scheduler from outside or operations of each owner of a ring. What tasks and owners
// do is drawn from the seed.
type Program struct {
	Of             *Subject
	Workers, Tasks int
	Seed           uint64
}

func (p Program) args() []string {
	return []string{"-of", p.Of.Name, "-workers", fmt.Sprint(p.Workers), "-tasks", fmt.Sprint(p.Tasks), "-seed", fmt.Sprint(p.Seed)}
}

// file names the record of a run, after how it is made.
func (r *Recorder) file(how string, p Program) string {
	return filepath.Join(r.dir, fmt.Sprintf("%s-%s-%d-%d-%d.jsonl", p.Of.Name, how, p.Workers, p.Tasks, p.Seed))
}

// NewRecorder builds the code of the module in the folder root into the folder dir,
// an empty one. Overlay is a file for the flag -overlay of go build, which puts other
// versions in the place of source files; empty if there is none.
func NewRecorder(ctx context.Context, root, overlay, dir string) (*Recorder, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	r := &Recorder{drive: filepath.Join(dir, "drive.exe"), sources: map[*Subject]Source{}, dir: dir}
	// The sources may be another user's, of whom git would say no version.
	args := []string{"build", "-buildvcs=false", "-tags", "loom", "-o", r.drive}
	var other struct{ Replace map[string]string }
	if overlay != "" {
		text, err := os.ReadFile(overlay)
		if err == nil {
			err = json.Unmarshal(text, &other)
		}
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		args = append(args, "-overlay", overlay)
	}
	for _, of := range Subjects() {
		if r.sources[of], err = of.Source(root, other.Replace); err != nil {
			return nil, err
		}
	}
	build := exec.CommandContext(ctx, "go", append(args, "./tla/trace/drive")...)
	build.Dir = root
	build.Cancel = func() error { // so that it ends what it has begun, and removes its files
		return build.Process.Signal(os.Interrupt)
	}
	build.WaitDelay = 10 * time.Second
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("trace: go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return r, nil
}

// Machine records a run on the machine's processors.
func (r *Recorder) Machine(ctx context.Context, p Program) (Trace, error) {
	file := r.file("machine", p)
	c := exec.CommandContext(ctx, r.drive, p.args()...)
	c.Env = append(os.Environ(), "LOOM_MODE=record", "LOOM_RECORD="+file)
	runs, err := r.record(c, p.Of, file, false)
	if err != nil {
		return Trace{}, err
	}
	if len(runs) != 1 {
		return Trace{}, fmt.Errorf("trace: %s has %d runs", file, len(runs))
	}
	return runs[0], nil
}

// Drawn records executions that an algorithm of package loom draws. Wrong says that
// they may violate something: what was recorded until then is returned.
func (r *Recorder) Drawn(ctx context.Context, algorithm string, p Program, executions int, wrong bool) ([]Trace, error) {
	file := r.file(algorithm, p)
	c := exec.CommandContext(ctx, r.drive, append(p.args(), "-algorithm", algorithm, "-executions", fmt.Sprint(executions), "-record", file)...)
	return r.record(c, p.Of, file, wrong)
}

// record runs the command, and reads what it has recorded.
func (r *Recorder) record(c *exec.Cmd, of *Subject, file string, wrong bool) ([]Trace, error) {
	text, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(wrong && errors.As(err, &exit)) {
		return nil, fmt.Errorf("trace: %s: %w\n%s", strings.Join(c.Args, " "), err, text)
	}
	return r.Recorded(file, of)
}

// Recorded reads the runs of a subject that a file has the records of; without a subject,
// of the one that the first record is of. A file that Keep has written must be of this
// version of the code.
func (r *Recorder) Recorded(file string, of *Subject) ([]Trace, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	text, sum := unsigned(text)
	records, err := Read(bytes.NewReader(text))
	if err == nil && of == nil {
		of, err = Of(records[0])
	}
	if err != nil {
		return nil, fmt.Errorf("%w of %s", err, file)
	}
	if now := r.sources[of].Sum(); sum != "" && sum != now {
		return nil, fmt.Errorf("trace: %s is a record of source files with the sum %s, and those here have %s", file, sum, now)
	}
	var all []Trace
	for _, record := range records {
		run, err := of.Translate(record, r.sources[of])
		if err != nil {
			return nil, fmt.Errorf("%w of %s", err, file)
		}
		run.File = file
		all = append(all, run)
	}
	return all, nil
}

// signature begins the last line of a file that Keep has written.
const signature = `{"source":"`

// unsigned cuts the last line off if it says of which source files the record is.
func unsigned(text []byte) (record []byte, sum string) {
	lines := bytes.TrimRight(text, "\n")
	at := bytes.LastIndexByte(lines, '\n') + 1
	line, is := bytes.CutPrefix(lines[at:], []byte(signature))
	if !is {
		return text, ""
	}
	return text[:at], string(bytes.TrimSuffix(line, []byte(`"}`)))
}

// Keep writes the record of a run into a file of its own in the folder dir, and returns
// its name. Its last line says of which source files it is.
func (r *Recorder) Keep(run Trace, dir string) (string, error) {
	text, err := os.ReadFile(run.File)
	if err != nil {
		return "", fmt.Errorf("trace: %w", err)
	}
	text, _ = unsigned(text)
	f, err := os.CreateTemp(dir, "filch-rejected-*.jsonl")
	if err != nil {
		return "", fmt.Errorf("trace: %w", err)
	}
	_, err = fmt.Fprintf(f, "%s%s%s\"}\n", text, signature, r.sources[run.Of].Sum())
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("trace: %w", err)
	}
	return f.Name(), nil
}
