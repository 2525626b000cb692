package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	// A module that requires this command, as a tool, has what rewritten source
	// imports, also among its vendored packages.
	_ "github.com/filch-sched/filch/loom/cmd/loom/hook/atomic"
	_ "github.com/filch-sched/filch/loom/cmd/loom/hook/sync"
)

func main() {
	a, err := parse(os.Args[1:], os.Stderr)
	if err == nil {
		err = run(a, os.Stdout, os.Stderr)
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		os.Exit(exit.ExitCode())
	case errors.Is(err, errUsage):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
