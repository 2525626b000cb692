//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the head of a group of processes: go test starts others.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends cmd and all that it has started.
func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
