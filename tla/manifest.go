// Package tla holds the TLA+ specifications of filch, the bounded models in
// which TLC checks them, and the list of what TLC must say of each: its
// manifest. README.md tells what is modelled and how to run it; the command
// ci/tla runs it.
//
// The Go part of this package reads the manifest. It needs neither Java nor
// TLC, and neither do its tests, which keep the specifications, the package
// documentation and the claims together.
package tla

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// Manifest lists the models. What TLC must find is given for each exactly: a
// count that has changed means that the specification or the model has.
type Manifest struct {
	Models []Model `json:"models"`
}

// Model is one run of TLC.
type Model struct {
	// Name is unique. Config, without its folder and .cfg, is Name as well.
	Name string `json:"name"`
	// Module is the root module, without .tla, in the folder of the manifest.
	Module string `json:"module"`
	// Config is the path of the .cfg, from the folder of the manifest, with
	// slashes. Its folder tells what the model is for: a model of the
	// specification; a mutant, which must fail; a witness, whose failure
	// shows that something can happen; a bond, whose graph is kept in golden/
	// for the code to be compared with; or a bond that is broken, which must
	// have another graph.
	Config string `json:"config"`
	// Set is the set that runs the model first: quick, or nightly.
	Set string `json:"set"`
	// Result is how TLC must end.
	Result Result `json:"result"`
	// Violates is what it must find violated: an invariant, a property, or
	// MODULE!DEFINITION for a part of a property that another module defines.
	// Empty if Result is Success.
	Violates string `json:"violates,omitempty"`
	// Bond is the bond that the graph is compared with: of a bond itself, of a
	// broken one the right one, empty of other models.
	Bond string `json:"bond,omitempty"`
	// Coverage is whether TLC counts how often each action is taken, which
	// doubles the time. The models that do take every action between them.
	Coverage bool `json:"coverage,omitempty"`
	// Generated and Distinct count states, Depth the states of the longest
	// shortest path, or of the path to the violation. Depth is 0 where TLC
	// gives none: of a violated liveness property.
	Generated int `json:"generated"`
	Distinct  int `json:"distinct"`
	Depth     int `json:"depth"`
	// Seconds is the processor time of the run that wrote the counts, for
	// planning; it is not judged.
	Seconds int `json:"seconds"`
}

// Result is a kind of end of a run of TLC.
type Result string

// The ends of a run that a manifest may ask for. A run can end in other ways, a
// parse error for one, and then it fails.
const (
	Success   Result = "success"
	Invariant Result = "invariant" // an invariant is violated
	Property  Result = "property"  // a temporal property, or one about steps, is violated
)

// The sets of models. Nightly runs all of them.
const (
	Quick   = "quick"
	Nightly = "nightly"
)

// ManifestName is the name of the manifest in its folder.
const ManifestName = "manifest.json"

// Load reads and checks the manifest of the folder dir.
func Load(dir string) (Manifest, error) {
	name := filepath.Join(dir, ManifestName)
	text, err := os.ReadFile(name)
	if err != nil {
		return Manifest{}, fmt.Errorf("tla: %w", err)
	}
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("tla: %s: %w", name, err)
	}
	if err := m.check(); err != nil {
		return Manifest{}, fmt.Errorf("tla: %s: %w", name, err)
	}
	return m, nil
}

// Save writes the manifest of the folder dir, a line for each model.
func (m Manifest) Save(dir string) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("tla: %w", err)
	}
	var b bytes.Buffer
	b.WriteString("{\n  \"models\": [\n")
	for i, model := range m.Models {
		line, err := json.Marshal(model)
		if err != nil {
			return fmt.Errorf("tla: model %s: %w", model.Name, err)
		}
		end := ",\n"
		if i == len(m.Models)-1 {
			end = "\n"
		}
		fmt.Fprintf(&b, "    %s%s", line, end)
	}
	b.WriteString("  ]\n}\n")
	if err := os.WriteFile(filepath.Join(dir, ManifestName), b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("tla: %w", err)
	}
	return nil
}

// In returns the models that the set runs.
func (m Manifest) In(set string) []Model {
	var in []Model
	for _, model := range m.Models {
		if set == Nightly || model.Set == set {
			in = append(in, model)
		}
	}
	return in
}

func (m Manifest) check() error {
	if len(m.Models) == 0 {
		return errors.New("there is no model")
	}
	names := map[string]bool{}
	for _, model := range m.Models {
		if names[model.Name] {
			return fmt.Errorf("model %s is there twice", model.Name)
		}
		names[model.Name] = true
		if err := model.check(); err != nil {
			return fmt.Errorf("model %q: %w", model.Name, err)
		}
	}
	return nil
}

var (
	nameShape   = regexp.MustCompile(`^[A-Z]\w*$`)
	configShape = regexp.MustCompile(`^(models|mutants|witnesses|bonds|broken)/(\w+)\.cfg$`)
)

func (m Model) check() error {
	config := configShape.FindStringSubmatch(m.Config)
	switch {
	case !nameShape.MatchString(m.Name), !nameShape.MatchString(m.Module):
		return fmt.Errorf("the name or the module %q is no TLA+ name", m.Module)
	case config == nil || config[2] != m.Name:
		return fmt.Errorf("config %q is not models/, mutants/, witnesses/, bonds/ or broken/ and the model's name .cfg", m.Config)
	case m.Set != Quick && m.Set != Nightly:
		return fmt.Errorf("set %q is neither quick nor nightly", m.Set)
	case !slices.Contains([]Result{Success, Invariant, Property}, m.Result):
		return fmt.Errorf("result %q is not success, invariant or property", m.Result)
	case (m.Result == Success) != slices.Contains([]string{"models", "bonds", "broken"}, config[1]):
		return fmt.Errorf("result %q of %s", m.Result, m.Config)
	case (m.Bond == m.Name) != (config[1] == "bonds"), (m.Bond == "") != (config[1] != "bonds" && config[1] != "broken"):
		return fmt.Errorf("%s with bond %q", m.Config, m.Bond)
	case (m.Result == Success) != (m.Violates == ""):
		return fmt.Errorf("result %q with violates %q", m.Result, m.Violates)
	case m.Coverage && m.Result != Success:
		return errors.New("coverage of a model that is to fail")
	case m.Generated < 0 || m.Distinct < 0 || m.Depth < 0 || m.Seconds < 0:
		return errors.New("a count is below 0")
	}
	return nil
}
