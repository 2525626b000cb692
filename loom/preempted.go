//go:build loom

package loom

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/filch-sched/filch/loom/internal/explore"
)

// preemptions takes the bound from the environment, if the options have none.
func (c *config) preemptions() error {
	text := os.Getenv("LOOM_PREEMPTIONS")
	if text == "" || c.bounded {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("loom: LOOM_PREEMPTIONS=%s is not a number from 0 on", text)
	}
	c.bounded, c.bound = true, n
	return nil
}

// unsaved refuses to save a bounded search, which needs all that it remembers.
func (c *config) unsaved(opts *explore.Options) error {
	switch {
	case !c.bounded:
	case c.checkpoint != "":
		return errors.New("loom: a checkpoint of a search with bounded preemptions: it cannot be saved")
	default:
		opts.Checkpoint = "" // from the environment, for those that can
	}
	return nil
}
