package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// target is one fuzz target.
type target struct{ pkg, dir, name string }

// result is what came of a run of one.
type result struct {
	took        time.Duration
	execs, news int // inputs, and interesting ones
	err         error
	out         string
}

// targets lists the fuzz targets of the packages.
func (s settings) targets(ctx context.Context) ([]target, error) {
	out, err := command(ctx, "", "go", append([]string{"list", "-tags", s.tags, "-f",
		"{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}, s.packages...)...)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	var all []target
	for line := range strings.Lines(out) {
		pkg, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if has, err := mentions(dir); err != nil || !has {
			if err != nil {
				return nil, err
			}
			continue
		}
		list, err := command(ctx, dir, "go", "test", "-vet=off", "-tags", s.tags, "-list", "^Fuzz", ".")
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", pkg, err, list)
		}
		for name := range strings.Lines(list) {
			name = strings.TrimSpace(name)
			if strings.HasPrefix(name, "Fuzz") && s.run.MatchString(name) {
				all = append(all, target{pkg, dir, name})
			}
		}
	}
	return all, nil
}

// mentions reports whether a test file in dir has a function that may be a target,
// so that packages without need not be built.
func mentions(dir string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return false, err
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return false, err
		}
		if strings.Contains(string(text), "\nfunc Fuzz") {
			return true, nil
		}
	}
	return false, nil
}

// minimize is how many runs the fuzzer may spend on a shorter input that is as
// interesting: by default it is a minute for each, which it does not fuzz.
const minimize = "100x"

// fuzz runs one target for a time.
func (s settings) fuzz(ctx context.Context, t target, each time.Duration) result {
	var args []string
	if s.loom {
		args = []string{"tool", "loom", "go"}
	}
	args = append(args, "test", "-vet=off", "-tags", s.tags, "-run", "^"+t.name+"$", "-fuzz", "^"+t.name+"$",
		"-fuzztime", each.String(), "-fuzzminimizetime", minimize, ".")
	if s.corpus != "" {
		dir, err := filepath.Abs(filepath.Join(s.corpus, filepath.FromSlash(t.pkg)))
		if err == nil {
			err = os.MkdirAll(dir, 0o755)
		}
		if err != nil {
			return result{err: err, out: err.Error()}
		}
		args = append(args, "-test.fuzzcachedir="+dir)
	}
	begin := time.Now()
	var r result
	for range 2 {
		r.out, r.err = command(ctx, t.dir, "go", args...)
		if r.err == nil || !timeUp(r.out) {
			break
		}
	}
	r.took = time.Since(begin)
	r.execs, r.news = progress(r.out)
	if r.err == nil && r.execs == 0 {
		r.err = errors.New("it has tried no input")
		r.out += "\n" + r.err.Error()
	}
	return r
}

// timeUp reports whether a target failed for nothing but that its time was up.
func timeUp(out string) bool {
	return strings.Contains(out, "context deadline exceeded") && !strings.Contains(out, "Failing input")
}

var progressRE = regexp.MustCompile(`(?:execs: (\d+) \(\d+/sec\)|gathering baseline coverage: (\d+)/\d+ completed)(?:, new interesting: (\d+))?`)

// progress reads the last line in which the fuzzer says how far it has come. It begins
// with the inputs of the corpus, which may be all that it has time for.
func progress(out string) (execs, news int) {
	all := progressRE.FindAllStringSubmatch(out, -1)
	if len(all) == 0 {
		return 0, 0
	}
	last := all[len(all)-1]
	execs, _ = strconv.Atoi(last[1] + last[2])
	news, _ = strconv.Atoi(last[3])
	return execs, news
}

func (r result) line(t target) string {
	verdict := "ok"
	if r.err != nil {
		verdict = "FAILED"
	}
	return fmt.Sprintf("%-6s %-20s %-50s %6.1f s %10d inputs %6d interesting", verdict, t.name, t.pkg, r.took.Seconds(), r.execs, r.news)
}

// command runs a program and returns what it printed.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return string(out), err
}
