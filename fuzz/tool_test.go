//go:build !loom && !race

package fuzz_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainGo is a package on sync/atomic: a slot that is right, and one that loses a value
// when two puts meet.
var plainGo = map[string]string{
	"plain/plain.go": `package plain

import "sync/atomic"

type Slot struct {
	v     atomic.Int64
	Loses bool
}

func (s *Slot) Put(v int) bool {
	if s.Loses {
		if s.v.Load() != 0 {
			return false
		}
		s.v.Store(int64(v))
		return true
	}
	return s.v.CompareAndSwap(0, int64(v))
}

func (s *Slot) Take() (int, bool) {
	v := s.v.Swap(0)
	return int(v), v != 0
}
`,
	"plain/plain_test.go": `package plain

import (
	"testing"

	"github.com/filch-sched/filch/fuzz"
)

func slot(f *testing.F, loses bool) {
	fuzz.Queue(f, func() fuzz.QueueOps {
		s := &Slot{Loses: loses}
		return fuzz.QueueOps{Put: s.Put, Take: s.Take, Capacity: 1}
	})
}

func FuzzRight(f *testing.F) { slot(f, false) }
func FuzzLoses(f *testing.F) { slot(f, true) }
`,
}

// TestTargetsOfPlainGoUnderTheCommandLoom are explored, which is said, and print a replay
// that runs through the command again.
func TestTargetsOfPlainGoUnderTheCommandLoom(t *testing.T) {
	root := inUserModule(t)
	for name, text := range plainGo {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	mod, err := os.OpenFile(filepath.Join(root, "go.mod"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = mod.WriteString("\ntool github.com/filch-sched/filch/loom/cmd/loom\n")
	require.NoError(t, err)
	require.NoError(t, mod.Close())

	for _, how := range []string{"-run ^FuzzRight$", "-run ^$ -fuzz ^FuzzRight$ -fuzztime 1s"} {
		out, err := pasted(t, root, "go tool loom go test "+how+" ./plain")
		require.NoError(t, err, "%s", out)
		require.Contains(t, out, "loom: NOT EXHAUSTED FuzzRight (./plain): a fuzz target, ")
		require.NotContains(t, out, "NOTHING WAS EXPLORED")
	}
	out := breaks(t, root, "go tool loom go test -run ^FuzzLoses$ ./plain", "NoLostTask")
	breaks(t, root, one(t, `replay: (go tool loom go test .*)`, out), "NoLostTask")
}
