package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/sched"
)

// Digest is what there is to say of a directory. Sum covers the names and the
// contents of all that is in it; symbolic links count by what they say.
type Digest struct {
	Sum                [sha256.Size]byte
	Dirs, Files, Bytes int64
}

// entry is one thing in a directory.
type entry struct {
	name string
	Digest
}

// sum is the digest of a directory, from those of its entries.
func sum(entries []entry) Digest {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	d := Digest{Dirs: 1}
	h := sha256.New()
	for _, e := range entries {
		fmt.Fprintf(h, "%q %x\n", e.name, e.Sum)
		d.Dirs += e.Dirs
		d.Files += e.Files
		d.Bytes += e.Bytes
	}
	h.Sum(d.Sum[:0])
	return d
}

// file is the digest of anything but a directory.
func file(path string, mode os.FileMode) (Digest, error) {
	h := sha256.New()
	n, err := content(h, path, mode)
	d := Digest{Files: 1, Bytes: n}
	h.Sum(d.Sum[:0])
	return d, err
}

func content(h hash.Hash, path string, mode os.FileMode) (int64, error) {
	switch {
	case mode&os.ModeSymlink != 0:
		to, err := os.Readlink(path)
		io.WriteString(h, to)
		return 0, err
	case !mode.IsRegular():
		_, err := io.WriteString(h, mode.String())
		return 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(h, f)
}

// Sequential walks dir in this goroutine.
func Sequential(dir string) (Digest, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return Digest{}, err
	}
	entries := make([]entry, 0, len(list))
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		var d Digest
		if e.IsDir() {
			d, err = Sequential(path)
		} else {
			d, err = file(path, e.Type())
		}
		if err != nil {
			return Digest{}, err
		}
		entries = append(entries, entry{e.Name(), d})
	}
	return sum(entries), nil
}

// Parallel walks dir by tasks of s: one per directory, which spawns one for
// each entry. The one that finishes a directory's last entry finishes the
// directory, so no task waits for another.
func Parallel(s *sched.Scheduler, dir string) (Digest, error) {
	w := walk{done: make(chan Digest, 1)}
	if err := s.GoTask(&node{walk: &w, path: dir, dir: true}); err != nil {
		return Digest{}, err
	}
	d := <-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	return d, w.err
}

// walk is one run of Parallel. After the first error the digest is worthless.
type walk struct {
	done chan Digest
	mu   sync.Mutex
	err  error
}

func (w *walk) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

// node is the task of one directory or file.
type node struct {
	*walk
	parent *node
	place  int // in the parent's entries
	path   string
	dir    bool
	mode   os.FileMode

	// entries has a place for each child, written by the child alone; the one
	// that brings left to zero reads them all.
	entries []entry
	left    atomic.Int64
}

// Run is called once, by a worker.
func (n *node) Run(c sched.Ctx) {
	if !n.dir {
		d, err := file(n.path, n.mode)
		if err != nil {
			n.fail(err)
		}
		n.finish(d)
		return
	}
	list, err := os.ReadDir(n.path)
	if err != nil {
		n.fail(err)
	}
	if len(list) == 0 {
		n.finish(sum(nil))
		return
	}
	n.entries = make([]entry, len(list))
	n.left.Store(int64(len(list)))
	for i, e := range list {
		n.entries[i].name = e.Name()
		child := &node{walk: n.walk, parent: n, place: i, dir: e.IsDir(), mode: e.Type(),
			path: filepath.Join(n.path, e.Name())}
		if err := c.GoTask(child); err != nil {
			n.fail(err)
			child.finish(Digest{})
		}
	}
}

// finish hands a digest up, as far as it completes directories.
func (n *node) finish(d Digest) {
	for ; n.parent != nil; n = n.parent {
		n.parent.entries[n.place].Digest = d
		if n.parent.left.Add(-1) > 0 {
			return
		}
		d = sum(n.parent.entries)
	}
	n.done <- d
}
