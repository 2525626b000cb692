//go:build !race && !loom

package main_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// deedVar says what a worker of the scheduler does to the process as soon as it
// is to sleep, in an audit that deadly builds.
const deedVar = "FILCH_TEST_DEED"

const deed = `package idle

import (
	"os"
	"syscall"
)

func deed() {
	switch os.Getenv("` + deedVar + `") {
	case "panic":
		panic("a planted death")
	case "say":
		os.Stderr.WriteString("panic: said by a program that does not panic\n")
		os.Exit(7)
	case "kill":
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
	case "stop":
		parent, _ := os.FindProcess(os.Getppid())
		parent.Signal(syscall.SIGTERM)
	}
	select {}
}
`

// deadly builds an audit in which the first statement of (*idle.Tracker).Park
// does what deedVar says. Only workers call it, on goroutines of their own.
func deadly(t *testing.T) (exe string) {
	t.Helper()
	file := filepath.Join(root(t), "idle", "idle.go")
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, 0)
	require.NoError(t, err)
	at := 0
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Park" && f.Recv != nil {
			at = files.Position(f.Body.Lbrace).Offset + 1
		}
	}
	require.NotZero(t, at, "idle/idle.go has no method Park")

	tmp := t.TempDir()
	changed, added := filepath.Join(tmp, "idle.go"), filepath.Join(tmp, "deed.go")
	require.NoError(t, os.WriteFile(changed, []byte(string(source[:at])+" deed();"+string(source[at:])), 0o600))
	require.NoError(t, os.WriteFile(added, []byte(deed), 0o600))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		file: changed, filepath.Join(filepath.Dir(file), "deed.go"): added}})
	require.NoError(t, err)
	list := filepath.Join(tmp, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o600))
	exe = filepath.Join(tmp, "deadly.exe")
	out, err := exec.Command("go", "build", "-overlay", list, "-o", exe, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return exe
}

// A panic on a goroutine of production code ends the process: that is a
// violation with a report. An end that comes from outside accuses nobody.
func TestOnlyACrashOfTheProcessIsAViolation(t *testing.T) {
	t.Parallel()
	exe := deadly(t)
	for _, c := range []struct {
		deed string
		code int
		last string
		unix string // what last is, in more words, where there are signals
	}{
		{"panic", 1, "verdict: violation CountsMatchSleepers", ""},
		{"say", 3, "verdict: inconclusive sched: audit process ended with status 7 and no verdict", ""},
		{"kill", 3, "verdict: inconclusive sched: audit process ended ", "by signal 9, killed"},
		{"stop", 3, "verdict: inconclusive sched: the audit was told to stop", ""},
	} {
		t.Run(c.deed, func(t *testing.T) {
			if runtime.GOOS == "windows" && c.deed == "stop" {
				t.Skip("on windows no process can ask another to end")
			}
			page := filepath.Join(t.TempDir(), "page.html")
			r := auditWith(t, exe, t.TempDir(), []string{deedVar + "=" + c.deed},
				"-duration", "1m", "-target", "sched", "-report", page)
			require.Equal(t, c.code, r.code, "%s%s", r.out, r.errors)
			if runtime.GOOS == "windows" {
				require.True(t, strings.HasPrefix(r.last, c.last), r.last)
			} else {
				require.Equal(t, c.last+c.unix, r.last)
			}
			require.FileExists(t, page)
			if c.deed == "panic" {
				require.Contains(t, r.out, "the process died: panic: a planted death")
			} else {
				require.NotContains(t, r.out, "violat")
			}
		})
	}
}

// An audit that is killed can ask nobody to end. Its child ends all the same, and
// leaves nothing behind: with -perturb it is the child of a child.
func TestNobodyOutlivesAnAuditThatIsKilled(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"plain": nil, "rebuilt": {"-perturb"}} {
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			cmd := exec.Command(binary, append(args, "-duration", "10m", "-target", "park")...)
			cmd.Dir = root(t)
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "TMP="+tmp, "TEMP="+tmp)
			require.NoError(t, cmd.Start())
			drives := func() bool {
				states, err := filepath.Glob(filepath.Join(tmp, "filch-audit-*", "state.json"))
				return err == nil && len(states) > 0
			}
			require.Eventually(t, drives, time.Minute, 10*time.Millisecond, "nothing is driven")
			require.NoError(t, cmd.Process.Kill())
			require.Error(t, cmd.Wait())
			gone := func() bool {
				left, err := filepath.Glob(filepath.Join(tmp, "filch-audit-*"))
				return err == nil && (len(left) == 0 || runtime.GOOS == "windows" && len(left) == 1 && name == "rebuilt") // its own program
			}
			require.Eventually(t, gone, 20*time.Second, 10*time.Millisecond, "the child goes on")
		})
	}
}
