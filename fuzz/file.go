package fuzz

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/filch-sched/filch/model"
)

// Comments of a scenario that say more of a program.
const (
	orderNote    = "order:"
	scheduleNote = "schedule:"
)

// notes are the order and the schedule as comments.
func (p Program) notes() (lines []string) {
	if len(p.Order) > 0 {
		line, names := orderNote, p.Scenario.Names()
		for _, t := range p.Order {
			line += " " + names[t]
		}
		lines = append(lines, line)
	}
	if len(p.Schedule) > 0 {
		lines = append(lines, scheduleNote+" "+hex.EncodeToString(p.Schedule))
	}
	return lines
}

// Load reads a program from the file of a scenario. The comments "order:" and
// "schedule:" at its top, as [Program.String] writes them, give its order and its
// schedule; without the first its threads take turns. A scenario that none of filch's own
// packages can run, such as one of a deque, is an error with the file and the line.
func Load(file string) (Program, error) {
	p, s, err := load(file)
	if err != nil {
		return p, err
	}
	if !slices.Contains(targets, s.Target) {
		return Program{}, noTarget(file, s)
	}
	return p, nil
}

// load is Load, with the scenario as the file has it.
func load(file string) (Program, model.Scenario, error) {
	s, err := model.Load(file)
	if err != nil {
		return Program{}, s, err
	}
	p, err := Of(s)
	if err != nil {
		return p, s, err
	}
	for _, line := range s.Doc {
		if names, ok := strings.CutPrefix(line, orderNote); ok {
			if p.Order, err = orderOf(p.Scenario, s.Names(), strings.Fields(names)); err != nil {
				return Program{}, s, fmt.Errorf("fuzz: %s: %w", file, err)
			}
		}
		if word, ok := strings.CutPrefix(line, scheduleNote); ok {
			if p.Schedule, err = hex.DecodeString(strings.TrimSpace(word)); err != nil {
				return Program{}, s, fmt.Errorf("fuzz: %s: schedule %q is not of hexadecimal digits", file, word)
			}
		}
	}
	return p, s, nil
}

// orderOf reads an order: threads by their names.
func orderOf(s model.Scenario, names, words []string) ([]int, error) {
	at := newRun(s)
	var order []int
	for _, word := range words {
		t := slices.Index(names, word)
		if t < 0 || !slices.Contains(at.able(), t) {
			return nil, fmt.Errorf("order: it cannot be the turn of %q after %d operations", word, len(order))
		}
		at.step(t)
		order = append(order, t)
	}
	return order, nil
}

// Save writes the program of a failure as a scenario file in dir, which is made if
// need be, and returns its name. The file is called after name and the first claim
// that is violated; one that is there already is kept if it is not longer.
func (f *Failure) Save(dir, name string) (file string, err error) {
	claims := f.Claims()
	file = filepath.Join(dir, name+"-"+strings.ToLower(claims[0])+".txt")
	p := f.Program
	how := f.How
	if f.timely() {
		how = chanceNote
	}
	p.Scenario.Doc = []string{fmt.Sprintf(foundLine, name, strings.Join(claims, or), how)}
	if key := f.told().Key(); key != "" {
		p.Scenario.Doc = append(p.Scenario.Doc, "Here "+key+".")
	}
	text := p.String()
	old, err := os.ReadFile(file)
	if err == nil && len(old) <= len(text) {
		return file, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("fuzz: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("fuzz: %w", err)
	}
	if err := replace(file, text); err != nil {
		return "", fmt.Errorf("fuzz: %w", err)
	}
	return file, nil
}

// replace gives the file this text at once. The processes of one go test -fuzz save
// to the same file, and two that write into it leave a mixture of their texts.
func replace(file, text string) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.WriteString(text)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
