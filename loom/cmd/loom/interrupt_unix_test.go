//go:build unix && !loom && !race

package main_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInterruptLeavesNothingBehind: as a terminal does, the signal goes to all
// processes of the command.
func TestInterruptLeavesNothingBehind(t *testing.T) {
	name, err := command()
	require.NoError(t, err)
	dir := module(t, files{"wait_test.go": `package try

import (
	"fmt"
	"testing"
)

func TestWait(t *testing.T) {
	go func() {}()
	fmt.Println("waiting")
	select {}
}
`})
	temp := t.TempDir()
	cmd := exec.Command(name, "-explore", "None", "go", "test", "-v", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "waiting") {
			break
		}
	}
	left, err := filepath.Glob(filepath.Join(temp, "loom-*"))
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGINT))
	require.Error(t, cmd.Wait())
	require.NotZero(t, cmd.ProcessState.ExitCode())
	left, err = filepath.Glob(filepath.Join(temp, "loom-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestCgo: a package that calls C is explored in what is Go, and the calls are
// named.
func TestCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI must not skip this test, and it needs gcc: %v", err)
		}
		t.Skipf("NOT CHECKED: this test needs gcc, which this machine does not have: %v", err)
	}
	all := files{"c.go": `package try

/*
static int one(void) { return 1; }
*/
import "C"
import "sync/atomic"

type Gauge struct{ n atomic.Int32 }

func (g *Gauge) Bad() { g.n.Store(g.n.Load() + int32(C.one())) }
`, "c_test.go": `package try

import (
	"sync"
	"testing"
)

func TestGauge(t *testing.T) {
	var g Gauge
	var wg sync.WaitGroup
	wg.Go(g.Bad)
	wg.Go(g.Bad)
	wg.Wait()
	if n := g.n.Load(); n != 2 {
		t.Errorf("counted %d", n)
	}
}
`}
	dir := module(t, all)
	for _, backend := range []string{"overlay", "copy"} {
		r := run(t, dir, []string{"CGO_ENABLED=1"}, "go", "tool", "loom", "-backend="+backend, "go", "test", ".")
		require.NotZero(t, r.status)
		require.Contains(t, r.err, "c.go:11:54: cgo: what C does is no step, and its memory is not watched")
		require.Contains(t, r.out, "c_test.go:15: counted 1", "%s", r.err)
		require.Regexp(t, `c\.go:11 .* Load = 0`, r.out)
	}
}
