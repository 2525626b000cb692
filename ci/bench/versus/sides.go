package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// side explores programs, each time in a new process.
type side struct {
	name    string
	version string
	command func(p program, limit time.Duration) *exec.Cmd
}

type bench struct{ rust, filch side }

// newBench builds the Rust side.
func newBench() (bench, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		return bench{}, errors.New("cargo is missing; it comes with a Rust toolchain of 1.80 or later")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return bench{}, err
	}
	target := filepath.Join(cache, "filch", "loom-rs")
	manifest := filepath.Join("loom-rs", "Cargo.toml")
	cargo := exec.Command("cargo", "build", "--quiet", "--release", "--locked", "--manifest-path", manifest, "--target-dir", target)
	cargo.Env = append(os.Environ(), "RUSTFLAGS=--cfg loom")
	cargo.Stderr = os.Stderr
	if err := cargo.Run(); err != nil {
		return bench{}, fmt.Errorf("%v: %w", cargo, err)
	}
	self, err := os.Executable()
	if err != nil {
		return bench{}, err
	}
	rust, err := rustVersion(filepath.Join("loom-rs", "Cargo.lock"))
	if err != nil {
		return bench{}, err
	}
	binary := filepath.Join(target, "release", "loom-rs")
	return bench{
		rust: side{"loom", rust, func(p program, limit time.Duration) *exec.Cmd {
			return exec.Command(binary, p.code, strconv.FormatFloat(limit.Seconds(), 'f', -1, 64))
		}},
		filch: side{"filch", runtime.Version(), func(p program, limit time.Duration) *exec.Cmd {
			c := exec.Command(self, "-child", p.name, "-slice", limit.String())
			c.Env = append(os.Environ(), "GOMAXPROCS=1") // Rust's loom has one thread, too
			return c
		}},
	}, nil
}

// rustVersion returns the versions of the compiler and of loom.
func rustVersion(lock string) (string, error) {
	rustc, err := exec.Command("rustc", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("rustc --version: %w", err)
	}
	text, err := os.ReadFile(lock)
	if err != nil {
		return "", err
	}
	_, after, _ := strings.Cut(string(text), "name = \"loom\"\nversion = \"")
	loom, _, ok := strings.Cut(after, "\"")
	if !ok {
		return "", fmt.Errorf("%s does not name a version of loom", lock)
	}
	return fmt.Sprintf("%s with %s", loom, strings.Join(strings.Fields(string(rustc))[:2], " ")), nil
}

// explore has s explore p for about limit.
func (s side) explore(p program, limit time.Duration) searches {
	c := s.command(p, limit)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return searches{Failure: fmt.Sprintf("%v: %v", c, err)}
	}
	var all searches
	if err := json.Unmarshal(out, &all); err != nil {
		return searches{Failure: fmt.Sprintf("%v printed no searches: %v", c, err)}
	}
	return all
}

// row is what was seen of one program, by round.
type row struct {
	program
	rust, filch []searches
	last        *searches // by Rust's loom, of which it was asked to finish
}

// measure explores all programs in rounds.
func (b bench) measure(list []program, rounds int, slice, finish time.Duration) []row {
	rows := make([]row, len(list))
	for i, p := range list {
		rows[i].program = p
	}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, rounds)
		for i := range rows {
			r := &rows[i]
			if round%2 == 0 {
				r.rust = append(r.rust, b.rust.explore(r.program, slice))
			}
			r.filch = append(r.filch, b.filch.explore(r.program, slice))
			if round%2 == 1 {
				r.rust = append(r.rust, b.rust.explore(r.program, slice))
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		if s := best(r.rust); r.mustFinish && !s.Finished && s.Failure == "" {
			fmt.Fprintf(os.Stderr, "%s until its end, or %v\n", r.name, finish)
			last := b.rust.explore(r.program, finish)
			r.last = &last
		}
	}
	return rows
}
