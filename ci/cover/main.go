// Command cover says which statements of production code the property and fuzz
// tests run, by themselves: no unit test counts.
//
//	go run ./ci/cover [-least 95] [-profile FILE]
//
// It runs go test ./fuzz with the tag loom and counters in packages queue, idle,
// park and sched, prints the share of each package, and names every statement that
// did not run, with the reason where there can be no run of it. The exit status is
// 0 if at least -least percent of all statements ran, 1 if fewer, 2 if the tests
// failed. With -profile it reads a profile in place of running the tests.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// packages are those of production.
var packages = []string{"queue", "idle", "park", "sched"}

// skipped are tests that fuzz with other code than production in place of it, or
// beside it.
const skipped = "^(TestPlantedBugIsFound|TestTheirCodeIsJudged)$"

func main() {
	least := flag.Float64("least", 95, "how many `percent` of the statements must run")
	profile := flag.String("profile", "", "read this `file`, of go test -coverprofile, and run nothing")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "cover: %q is not a flag\n", flag.Arg(0))
		os.Exit(2)
	}
	ok, err := cover(*least, *profile)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "cover:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

func cover(least float64, file string) (ok bool, err error) {
	if file == "" {
		tmp, err := os.MkdirTemp("", "cover")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(tmp)
		file = filepath.Join(tmp, "profile")
		if err := run(file); err != nil {
			return false, err
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	p, err := parse(string(text))
	if err != nil {
		return false, fmt.Errorf("%s: %w", file, err)
	}
	missing, err := p.missing(".")
	if err != nil {
		return false, err
	}
	for _, m := range missing {
		fmt.Println(m)
	}
	for _, pkg := range packages {
		fmt.Printf("%-6s %s\n", pkg, p.share(pkg))
	}
	all := p.share("")
	if all.percent() < least {
		fmt.Printf("cover: FAILED, %s, want at least %.0f %%\n", all, least)
		return false, nil
	}
	fmt.Printf("cover: ok, %s\n", all)
	return true, nil
}

// run runs the tests and writes their profile to file.
func run(file string) error {
	pkgs := ""
	for i, p := range packages {
		if i > 0 {
			pkgs += ","
		}
		pkgs += "./" + p
	}
	cmd := exec.Command("go", "test", "-tags", "loom", "-count=1", "-timeout", "5m", "-skip", skipped,
		"-coverpkg", pkgs, "-coverprofile", file, "./fuzz")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return nil
}
