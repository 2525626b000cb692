//go:build loom

package loom

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

const (
	shardVariable  = "LOOM_SHARD"
	everyProcessor = "all"
)

// everywhere reports whether the exploration is to be shared among the processors
// of this machine. An Explore is not: which one it is of those that a test makes
// cannot be told to another process.
func (c *config) everywhere() bool {
	return os.Getenv(shardVariable) == everyProcessor && c.shard[1] == 0 && c.test != "" && c.callers == nil && runtime.GOMAXPROCS(0) > 1
}

// divided runs this test in a process for each processor, each with its share of
// the exploration, and returns what they have seen together, or what the first of
// them has found.
func (c *config) divided() (Report, error) {
	begin := time.Now()
	dir, err := os.MkdirTemp("", "loom")
	if err != nil {
		return Report{}, fmt.Errorf("loom: %w", err)
	}
	defer os.RemoveAll(dir)
	n := runtime.GOMAXPROCS(0)
	parts, errs := make([]summary, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { parts[i], errs[i] = c.share(i+1, n, filepath.Join(dir, fmt.Sprint(i))) })
	}
	all.Wait()
	sum := Report{Exhausted: true, Algorithm: parts[0].Report.Algorithm}
	for i := range parts {
		if errs[i] != nil {
			return sum, errs[i]
		}
		sum.add(parts[i].Report)
	}
	sum.Elapsed = time.Since(begin)
	for i := range parts {
		if v := parts[i].Violation; v != nil {
			return sum, v
		}
		if parts[i].Error != "" {
			return sum, fmt.Errorf("loom: share %d of %d: %s", i+1, n, parts[i].Error)
		}
	}
	return sum, nil
}

// add makes r the report of two shares.
func (r *Report) add(s Report) {
	r.Executions += s.Executions
	r.Traces += s.Traces
	r.Blocked += s.Blocked
	r.Deadlocks += s.Deadlocks
	r.Races += s.Races
	r.Failures += s.Failures
	r.Steps += s.Steps
	r.Elsewhere += s.Elsewhere
	r.MaxDepth, r.Threads = max(r.MaxDepth, s.MaxDepth), max(r.Threads, s.Threads)
	r.Exhausted = r.Exhausted && s.Exhausted
	if r.Stopped == "" {
		r.Stopped = s.Stopped
	}
	if r.Checkpoint != "" && s.Checkpoint != "" {
		r.Checkpoint += " and "
	}
	r.Checkpoint += s.Checkpoint
}

// share runs this test in another process with one share and returns its summary.
func (c *config) share(i, n int, file string) (summary, error) {
	parts := strings.Split(c.test, "/")
	for k, p := range parts {
		parts[k] = "^" + regexp.QuoteMeta(p) + "$"
	}
	args := []string{"-test.run=" + strings.Join(parts, "/"), "-test.count=1"}
	if !c.limit.IsZero() {
		args = append(args, fmt.Sprintf("-test.timeout=%v", max(time.Until(c.limit), time.Second)))
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d/%d", shardVariable, i, n), "LOOM_REPORT="+file)
	out, failed := cmd.CombinedOutput()
	f, err := os.Open(file)
	if err != nil {
		return summary{}, fmt.Errorf("loom: share %d of %d has no report: %v\n%s", i, n, failed, out)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<30); lines.Scan(); {
		var s summary
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return s, fmt.Errorf("loom: share %d of %d: %w", i, n, err)
		}
		if s.Test == c.title() {
			return s, nil
		}
	}
	return summary{}, fmt.Errorf("loom: share %d of %d did not come to %s: %v\n%s", i, n, c.title(), failed, out)
}
