//go:build !loom && !race

package ci_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// published is a module with a lock-free queue as it was published: a bounded one
// for many producers and consumers, after https://github.com/rigtorp/MPMCQueue.
var published = struct{ path, version, sum, goModSum string }{
	"github.com/puzpuzpuz/xsync/v4", "v4.5.0",
	"h1:vOSWu6b57/emh+L/Cw0BeQfvxa/cogFywXHeGUxQxAg=",
	"h1:VJDmTCJMBt8igNxnkQd86r+8KUeN1quSfNKu5bLYFQo=",
}

// download returns the directory of a published module, after a check of its
// hash. The go command takes it from its cache or from the module proxy; that
// neither has it is a failure.
func download(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/download\n\ngo 1.26\n"), 0o666))
	out := command(t, dir, []string{"GOFLAGS=-mod=mod", "GONOSUMDB=" + published.path}, "go", "mod", "download", "-json", published.path+"@"+published.version)
	var m struct{ Dir, Sum, GoModSum string }
	require.NoError(t, json.Unmarshal([]byte(out), &m), out)
	require.Equal(t, published.sum, m.Sum, "not the module that was published")
	require.Equal(t, published.goModSum, m.GoModSum)
	return m.Dir
}

// queueModule makes a module of the published source, with a test of plain Go and
// with loom among its tools.
func queueModule(t *testing.T) string {
	from, dir := download(t), t.TempDir()
	entries, err := os.ReadDir(from)
	require.NoError(t, err)
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") || name == "LICENSE" {
			text, err := os.ReadFile(filepath.Join(from, name))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
		}
	}
	filch, err := filepath.Abs(root)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+published.path+"\n\ngo 1.26\n\nrequire "+module+" v0.0.0\n\nreplace "+
		module+" => "+filepath.ToSlash(filch)+"\n\ntool "+module+"/loom/cmd/loom\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "two_test.go"), []byte(twoThreads), 0o666))
	return dir
}

const twoThreads = `package xsync_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync/v4"
)

// Both threads put a value in and take one out. Whatever happens, what went in
// comes out, once.
func TestTwoThreads(t *testing.T) {
	q := xsync.NewMPMCQueue[int](1)
	var in, out [2][]int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			if v := i + 1; q.TryEnqueue(v) {
				in[i] = append(in[i], v)
			}
			if v, ok := q.TryDequeue(); ok {
				out[i] = append(out[i], v)
			}
		}()
	}
	wg.Wait()
	came := slices.Concat(out[0], out[1])
	for v, ok := q.TryDequeue(); ok; v, ok = q.TryDequeue() {
		came = append(came, v)
	}
	slices.Sort(came)
	if went := slices.Concat(in[0], in[1]); !slices.Equal(went, came) {
		t.Errorf("%v went in and %v came out", went, came)
	}
}
`

// TestUntouchedQueueIsExplored to the end, and holds.
func TestUntouchedQueueIsExplored(t *testing.T) {
	dir := queueModule(t)
	command(t, dir, nil, "go", "test", "-count=1", "./...")
	out := command(t, dir, nil, "go", "tool", "loom", "-for", "0", "go", "test", "./...")
	require.Regexp(t, `loom: exhausted TestTwoThreads: [1-9]\d* traces, 3 threads`, out)
	require.NotContains(t, out, "NOT EXPLORED")
	require.NotContains(t, out, "not watched")
}

// TestBugsInUntouchedQueueAreFound: a store moved, a compare-and-swap made a
// store, a check left out. Each is found, with the file and the line of the user,
// and the replay command finds it again.
func TestBugsInUntouchedQueueAreFound(t *testing.T) {
	const file = "mpmcqueue.go"
	dir := queueModule(t)
	text, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	for name, c := range map[string]struct{ old, new, want string }{
		"published before it is written": {
			"\t\t\tslot.item = item\n\t\t\tslot.turn.Store(turn + 1)\n", "\t\t\tslot.turn.Store(turn + 1)\n\t\t\tslot.item = item\n",
			`DataRace violated: a store by thread \d at mpmcqueue\.go:84 and a load by .* at mpmcqueue\.go:101`},
		"compare-and-swap made a store": {
			"if atomic.CompareAndSwapUint64(&q.tail, tail, tail+1) {", "if atomic.StoreUint64(&q.tail, tail+1); true {",
			`(DataRace|Failed) violated: .*(mpmcqueue|two_test)\.go:\d+`},
		"check left out": {
			"if slot.turn.Load() == turn {\n\t\tif atomic.CompareAndSwapUint64(&q.head", "if slot.turn.Load() >= 0 {\n\t\tif atomic.CompareAndSwapUint64(&q.head",
			`(DataRace|Failed) violated: .*(mpmcqueue|two_test)\.go:\d+`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(string(text), c.old))
			planted := strings.Replace(string(text), c.old, c.new, 1)
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(planted), 0o666))
			out := fails(t, dir, "go", "tool", "loom", "go", "test", "./...")
			require.Regexp(t, c.want, out)
			require.Regexp(t, `mpmcqueue\.go:\d+ .* (Load|Store|CompareAndSwap) `, out, "the steps have the places of the user's file")

			claim := regexp.MustCompile(`loom: \w+ violated: .*`)
			_, replay, _ := strings.Cut(out, "replay: ")
			replay, _, _ = strings.Cut(replay, "\n")
			require.Contains(t, replay, "LOOM_REPLAY=")
			again := fails(t, dir, shell(t, "sh"), "-c", replay)
			require.Equal(t, claim.FindString(out), claim.FindString(again))
		})
	}
}
