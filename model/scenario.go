package model

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Scenario is one small concurrent program: what every layer runs, each in its
// own way. The package documentation gives its text form.
type Scenario struct {
	// Name is the file's name without .txt. It is not part of the text.
	Name string
	// Doc is the comment at the top, a line each, without "# ".
	Doc    []string
	Target Target
	// Capacity is that of every ring, and Start the index at which it begins,
	// counted from 0 or, if negative, from 2^32 down. Of Ring only.
	Capacity int
	Start    int32
	// Workers is how many there are, and Asleep how many of them, the first
	// ones, are parked when the run begins. Of Idle (and Workers of Sched) only.
	Workers, Asleep int
	// Tasks are the tasks that do more than run.
	Tasks []Law
	// Setup is what is done before the threads start, in order.
	Setup []Step
	// Threads run at the same time, in any interleaving.
	Threads []Thread
	// Claims are what the scenario guards.
	Claims []Claim
	// Nightly says that exploring it to the end takes too long for every day.
	Nightly bool
	// Traces is the pinned number of complete runs, 0 if not pinned.
	Traces int
}

// Law is what a task does when it runs: it publishes the tasks Spawns in the
// ring of its worker, then blocks its worker until task Waits is over (0: it
// does not).
type Law struct {
	Task   Task
	Spawns []Task
	Waits  Task
}

// Step is one operation of the setup, done on behalf of a thread.
type Step struct {
	Thread int
	Op
}

// Thread is one thread of a scenario: its operations, in order.
type Thread struct {
	Name string
	Ops  []Op
}

// Names returns the names of the threads by number: those of the scenario and
// then its workers, worker0, worker1, ...
func (s Scenario) Names() []string {
	names := make([]string, 0, len(s.Threads)+s.Workers)
	for _, t := range s.Threads {
		names = append(names, t.Name)
	}
	for w := range s.Workers {
		names = append(names, fmt.Sprintf("worker%d", w))
	}
	return names
}

// LawOf returns what task t does: nothing more than run, unless a line says so.
func (s Scenario) LawOf(t Task) Law {
	for _, l := range s.Tasks {
		if l.Task == t {
			return l
		}
	}
	return Law{Task: t}
}

// Validate reports what a file with this scenario would be refused for.
func (s Scenario) Validate() error {
	_, err := Parse(s.Name, Format(s))
	return err
}

// Load reads the scenario in a file. The error names the file.
func Load(file string) (Scenario, error) {
	f, err := os.Open(file)
	if err != nil {
		return Scenario{}, fmt.Errorf("model: %w", err)
	}
	defer f.Close()
	s, err := ParseReader(strings.TrimSuffix(filepath.Base(file), ".txt"), f)
	if at := (*SyntaxError)(nil); errors.As(err, &at) {
		at.File = file
	}
	return s, err
}

// ParseReader is [Parse] of what r has. Of a text that is longer than [MaxText] it reads
// little more than that.
func ParseReader(name string, r io.Reader) (Scenario, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxText+1))
	if err != nil {
		return Scenario{}, fmt.Errorf("model: scenario %s: %w", name, err)
	}
	return Parse(name, string(text))
}

//go:embed scenarios/*.txt
var corpus embed.FS

// Corpus returns the scenarios of this package, by name.
func Corpus() ([]Scenario, error) {
	files, err := fs.Glob(corpus, "scenarios/*.txt")
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	var out []Scenario
	for _, f := range files {
		text, err := corpus.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
		s, err := Parse(strings.TrimSuffix(path.Base(f), ".txt"), string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
