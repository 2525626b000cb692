// Command hashtree gives one digest of all files under a directory, computed by
// tasks that spawn tasks, and beside it the digest and the time of a sequential
// walk. It fails if the two differ.
//
//	go run ./sched/hashtree                    # the sources of Go itself
//	go run ./sched/hashtree -workers 16 DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/filch-sched/filch/sched"
)

func main() {
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "how many files are hashed at once")
	flag.Parse()
	if flag.NArg() > 1 {
		fmt.Fprintf(os.Stderr, "hashtree: %q after the directory %q: it hashes one\n", flag.Arg(1), flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*workers, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "hashtree:", err)
		os.Exit(1)
	}
}

func run(workers int, dir string) error {
	if dir == "" {
		src, err := goSources()
		if err != nil {
			return err
		}
		dir = src
	}
	if _, err := Sequential(dir); err != nil { // once unmeasured, to fill the caches
		return err
	}
	began := time.Now()
	want, err := Sequential(dir)
	if err != nil {
		return err
	}
	sequential := time.Since(began)

	s, err := sched.New(sched.Workers(workers))
	if err != nil {
		return err
	}
	began = time.Now()
	got, err := Parallel(s, dir)
	if err != nil {
		return err
	}
	parallel := time.Since(began)
	if err := s.Close(); err != nil {
		return err
	}
	fmt.Printf("%s: %d directories, %d files, %d bytes\n", dir, got.Dirs, got.Files, got.Bytes)
	fmt.Printf("%x  sequential  %v\n", want.Sum, sequential.Round(time.Millisecond))
	fmt.Printf("%x  %d workers  %v, %.2f of the sequential time; %d tasks, %d stolen\n", got.Sum, workers,
		parallel.Round(time.Millisecond), float64(parallel)/float64(sequential), s.Stats().Ran, s.Stats().Stolen)
	if got != want {
		return fmt.Errorf("the digests or the counts differ: %+v and %+v", got, want)
	}
	return nil
}

// goSources is the source directory of the Go installation.
func goSources() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
}
