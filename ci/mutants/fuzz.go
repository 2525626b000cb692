package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/filch-sched/filch/linearizability/plant"
)

// fuzzTime is how long a fuzzer looks for one mutant, from nothing.
const fuzzTime = "110s"

// fuzz builds the fuzz tests with the mutant in them, so that the fuzzer decides
// the order of steps, too, and runs the target that the mutant is in, where the
// tree is not: the fuzzer writes what it finds below the directory it is run in. It
// starts from nothing; the corpus is for the other layers. What it finds must be a
// scenario file that violates a claim of the mutant again.
func (j job) fuzz(ctx context.Context) verdict {
	name := fuzzTarget(j.files)
	binary := filepath.Join(j.tmp, "fuzz.test.exe")
	out, status, err := command(ctx, "go", "test", "-c", "-tags=loom", "-vet=off", "-fuzz=^"+name+"$", "-overlay", j.overlay,
		"-o", binary, "./fuzz")
	if err != nil {
		return verdict{err: err.Error()}
	}
	if status != 0 {
		return verdict{err: "the fuzz test does not build: " + firstLine(out)}
	}
	run := func(args ...string) verdict {
		return j.follow(ctx, &judge{claims: j.claims}, j.tmp, "go", append([]string{"tool", "test2json", "-t", binary, "-test.v=test2json"}, args...)...)
	}
	v := run("-test.run=^$", "-test.fuzz=^"+name+"$", "-test.fuzztime="+fuzzTime,
		"-test.fuzzcachedir="+filepath.Join(j.tmp, "cache"))
	if !v.killed {
		return v
	}
	// Without what the fuzzer itself has written, so that only the scenario fails.
	testdata := filepath.Join(j.tmp, "testdata")
	if err := os.RemoveAll(filepath.Join(testdata, "fuzz")); err != nil {
		return verdict{err: err.Error()}
	}
	files, err := filepath.Glob(filepath.Join(testdata, "found", "*.txt"))
	if err != nil || len(files) == 0 {
		return verdict{why: fmt.Sprintf("%s, but no scenario file was written", v.by)}
	}
	if again := run("-test.run=^" + name + "$"); !again.killed {
		return verdict{why: fmt.Sprintf("%s, but not again by %s: %s", v.by, filepath.Base(files[0]), again.why+again.err)}
	}
	v.by += ", again by " + filepath.Base(files[0])
	return v
}

// fuzzTarget returns the fuzz target that runs the code of the first file.
func fuzzTarget(files []string) string {
	part := plant.Part(files[0])
	return "Fuzz" + strings.ToUpper(part[:1]) + part[1:]
}
