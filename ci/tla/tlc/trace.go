package tlc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/filch-sched/filch/tla/trace"
)

// Explained is what TLC says of one recorded run.
type Explained struct {
	// Steps is how many steps of the run actions explain, from the first on: all, if
	// it is a behaviour of the specification.
	Steps int
	// Why is, if that is not all, what the specification says of the state before the
	// first step that no action explains.
	Why string
}

// Trace asks TLC which of the recorded runs are behaviours of the module that explains
// them. They must be of one subject, with equal numbers of workers. Config is the .cfg, from the folder of the
// specifications; that it has a claim violated is an error.
func (t TLC) Trace(ctx context.Context, config string, runs []trace.Trace) (all []Explained, cpu time.Duration, err error) {
	dir, err := os.MkdirTemp("", "filch-tla-")
	if err != nil {
		return nil, 0, fmt.Errorf("tlc: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copySpecs(t.Specs, dir, config); err != nil {
		return nil, 0, err
	}
	if err := writeModule(filepath.Join(dir, runs[0].Of.Data()+".tla"), runs); err != nil {
		return nil, 0, err
	}
	text, exit, cpu, err := t.run(ctx, dir, true, "-config", filepath.Base(config), runs[0].Of.Spec+".tla")
	if err != nil {
		return nil, cpu, err
	}
	out, err := ParseOutput(text, exit)
	if err == nil && exit != 0 {
		err = fmt.Errorf("tlc: %s %s\n%s", out.Result, out.Violated, out.Message)
		if n := len(out.Path); n > 0 {
			err = fmt.Errorf("%w\n%s", err, out.Path[n-1])
		}
	}
	if err == nil {
		all, err = explained(text, runs)
	}
	return all, cpu, err
}

func writeModule(name string, runs []trace.Trace) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	return errors.Join(trace.Write(f, runs), f.Close())
}

var (
	toTheEnd = regexp.MustCompile(`(?m)^<<"explained to the end", (\d+)>>$`)
	stuck    = regexp.MustCompile(`(?ms)^<<\s*"no action explains event",\s*(\d+),\s*(.*?\])\s*>>$`)
)

// explained reads what the module has printed: for each run either that it
// came to the end, or where not.
func explained(text string, runs []trace.Trace) ([]Explained, error) {
	found := map[int]Explained{} // by the number of the last step explained
	for _, m := range toTheEnd.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, fmt.Errorf("tlc: %w", err)
		}
		found[n-1] = Explained{}
	}
	for _, m := range stuck.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, fmt.Errorf("tlc: %w", err)
		}
		found[n-1] = Explained{Why: strings.Join(strings.Fields(m[2]), " ")}
	}
	var all []Explained
	begin := 0
	for i, run := range runs {
		end := begin + len(run.Steps)
		is := false
		for at, e := range found {
			if begin <= at && at < end {
				e.Steps = at - begin
				if e.Why == "" {
					e.Steps = len(run.Steps)
				}
				all, is = append(all, e), true
			}
		}
		if !is || len(all) != i+1 {
			return nil, fmt.Errorf("tlc: run %d of %d neither came to its end nor stopped", i+1, len(runs))
		}
		begin = end
	}
	return all, nil
}
