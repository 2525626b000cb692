//go:build loom

package loom

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/root"
)

// long fills in what opts say of a search that is shared or saved.
func (c *config) long(opts *explore.Options) error {
	i, n := c.shard[0], c.shard[1]
	if s := os.Getenv(shardVariable); s != "" && s != everyProcessor && n == 0 {
		var err error
		if i, n, err = parseShard(s); err != nil {
			return err
		}
	}
	if n > 0 && opts.Bounded {
		return fmt.Errorf("loom: share %d of %d of a search with bounded preemptions: it cannot be shared", i, n)
	}
	opts.Shard = explore.Shard{I: i, N: n}
	opts.SaveEvery = explore.SavingEvery
	if s := os.Getenv("LOOM_CHECKPOINT_EVERY"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			return fmt.Errorf("loom: LOOM_CHECKPOINT_EVERY: %w", err)
		}
		opts.SaveEvery = d
	}
	opts.Checkpoint = c.checkpoint
	if dir := root.File(os.Getenv("LOOM_CHECKPOINT")); dir != "" && c.checkpoint == "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("loom: LOOM_CHECKPOINT: %w", err)
		}
		opts.Checkpoint = filepath.Join(dir, c.fileName(i, n))
	}
	if opts.Checkpoint != "" {
		of, _, _ := strings.Cut(c.title(), "#")
		opts.Tag = fmt.Sprintf("%s by %s", of, c.algorithm)
		var err error
		if opts.Code, err = code(); err != nil {
			return err
		}
	}
	return nil
}

var notInFileNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// fileName is a name for what belongs to the exploration, or to a share of it.
func (c *config) fileName(i, n int) string {
	name := strings.Trim(notInFileNames.ReplaceAllString(c.title(), "-"), "-.")
	if len(name) > 80 {
		name = name[:80]
	}
	if n > 0 {
		name += fmt.Sprintf(".%d-of-%d", i, n)
	}
	return name + "." + c.tag() + ".json"
}

func parseShard(s string) (i, n int, err error) {
	a, b, ok := strings.Cut(s, "/")
	i, errI := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if !ok || errI != nil || errN != nil || i < 1 || i > n {
		return 0, 0, fmt.Errorf("loom: LOOM_SHARD=%s is neither I/N, a number from 1 to N and how many there are, nor %s, a process for each processor", s, everyProcessor)
	}
	return i, n, nil
}

// summary is a line of the file that LOOM_REPORT names: what one exploration, or
// a share of one, has seen.
type summary struct {
	Package, Test string
	Shard, Shards int // 0 of 0: the whole
	Report        Report
	Violation     *Violation `json:",omitempty"`
	Error         string     `json:",omitempty"` // what else went wrong
}

// tell appends a line to the file that LOOM_REPORT names.
func (c *config) tell(r Report, err error) error {
	file := root.File(os.Getenv("LOOM_REPORT"))
	if file == "" {
		return nil
	}
	s := summary{Package: packagePath(), Test: c.title(), Shard: r.Shard, Shards: r.Shards, Report: r}
	if v, ok := err.(*Violation); ok {
		s.Violation = v
	} else if err != nil {
		s.Error = err.Error()
	}
	line, bad := json.Marshal(s)
	if bad != nil {
		return fmt.Errorf("loom: LOOM_REPORT: %w", bad)
	}
	f, bad := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	if bad != nil {
		return fmt.Errorf("loom: LOOM_REPORT: %w", bad)
	}
	defer f.Close()
	if _, bad = f.Write(append(line, '\n')); bad != nil {
		return fmt.Errorf("loom: LOOM_REPORT: %w", bad)
	}
	return nil
}
