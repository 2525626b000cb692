package fuzz

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
)

// FoundDir is where targets save the programs that fail, below the directory of
// their package.
var FoundDir = filepath.Join("testdata", "found")

// How long a saved program is looked at: where its order of steps is chosen, and where it
// is left to chance.
const (
	foundLimit   = 2 * time.Second
	foundByLuck  = 5 * time.Second
	foundInOrder = time.Second / 4
)

// foundLine is the comment that a saved program begins with, and chanceNote what it says
// of one that failed in a run of goroutines.
const (
	foundLine  = "Found by %s: %s violated when run %s."
	chanceNote = concurrent + ", without -tags loom"
)

// Found returns the programs that a target of this name and shape has saved in dir, by
// the names of their files. That there is no such directory is no error. A file that
// holds no program of the shape is one, with its name and the line.
func Found(dir, name string, sh Shape) (map[string]Program, error) {
	all, err := saved(dir, name, sh)
	if err != nil {
		return nil, err
	}
	found := map[string]Program{}
	for file, s := range all {
		found[file] = s.program
	}
	return found, nil
}

// kept is a program of a file, and in which runs it failed.
type kept struct {
	program Program
	orderly bool // in order, which does not depend on chance
}

func saved(dir, name string, sh Shape) (map[string]kept, error) {
	files, err := filepath.Glob(filepath.Join(dir, name+"-*.txt"))
	if err != nil {
		return nil, fmt.Errorf("fuzz: %w", err)
	}
	all := map[string]kept{}
	for _, file := range files {
		p, s, err := load(file)
		if err != nil {
			return nil, err
		}
		if err := sh.fits(file, s, p); err != nil {
			return nil, err
		}
		orderly := slices.ContainsFunc(s.Doc, func(l string) bool { return strings.HasSuffix(l, " when run "+inOrder+".") })
		all[file] = kept{p, orderly}
	}
	return all, nil
}

// replayFound runs the programs that were saved, until one does not come to its end.
func (k *keeper) replayFound(f *testing.F) {
	f.Helper()
	all, err := saved(FoundDir, k.name, k.shape)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		name, limit := inModule(file), all[file].limit()
		runs, err := thoroughly(k.by, all[file].program, limit)
		if err == nil {
			k.unseen(f, name, all[file], fmt.Sprintf("%v, %d runs", limit, runs))
			continue
		}
		found := failureIn(err)
		if found != nil && found.Replay != "" {
			if found.Replay = savedCommand(k.name); found.timely() {
				found.Replay = found.patiently(found.Replay)
			}
		}
		f.Errorf("%s: %v", name, err)
		if found != nil && found.Endless {
			k.endless = name
			return
		}
	}
}

// late fails a target that was fuzzed and passed although a program was saved meanwhile: the
// fuzzer does not wait for an input that is still being shrunk when its time is up. before
// are the files from before.
func (k *keeper) late(f *testing.F, before []string) {
	f.Helper()
	if f.Failed() {
		return
	}
	for _, file := range k.files() {
		if !slices.Contains(before, file) {
			f.Errorf("fuzz: %s was saved when the time of the fuzzer was up; run it: %s", inModule(file), savedCommand(k.name))
		}
	}
}

// files are those that programs of the target are saved in.
func (k *keeper) files() []string {
	files, err := filepath.Glob(filepath.Join(FoundDir, k.name+"-*.txt"))
	if err != nil {
		panic(fmt.Sprintf("fuzz: the name of target %s: %v", k.name, err)) // it is that of a function
	}
	return files
}

// limit is how long k is run.
func (k kept) limit() time.Duration {
	if k.orderly {
		return foundInOrder
	}
	if d, err := longer(); err == nil && d > 0 {
		return d
	}
	if loom.Enabled {
		return foundLimit
	}
	return foundByLuck
}

// unseen says that a saved program did not fail. What that proves depends on the build:
// where threads run as they happen to, a program that still fails does so in some runs
// only; and then it is said on standard error, too, where it is seen without -v.
func (k *keeper) unseen(f *testing.F, file string, p kept, how string) {
	f.Helper()
	const mended = "once it is mended, keep it among the scenarios that are always run, under a name that says what it shows, or delete it"
	said := fmt.Sprintf("%s did not violate anything, in %s of schedules; if it was found without -tags loom, run it without, too; %s", file, how, mended)
	if p.orderly {
		said = fmt.Sprintf("%s did not violate anything, in its order; %s", file, mended)
	} else if !loom.Enabled {
		said = fmt.Sprintf("%s DID NOT COME BACK in %s on goroutines, which proves nothing if it fails by timing. Have it run for longer: "+
			"%s=2m %s; or have the order of steps chosen, if the code is on package loom's shim: %s",
			file, how, longerVariable, savedCommand(k.name), strings.Replace(savedCommand(k.name), "go test", "go test -tags loom", 1))
		fmt.Fprintf(os.Stderr, "fuzz: %s\n", said)
	}
	f.Log(said)
}
