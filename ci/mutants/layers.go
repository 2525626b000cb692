package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/filch-sched/filch/linearizability/plant"
)

// limit is how long one layer may take over one mutant, compilation included;
// tests get less. What has not been killed by then has survived.
const limit = 3 * time.Minute

// job is one mutant that one layer must kill.
type job struct {
	mutant    string
	files     []string // what the mutant changes
	claims    []string // what it violates
	overlay   string
	layer     string
	scenarios []string
	violated  []string // what the layer graph must see violated
	tmp       string   // a directory of its own
}

// layers are those that this command can run.
var layers = map[string]func(context.Context, job) verdict{
	"unit": func(ctx context.Context, j job) verdict {
		return j.goTest(ctx, 30*time.Second, append(j.packages(), "./model/target")...)
	},
	"race": func(ctx context.Context, j job) verdict {
		return j.goTest(ctx, time.Minute, append(append([]string{"-race"}, j.packages()...), "./model/target")...)
	},
	"rapid": func(ctx context.Context, j job) verdict {
		// In order first: there a bug that hangs threads cannot hang the test.
		v := j.goTest(ctx, time.Minute, "-skip", "^(TestConcurrently|TestPlantedBugIsFound)$", "./fuzz")
		if !v.killed && v.err == "" {
			v = j.goTest(ctx, time.Minute, "-run", "^TestConcurrently$", "./fuzz")
		}
		return v
	},
	"fuzz": func(ctx context.Context, j job) verdict { return j.fuzz(ctx) },
	"loom": func(ctx context.Context, j job) verdict {
		args := []string{"-tags", "loom"}
		if len(j.scenarios) > 0 {
			args = append(args, "-run", "^(TestScenario|TestInOrder)$/^("+strings.Join(quoted(j.scenarios), "|")+")$")
		} else {
			args = append(args, j.packages()...) // whose tests explore, too
		}
		return j.goTest(ctx, 2*time.Minute, append(args, "./model/target")...)
	},
	"graph":           func(ctx context.Context, j job) verdict { return j.graph(ctx) },
	"linearizability": func(ctx context.Context, j job) verdict { return j.audit(ctx) },
}

func quoted(names []string) []string {
	q := make([]string, len(names))
	for i, name := range names {
		q[i] = regexp.QuoteMeta(name)
	}
	return q
}

// packages returns the packages that the mutant changes, as go test takes them.
func (j job) packages() []string {
	var all []string
	for _, f := range j.files {
		if p := "./" + path.Dir(f); len(all) == 0 || all[len(all)-1] != p {
			all = append(all, p)
		}
	}
	return all
}

// goTest runs go test on the mutant with further arguments, until it has killed
// it. vet is off: a mutant that vet dislikes is not a mutant that a test has
// caught.
func (j job) goTest(ctx context.Context, timeout time.Duration, args ...string) verdict {
	return j.follow(ctx, &judge{claims: j.claims}, root, "go", j.goTestArgs(timeout, args...)...)
}

func (j job) goTestArgs(timeout time.Duration, args ...string) []string {
	return append([]string{"test", "-json", "-vet=off", "-count=1",
		"-timeout", timeout.String(), "-overlay", j.overlay}, args...)
}

// reader makes a verdict of what go test -json prints.
type reader interface {
	line(line string) (v verdict, clear bool)
	end() verdict
}

// follow runs a program that prints as go test -json does, until the verdict is
// clear.
func (j job) follow(ctx context.Context, judge reader, dir, name string, args ...string) verdict {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, w, err := os.Pipe()
	if err != nil {
		return verdict{err: err.Error()}
	}
	cmd.Stdout, cmd.Stderr = w, w
	ownGroup(cmd)
	err = cmd.Start()
	w.Close()
	if err != nil {
		return verdict{err: err.Error()}
	}
	stop := context.AfterFunc(ctx, func() { endGroup(cmd) })
	defer func() {
		stop()
		endGroup(cmd)
		out.Close()
		cmd.Wait()
	}()
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if v, clear := judge.line(line); clear {
			return v
		}
	}
	if ctx.Err() != nil {
		return verdict{why: fmt.Sprintf("still running after %v", limit)}
	}
	return judge.end()
}

// audit runs the audit as users do, and if that finds nothing with delays between
// the steps of the code: whether a window is met without depends on the machine.
func (j job) audit(ctx context.Context) verdict {
	v := j.auditIn(ctx, "")
	if !v.killed && v.err == "" {
		v = j.auditIn(ctx, "loom", "-perturb")
	}
	return v
}

// auditIn builds the audit with the mutant in it and runs it on the target that
// the mutant is in.
func (j job) auditIn(ctx context.Context, tags string, mode ...string) verdict {
	binary := filepath.Join(j.tmp, "audit.exe")
	out, status, err := command(ctx, "go", "build", "-tags", tags, "-overlay", j.overlay, "-o", binary, "./linearizability/audit")
	if err != nil {
		return verdict{err: err.Error()}
	}
	if status != 0 {
		return verdict{err: "the audit does not build: " + firstLine(out)}
	}
	out, status, err = command(ctx, binary, append(mode, "-target", plant.AuditTarget(j.files[0]), "-duration", "10s",
		"-report", filepath.Join(j.tmp, "audit.html"))...)
	if err != nil {
		return verdict{err: err.Error()}
	}
	return judgeAudit(out, status, j.claims)
}

// compiles reports what is wrong with the mutant as Go code, in both builds.
func compiles(ctx context.Context, overlay string) error {
	for _, tags := range []string{"", "loom"} {
		out, status, err := command(ctx, "go", "build", "-overlay", overlay, "-tags", tags,
			"./queue", "./idle", "./park", "./sched")
		if err != nil {
			return err
		}
		if status != 0 {
			return fmt.Errorf("does not build with tags %q: %s", tags, firstLine(out))
		}
	}
	return nil
}

// command runs a program in the module's root and returns what it printed, both
// streams together, and its exit status. A program that cannot be run is an
// error; one that ctx ends is not.
func command(ctx context.Context, name string, args ...string) (out string, status int, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = root
	cmd.WaitDelay = 10 * time.Second
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) || ctx.Err() != nil {
		err = nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w", name, err)
	}
	return string(b), cmd.ProcessState.ExitCode(), nil
}
