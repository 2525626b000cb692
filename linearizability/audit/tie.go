package main

import (
	"io"
	"os"
	"os/exec"
)

// tieVar says that standard input is a pipe to which nobody writes: it ends when the
// process that has started this one does, however that comes. Its value is the
// directory which that process would have removed.
const tieVar = "FILCH_AUDIT_TIED"

// startTied starts a child that ends with this process: it need not be asked to, and
// cannot if this one is killed. What it would go on with nobody would hear of.
func startTied(child *exec.Cmd, dir string) error {
	child.Env = append(child.Env, tieVar+"="+dir)
	if _, err := child.StdinPipe(); err != nil {
		return err
	}
	return child.Start()
}

// tied ends this process with the one that has started it, if that is what it is
// started for.
func tied() {
	dir := os.Getenv(tieVar)
	if dir == "" {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = os.RemoveAll(dir)
		os.Exit(exitInconclusive)
	}()
}
