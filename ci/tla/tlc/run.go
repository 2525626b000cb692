package tlc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/filch-sched/filch/tla"
)

// TLC runs models. All its fields are needed.
type TLC struct {
	Java  []string      // the command that runs Java, with its first arguments
	Jar   string        // the TLA+ tools
	Specs string        // the folder with the modules; nothing is written there
	Limit time.Duration // of one run
}

// options are TLC's, chosen for equal counts in every run; see the package
// comment. Else TLC looks at liveness now and then, as time goes by, too.
var options = []string{"-tool", "-nowarning", "-workers", "1", "-fp", "0", "-seed", "1", "-lncheck", "final"}

// Run runs one model and returns with the processor time that it took. It works
// in a temporary folder, with copies of the modules: TLC and its libraries leave
// files beside them.
func (t TLC) Run(ctx context.Context, m tla.Model) (out Output, cpu time.Duration, err error) {
	dir, err := os.MkdirTemp("", "filch-tla-")
	if err != nil {
		return Output{}, 0, fmt.Errorf("tlc: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copySpecs(t.Specs, dir, m); err != nil {
		return Output{}, 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.Limit)
	defer cancel()
	args := append(t.Java[1:len(t.Java):len(t.Java)], "-Xmx3g", "-XX:+UseSerialGC")
	if m.Set == tla.Quick {
		args = append(args, "-XX:TieredStopAtLevel=1") // too short to pay for the better compiler
	}
	args = append(args, "-Djava.io.tmpdir="+dir, "-cp", t.Jar, "tlc2.TLC")
	args = append(args, options...)
	if m.Coverage {
		args = append(args, "-coverage", "1") // every minute, and at the end
	}
	args = append(args, "-metadir", filepath.Join(dir, "states"), "-config", m.Name+".cfg", m.Module+".tla")
	c := exec.CommandContext(ctx, t.Java[0], args...)
	c.Dir = dir
	begin := time.Now()
	text, err := c.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Output{}, 0, fmt.Errorf("tlc: stopped after %v: %w", time.Since(begin).Round(time.Second), ctx.Err())
	case err != nil && !errors.As(err, &exit):
		return Output{}, 0, fmt.Errorf("tlc: %w", err)
	}
	cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	out, err = ParseOutput(string(text), c.ProcessState.ExitCode())
	if m.Bond != "" {
		out.Printed = string(text)
	}
	return out, cpu, err
}

// copySpecs copies every module, and the model's .cfg, into the folder dir.
func copySpecs(specs, dir string, m tla.Model) error {
	names, err := filepath.Glob(filepath.Join(specs, "*.tla"))
	if err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	for _, name := range append(names, filepath.Join(specs, filepath.FromSlash(m.Config))) {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("tlc: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o644); err != nil {
			return fmt.Errorf("tlc: %w", err)
		}
	}
	return nil
}
