package tlc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
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
	if err := copySpecs(t.Specs, dir, m.Config); err != nil {
		return Output{}, 0, err
	}
	var args []string
	if m.Coverage {
		args = append(args, "-coverage", "1") // every minute, and at the end
	}
	args = append(args, "-config", m.Name+".cfg", m.Module+".tla")
	text, exit, cpu, err := t.run(ctx, dir, m.Set == tla.Quick && m.Seconds < short, args...)
	if err != nil {
		return Output{}, cpu, err
	}
	out, err = ParseOutput(text, exit)
	if m.Bond != "" {
		out.Printed = text
	}
	return out, cpu, err
}

// short is below how many seconds Java's better compiler costs more than it saves.
const short = 20

// run runs TLC in the folder dir, where its input is, and returns what it has said.
// Quick says that the run is a short one.
func (t TLC) run(ctx context.Context, dir string, quick bool, args ...string) (text string, exit int, cpu time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, t.Limit)
	defer cancel()
	all := append(t.Java[1:len(t.Java):len(t.Java)], "-Xmx3g", "-Xss256m", "-XX:+UseSerialGC")
	if quick {
		all = append(all, "-XX:TieredStopAtLevel=1")
	}
	all = append(all, "-Djava.io.tmpdir="+dir, "-cp", t.Jar, "tlc2.TLC")
	all = append(append(all, options...), "-metadir", filepath.Join(dir, "states"))
	c := exec.CommandContext(ctx, t.Java[0], append(all, args...)...)
	c.Dir = dir
	begin := time.Now()
	said, err := c.CombinedOutput()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", 0, 0, fmt.Errorf("tlc: stopped after %v: %w", time.Since(begin).Round(time.Second), ctx.Err())
	case err != nil && !errors.As(err, &failed):
		return "", 0, 0, fmt.Errorf("tlc: %w", err)
	}
	return string(said), c.ProcessState.ExitCode(), c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// copySpecs copies every module, and a .cfg, into the folder dir.
func copySpecs(specs, dir, config string) error {
	folder := os.DirFS(specs)
	names, err := fs.Glob(folder, "*.tla")
	if err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	for _, name := range append(names, config) {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return fmt.Errorf("tlc: %s: %w", specs, err)
		}
		if err := os.WriteFile(filepath.Join(dir, path.Base(name)), text, 0o644); err != nil {
			return fmt.Errorf("tlc: %w", err)
		}
	}
	return nil
}
