package fuzz

import (
	"errors"
	"fmt"
	"slices"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// shapeOf are the shapes of the targets of [One], by name.
func shapeOf(target string) (Shape, error) {
	if target == "scenario" {
		return Bytes, nil
	}
	sh := Quick
	for _, t := range targets {
		if t.String() == target {
			sh.Target = t
			return sh, nil
		}
	}
	return sh, fmt.Errorf("fuzz: %q is no target: there are scenario ring inject park idle sched tracker", target)
}

// One runs one input of a target, for fuzzing engines that know but one string of
// bytes: the last of data is the length of the schedule before it. The target is
// scenario, for all of them, or ring, inject, park, idle, sched or tracker. A program that
// fails is shrunk and saved in dir as the text of a scenario, unless dir is "". The
// error is nil, a *[Failure], or says that there is no such target.
func One(target string, data []byte, dir string) error {
	sh, err := shapeOf(target)
	if err != nil {
		return err
	}
	program, schedule := parts(data)
	p := sh.Decode(program)
	p.Schedule = schedule
	if dir == "" {
		return once(filch{}, p)
	}
	err = once(filch{}, p, loom.AsFound())
	var f *Failure
	if !errors.As(err, &f) {
		return err
	}
	if !f.Endless {
		f = f.Shrink(sh, shrinkLimit)
	}
	if _, bad := f.Save(dir, target); bad != nil {
		return fmt.Errorf("%w\nit is not saved: %v", f, bad)
	}
	return f
}

// parts takes data apart.
func parts(data []byte) (program, schedule []byte) {
	n := len(data)
	if n == 0 {
		return nil, nil
	}
	cut := max(0, n-1-int(data[n-1]))
	return data[:cut], data[cut : n-1]
}

// Seeds are inputs of a target of [One], by name: the scenarios of package model.
func Seeds(target string) (map[string][]byte, error) {
	sh, err := shapeOf(target)
	if err != nil {
		return nil, err
	}
	corpus, err := model.Corpus()
	if err != nil {
		return nil, err
	}
	seeds := map[string][]byte{}
	for _, s := range corpus {
		p, err := Of(s)
		if err != nil || sh.Target != 0 && s.Target != sh.Target {
			continue
		}
		if data, err := sh.Encode(p); err == nil {
			// Some stretches of a few steps each; zeros that Encode leaves out come back.
			seeds[s.Name] = slices.Concat(data, []byte{8, 12, 4, 3})
		}
	}
	return seeds, nil
}
