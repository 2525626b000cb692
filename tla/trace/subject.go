package trace

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Subject is what runs are recorded of: a program of command drive, and the module that
// explains its runs.
type Subject struct {
	Name  string   // of the program
	Spec  string   // the module, which reads the runs from module Spec + "Data"
	Names []string // of steps

	// equal says that runs in one module must have equal numbers of workers.
	equal       bool
	files       []string // whose operations a record has places of, as patterns
	translate   func([]Event, Source) (Trace, error)
	definitions func(runs []Trace) string
	corruptions []corruption
}

// Sched is the scheduler, of module SchedTrace.
var Sched = &Subject{
	Name: "sched", Spec: "SchedTrace", Names: schedNames, equal: true,
	files:     []string{"sched/*.go", "idle/*.go", "park/*.go", "queue/*.go"},
	translate: translateSched, definitions: schedDefinitions, corruptions: schedCorruptions,
}

// Rings are rings without a scheduler, each with an owner who also steals from the
// others, of module RingTrace.
var Rings = &Subject{
	Name: "rings", Spec: "RingTrace", Names: ringNames,
	files:     []string{"queue/*.go", "tla/trace/drive/calls.go"},
	translate: translateRings, definitions: ringDefinitions, corruptions: ringCorruptions,
}

// Parker is a parker without a scheduler, of module ParkTrace.
var Parker = &Subject{
	Name: "parker", Spec: "ParkTrace", Names: parkerNames,
	files:     []string{"park/*.go"},
	translate: translateParker, definitions: parkerDefinitions, corruptions: parkerCorruptions,
}

// Subjects are all of them.
func Subjects() []*Subject { return []*Subject{Sched, Rings, Parker} }

// Find returns the subject of that name.
func Find(name string) (*Subject, error) {
	var names []string
	for _, s := range Subjects() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("trace: %q is not one of %s", name, strings.Join(names, ", "))
}

// Of returns the subject of a record: what only its program has operations of tells. A
// scheduler has parkers, too.
func Of(record []Event) (of *Subject, err error) {
	for _, e := range record {
		file, _, _ := strings.Cut(e.Place, ":")
		switch file {
		case "calls.go":
			return Rings, nil
		case "scheduler.go", "worker.go", "idle.go":
			return Sched, nil
		case "park.go":
			of = Parker
		}
	}
	if of == nil {
		return nil, errors.New("trace: the record has no operation of a scheduler or a parker, nor a call of a ring's method")
	}
	return of, nil
}

// Translate returns the run that a record is of, by a program that the subject has. It
// knows every operation of the subject's files: one that it does not know is an error,
// and so is a record that contradicts itself. An error names the line.
func (s *Subject) Translate(record []Event, source Source) (Trace, error) {
	t, err := s.translate(record, source)
	if err != nil {
		return Trace{}, err
	}
	t.Of = s
	t.Steps = append(t.Steps, Step{Line: record[len(record)-1].Line + 1, Name: End, Thread: "-"})
	return t, nil
}

// each calls pass with every operation of the subject's files, and the name of the
// function that it is in before its own. An error of it gets the line.
func each(record []Event, s Source, pass func(Event, string) error) error {
	for _, e := range record {
		where, err := s.Function(e.Place)
		if err == nil && where != "" && !slices.Contains(ofThreads, e.Op) {
			err = pass(e, where+" "+e.Op)
		}
		if err != nil {
			return fmt.Errorf("trace: line %d: %w", e.Line, err)
		}
	}
	return nil
}

// ofThreads are operations on no object.
var ofThreads = []string{"go", "start", "end", "Join"}

// unknown is the error for an operation that is not in the tables.
func unknown(e Event, what string) error {
	return fmt.Errorf("%s, at %s, is an operation that the trace specification does not know", what, path.Base(e.Place))
}
