package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// A search that is saved is its path and the trees of it: what is done is to the
// left, and what is found later is added to the right. To go on, the path is run
// again as far as it is kept.

// SavingEvery is how long a search runs between two times that it is saved.
const SavingEvery = 2 * time.Second

// formOfSaved is changed whenever an older program could misread what a newer one
// has saved, or the other way round.
const formOfSaved = 2

// saved is a search as it is written to a file.
type saved struct {
	Form   int
	Tag    string // of the exploration
	Code   string // of the program
	Shard  Shard
	Share  int // which prefix of the shard
	Done   bool
	Result Result
	Points []savedPoint
	Names  [][]int32 // of threads, by kinship
}

type savedPoint struct {
	Thread, N, Value int
	Asleep           uint64        `json:",omitempty"`
	Tree, Then       []savedBranch `json:",omitempty"`
	Tried            []uint64      `json:",omitempty"`
	Code             machine.Code
	Object           int32
}

type savedBranch struct {
	Name, Choice, Object int32
	Mode                 machine.Mode
	Code                 machine.Code
	Below                []savedBranch `json:",omitempty"`
}

// save writes the search to the file of the options, if it is time to.
func (p *path) save(done bool) {
	file := p.opts.Checkpoint
	if file == "" || !done && (p.res.Executions%16 != 0 || time.Since(p.savedAt) < p.opts.SaveEvery) {
		return
	}
	p.savedAt = time.Now()
	s := saved{Form: formOfSaved, Tag: p.opts.Tag, Code: p.opts.Code, Shard: p.opts.Shard, Share: p.share, Done: done, Result: p.res}
	s.Result.Err = nil
	o, _ := p.by.(*optimal)
	for i := range p.points {
		if done {
			break
		}
		pt := &p.points[i]
		sp := savedPoint{Thread: pt.thread, N: pt.n, Value: pt.value, Asleep: pt.asleep, Tried: pt.tried, Code: pt.code, Object: -1}
		if pt.n == 0 {
			sp.Object = pt.effect.Object
		}
		if o != nil {
			sp.Tree, sp.Then = o.forest.list(pt.tree), o.forest.list(pt.then)
		}
		s.Points = append(s.Points, sp)
	}
	if o != nil {
		s.Names = o.names.children
	}
	if err := write(file, s); err != nil && p.err == nil {
		p.err = err
	}
}

// write replaces the file at once, so that whoever reads it finds one of the two.
func write(file string, s saved) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("loom: the search cannot be saved: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("loom: the search cannot be saved: %w", err)
	}
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("loom: the search cannot be saved: %w", err)
	}
	return nil
}

// NotResumed is the error of a search that cannot go on from the file that it is
// saved in.
type NotResumed struct{ err error }

func (n *NotResumed) Error() string { return "loom: " + n.err.Error() }

// Unwrap returns what was wrong with the file, if something else says so.
func (n *NotResumed) Unwrap() error { return errors.Unwrap(n.err) }

func notResumed(format string, args ...any) error { return &NotResumed{fmt.Errorf(format, args...)} }

// load reads a saved search; nil if there is none.
func load(opts Options) (*saved, error) {
	text, err := os.ReadFile(opts.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("loom: %w", err)
	}
	s := new(saved)
	switch err := json.Unmarshal(text, s); {
	case err != nil:
		return nil, notResumed("%s is not a saved search: %w", opts.Checkpoint, err)
	case s.Form != formOfSaved:
		return nil, notResumed("%s is a saved search of form %d, not %d", opts.Checkpoint, s.Form, formOfSaved)
	case s.Tag != opts.Tag:
		return nil, notResumed("%s is a saved search of %s, not of %s", opts.Checkpoint, s.Tag, opts.Tag)
	case s.Code != opts.Code:
		return nil, notResumed("%s is a saved search of another program: the code, or how it was built (with what Go, flags and tags, in what directory), has changed since; delete the file to search anew", opts.Checkpoint)
	case s.Shard != opts.Shard:
		return nil, notResumed("%s is a saved search of shard %d/%d, not %d/%d", opts.Checkpoint, s.Shard.I, s.Shard.N, opts.Shard.I, opts.Shard.N)
	}
	return s, nil
}

// resume has the search go on where s was saved.
func (p *path) resume(s *saved) {
	p.res, p.share = s.Result, s.Share
	p.m.Ordered = s.Result.Ordered
	if p.res.Algorithm == "sleep" {
		p.by = &sleepSets{p}
	}
	o, _ := p.by.(*optimal)
	if o != nil && len(s.Names) > 0 {
		o.names.children = s.Names
	}
	for i := range s.Points {
		sp := &s.Points[i]
		g := guided{thread: sp.Thread, n: sp.N, value: sp.Value, asleep: sp.Asleep, tried: sp.Tried, code: sp.Code, object: sp.Object}
		if o != nil {
			o.forest.plant(&g.tree, sp.Tree)
			o.forest.plant(&g.then, sp.Then)
		}
		p.guide.points = append(p.guide.points[:i], g)
	}
}

// list returns the branches of a list with all that is below them.
func (f *forest) list(n int32) []savedBranch {
	var out []savedBranch
	for ; n != 0; n = f.all[n].next {
		b := &f.all[n]
		out = append(out, savedBranch{b.name, b.choice, b.object, b.mode, b.code, f.list(b.below)})
	}
	return out
}

// plant is the reverse of list.
func (f *forest) plant(root *int32, list []savedBranch) {
	for _, b := range list {
		at := f.add(root, 0, branch{name: b.Name, choice: b.Choice, object: b.Object, mode: b.Mode, code: b.Code})
		var below int32
		f.plant(&below, b.Below)
		f.all[at].below = below
	}
}
