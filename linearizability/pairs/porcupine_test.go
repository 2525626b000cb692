//go:build !race && !loom

package pairs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/pairs"
)

// porcupineDir is where porcupine's source is, with the histories that it tests
// itself with: of etcd by Jepsen, collected by A. Horn
// (github.com/ahorn/linearizability-checker), and of a key-value store. They are
// read where they are and not copied.
func porcupineDir(t *testing.T) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/anishathalye/porcupine").Output()
	require.NoError(t, err)
	dir := strings.TrimSpace(string(out))
	require.DirExists(t, filepath.Join(dir, "test_data"), "the module cache has no porcupine: go mod download")
	return dir
}

// event writes one line of a history.
func event(b *bytes.Buffer, process, kind, f, key, value string) {
	fmt.Fprintf(b, `{"process":%s,"type":%q,"f":%q`, process, kind, f)
	if key != "" {
		fmt.Fprintf(b, `,"key":%s`, key)
	}
	fmt.Fprintf(b, ",\"value\":%s}\n", value)
}

var (
	etcdLine = regexp.MustCompile(`^INFO\s+jepsen\.util\s+-\s+(\d+)\s+:(invoke|ok|fail|info)\s+:(read|write|cas)\s+(.*)$`)
	kvLine   = regexp.MustCompile(`^\{:process (\d+), :type :(invoke|ok), :f :(get|put|append), :key (".*"), :value (nil|".*")\}$`)
)

// etcd converts a log of etcd as Jepsen prints it.
func etcd(log string) *bytes.Buffer {
	var b bytes.Buffer
	b.WriteString(`{"history":"pairs/1","object":"register"}` + "\n")
	for _, l := range strings.Split(log, "\n") {
		m := etcdLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		value := "null"
		switch {
		case m[4] == "nil" || strings.HasPrefix(m[4], ":"):
		case m[3] == "cas":
			value = strings.Replace(m[4], " ", ",", 1)
		default:
			value = m[4]
		}
		if m[4] == ":timed-out" {
			if m[3] != "read" {
				m[2] = "info"
			}
		}
		event(&b, m[1], m[2], m[3], "", value)
	}
	return &b
}

// kv converts a log of a key-value store.
func kv(t *testing.T, log string) *bytes.Buffer {
	var b bytes.Buffer
	b.WriteString(`{"history":"pairs/1","object":"kv"}` + "\n")
	for _, l := range strings.Split(strings.TrimSpace(log), "\n") {
		m := kvLine.FindStringSubmatch(l)
		require.NotNil(t, m, l)
		value := m[5]
		if value == "nil" {
			value = "null"
		}
		require.True(t, json.Valid([]byte(value)), l)
		event(&b, m[1], m[2], m[3], m[4], value)
	}
	return &b
}

// verdict judges a history, and returns whether it is lawful.
func verdict(t *testing.T, file *bytes.Buffer) bool {
	h, err := pairs.Read(file, "")
	require.NoError(t, err)
	v, err := h.Judge(time.Minute)
	require.NoError(t, err)
	require.Empty(t, v.Unknown)
	if v.Claim != "" {
		require.Equal(t, pairs.Linearizable, v.Claim)
		require.NotEmpty(t, v.Lines)
	}
	return v.Claim == ""
}

// The verdicts on porcupine's histories are those that its own tests expect.
func TestPorcupinesHistoriesGetPorcupinesVerdicts(t *testing.T) {
	dir := porcupineDir(t)
	tests, err := os.ReadFile(filepath.Join(dir, "porcupine_test.go"))
	require.NoError(t, err)
	want := regexp.MustCompile(`checkJepsen\(t, (\d+), (true|false)\)`).FindAllStringSubmatch(string(tests), -1)
	require.Greater(t, len(want), 90)
	bad := 0
	for _, w := range want {
		name := fmt.Sprintf("etcd_%03s.log", w[1])
		log, err := os.ReadFile(filepath.Join(dir, "test_data", "jepsen", name))
		require.NoError(t, err)
		require.Equal(t, w[2] == "true", verdict(t, etcd(string(log))), name)
		if w[2] == "false" {
			bad++
		}
	}
	t.Logf("%d histories of a register, %d of them wrong", len(want), bad)
	for _, name := range []string{"c01-ok", "c01-bad", "c10-ok", "c10-bad", "c50-ok", "c50-bad"} {
		log, err := os.ReadFile(filepath.Join(dir, "test_data", "kv", name+".txt"))
		require.NoError(t, err)
		require.Equal(t, strings.HasSuffix(name, "ok"), verdict(t, kv(t, string(log))), name)
	}
}
