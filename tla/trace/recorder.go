package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Recorder records runs of one version of the scheduler.
type Recorder struct {
	drive  string // command tla/trace/drive
	source Source
	dir    string
}

// NewRecorder builds the scheduler of the module in the folder root into the folder dir,
// an empty one. Overlay is a file for the flag -overlay of go build, which puts other
// versions in the place of source files; empty if there is none.
func NewRecorder(ctx context.Context, root, overlay, dir string) (*Recorder, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	r := &Recorder{drive: filepath.Join(dir, "drive.exe"), dir: dir}
	args := []string{"build", "-tags", "loom", "-o", r.drive}
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
	if r.source, err = ReadSource(root, other.Replace); err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", append(args, "./tla/trace/drive")...)
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("trace: go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return r, nil
}

// Machine records a run on the machine's processors, with so many workers, tasks from
// outside, and what the tasks do drawn from the seed.
func (r *Recorder) Machine(ctx context.Context, workers, tasks int, seed uint64) (Trace, error) {
	file := filepath.Join(r.dir, fmt.Sprintf("machine-%d-%d-%d.jsonl", workers, tasks, seed))
	c := exec.CommandContext(ctx, r.drive, "-workers", fmt.Sprint(workers), "-tasks", fmt.Sprint(tasks), "-seed", fmt.Sprint(seed))
	c.Env = append(os.Environ(), "LOOM_MODE=record", "LOOM_RECORD="+file)
	runs, err := r.record(c, file, false)
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
func (r *Recorder) Drawn(ctx context.Context, algorithm string, workers, tasks, executions int, seed uint64, wrong bool) ([]Trace, error) {
	file := filepath.Join(r.dir, fmt.Sprintf("%s-%d-%d-%d.jsonl", algorithm, workers, tasks, seed))
	c := exec.CommandContext(ctx, r.drive, "-workers", fmt.Sprint(workers), "-tasks", fmt.Sprint(tasks), "-seed", fmt.Sprint(seed),
		"-algorithm", algorithm, "-executions", fmt.Sprint(executions), "-record", file)
	return r.record(c, file, wrong)
}

// record runs the command, and reads what it has recorded.
func (r *Recorder) record(c *exec.Cmd, file string, wrong bool) ([]Trace, error) {
	text, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(wrong && errors.As(err, &exit)) {
		return nil, fmt.Errorf("trace: %s: %w\n%s", strings.Join(c.Args, " "), err, text)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	defer f.Close()
	records, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%w of %s", err, file)
	}
	var all []Trace
	for _, record := range records {
		run, err := Translate(record, r.source)
		if err != nil {
			return nil, fmt.Errorf("%w of %s", err, file)
		}
		run.File = file
		all = append(all, run)
	}
	return all, nil
}
