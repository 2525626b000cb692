//go:build !loom && !race

package ci_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// command runs a program in dir and returns what it printed.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

// lift copies package queue out of filch, to a module of its own with a program
// that uses it, and returns the module's directory.
func lift(t *testing.T) string {
	dir := t.TempDir()
	command(t, ".", nil, shell(t, "bash"), "lift.sh", filepath.Join(dir, "queue"))
	probe := strings.ReplaceAll(read(t, "ci/testdata/probe/main.go"), module, "example.com/lifted")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "probe"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "probe", "main.go"), []byte(probe), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/lifted\n\ngo 1.26\n"), 0o666))
	return dir
}

func TestQueueCanBeLiftedOut(t *testing.T) {
	dir := lift(t)
	command(t, dir, nil, "go", "vet", "./...")
	command(t, dir, nil, "go", "run", "./probe")
	require.Equal(t, "example.com/lifted/probe\nexample.com/lifted/queue\n", command(t, dir, nil, "go", "list", "./..."))
	deps := command(t, dir, nil, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./queue")
	require.Equal(t, "example.com/lifted/queue\n", deps)
}

// hot are the functions whose machine code must not be longer for the shim.
var hot = regexp.MustCompile(`^queue\.(\(\*Ring\[go\.shape\..*\]\)\.(Push|Pop)|Stealer\[go\.shape\..*\]\.StealInto)$`)

// TestShimCostsNoInstruction compares the program that uses queue as it is with
// the one that uses its lifted copy, which is the same source on sync/atomic.
func TestShimCostsNoInstruction(t *testing.T) {
	dir := lift(t)
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			env := []string{"GOOS=linux", "GOARCH=" + arch, "CGO_ENABLED=0", "GOFLAGS="}
			ours := functions(t, root, env, "./ci/testdata/probe", module+"/queue")
			theirs := functions(t, dir, env, "./probe", "example.com/lifted/queue")
			compared := 0
			for name, code := range ours {
				require.Equal(t, theirs[name], code, "%s", name)
				if hot.MatchString(name) {
					compared++
					require.NotContains(t, code, "CALL sync/atomic.(*Uint", "%s calls what should be one instruction", name)
				}
			}
			require.Equal(t, 6, compared, "Push, Pop and StealInto, each for pointers and for words")
			require.Len(t, theirs, len(ours))
		})
	}
}

// TestAtomicsAreInstructions looks at all of production in a program that uses
// it. An atomic operation that is a call costs more than the operation.
func TestAtomicsAreInstructions(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "hashtree")
	env := []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS="}
	command(t, root, env, "go", "build", "-o", binary, "./sched/hashtree")
	listing := command(t, root, nil, "go", "tool", "objdump", "-s", module+`/(queue|idle|park|sched)\.`, binary)
	for _, hot := range []string{"LOCK CMPXCHGQ", "LOCK XADDL", "XCHGL"} {
		require.Contains(t, listing, hot, "the listing is not that of the queues and the idle word")
	}
	for line := range strings.Lines(listing) {
		if strings.Contains(line, "CALL sync/atomic.(*") && !strings.Contains(line, "(*Value)") {
			t.Error(strings.Join(strings.Fields(line), " "))
		}
	}
}

var (
	textLine = regexp.MustCompile(`^TEXT (\S+)\(SB\)`)
	codeLine = regexp.MustCompile(`^\s*\S+:\d+\s+0x([0-9a-f]+)\s+[0-9a-f]+\s+(.*?)\s*$`)
	address  = regexp.MustCompile(`\b0x[0-9a-f]{4,}$`)
	data     = regexp.MustCompile(`-?0x[0-9a-f]+\(IP\)`)
	page     = regexp.MustCompile(`^ADRP -?\d+\(PC\), (R\d+)$`)
)

// functions builds a program and returns the machine code of the functions of
// one package in it, as text without what depends on where the code lies and
// what the package is called.
func functions(t *testing.T, dir string, env []string, program, pkg string) map[string]string {
	binary := filepath.Join(t.TempDir(), "probe")
	command(t, dir, env, "go", "build", "-trimpath", "-o", binary, program)
	listing := command(t, dir, nil, "go", "tool", "objdump", "-s", regexp.QuoteMeta(pkg)+`\.`, binary)
	all := map[string]string{}
	var name, paged string // paged: the register that arm64 has just put an address's page in
	var start uint64
	for line := range strings.Lines(listing) {
		line = strings.ReplaceAll(line, pkg, "queue")
		if m := textLine.FindStringSubmatch(line); m != nil {
			name, start = m[1], 0
			continue
		}
		m := codeLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at, err := strconv.ParseUint(m[1], 16, 64)
		require.NoError(t, err)
		if start == 0 {
			start = at
		}
		code := normal(m[2], start)
		if paged != "" {
			code = regexp.MustCompile(`\$?-?\d+(\(`+paged+`\)|, `+paged+`\b)`).ReplaceAllString(code, "DATA$1")
		}
		paged = ""
		if m := page.FindStringSubmatch(code); m != nil {
			code, paged = "ADRP DATA, "+m[1], m[1]
		}
		all[name] += code + "\n"
	}
	require.NotEmpty(t, all, "no function of %s in the listing", pkg)
	return all
}

// normal returns an instruction with the target of a jump counted from the
// start of its function and without the addresses of data.
func normal(instruction string, start uint64) string {
	s := data.ReplaceAllString(instruction, "DATA(IP)")
	return address.ReplaceAllStringFunc(s, func(a string) string {
		target, err := strconv.ParseUint(strings.TrimPrefix(a, "0x"), 16, 64)
		if err != nil || target < start || target > start+1<<16 {
			return a
		}
		return "+" + strconv.FormatUint(target-start, 16)
	})
}
