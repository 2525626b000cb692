package plant

import (
	"fmt"
	"slices"
	"strings"
)

const (
	oldMark = "-- old --"
	newMark = "-- new --"
)

// Parse reads the text of the mutant called name. Errors start with line and
// column, both from 1.
func Parse(name, text string) (Mutant, error) {
	if !isName(name) {
		return Mutant{}, fmt.Errorf("1:1: %q is not a mutant's name (a-z, 0-9 and single hyphens)", name)
	}
	p := &scanner{m: Mutant{Name: name}}
	if at := strings.IndexByte(text, '\r'); at >= 0 {
		line := strings.Count(text[:at], "\n") + 1
		return Mutant{}, errorAt(line, at-strings.LastIndexByte(text[:at], '\n'), "carriage return; lines end in \\n alone")
	}
	if !strings.HasSuffix(text, "\n") {
		line := strings.Count(text, "\n") + 1
		return Mutant{}, errorAt(line, len(text)-strings.LastIndexByte(text, '\n'), "no newline at the end")
	}
	p.lines = strings.SplitAfter(text, "\n")
	p.lines = p.lines[:len(p.lines)-1]
	for _, step := range []func() error{p.doc, p.keys, p.edits} {
		if err := step(); err != nil {
			return Mutant{}, err
		}
	}
	return p.m, nil
}

type scanner struct {
	m     Mutant
	lines []string // each with its newline
	at    int      // index of the next line
}

func errorAt(line, column int, format string, args ...any) error {
	return fmt.Errorf("%d:%d: %s", line, column, fmt.Sprintf(format, args...))
}

// fail is an error at the next line.
func (p *scanner) fail(column int, format string, args ...any) error {
	return errorAt(p.at+1, column, format, args...)
}

// peek returns the next line without its newline.
func (p *scanner) peek() (line string, ok bool) {
	if p.at == len(p.lines) {
		return "", false
	}
	return strings.TrimSuffix(p.lines[p.at], "\n"), true
}

// doc reads the prose.
func (p *scanner) doc() error {
	var words []string
	for ; ; p.at++ {
		line, ok := p.peek()
		if !ok || !strings.HasPrefix(line, "#") {
			break
		}
		prose, ok := strings.CutPrefix(line, "# ")
		if !ok || strings.TrimSpace(prose) != prose || prose == "" {
			return p.fail(2, "want prose after %q, one space before and none behind", "#")
		}
		words = append(words, prose)
	}
	if len(words) == 0 {
		return p.fail(1, "want a line \"# ...\" that says what is wrong")
	}
	p.m.Doc = strings.Join(words, " ")
	return nil
}

// keys reads the lines "key: value" up to the first mark.
func (p *scanner) keys() error {
	seen := map[string]bool{}
	for ; ; p.at++ {
		line, ok := p.peek()
		if !ok || strings.HasPrefix(line, "--") {
			break
		}
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return p.fail(1, "want \"key: value\" or %q, not %q", oldMark, line)
		}
		column := len(key) + 3
		if value == "" || strings.Join(strings.Fields(value), " ") != value {
			return p.fail(column, "want words with single spaces between them, not %q", value)
		}
		if key != "kill" && seen[key] {
			return p.fail(1, "a second %q", key)
		}
		seen[key] = true
		if err := p.key(key, value, column); err != nil {
			return err
		}
	}
	for _, key := range []string{"file", "claim", "kill"} {
		if !seen[key] {
			return p.fail(1, "no %q before the edits", key)
		}
	}
	return nil
}

func (p *scanner) key(key, value string, column int) error {
	switch key {
	case "file":
		if !isSource(value) {
			return p.fail(column, "%q is not a source file of %s", value, strings.Join(Production, ", "))
		}
		p.m.File = value
	case "claim":
		p.m.Claims = strings.Fields(value)
		for i, claim := range p.m.Claims {
			if !isClaim(claim) || slices.Contains(p.m.Claims[:i], claim) {
				return p.fail(column+wordAt(value, i), "%q is not the name of a claim, or is there twice", claim)
			}
		}
	case "from":
		p.m.From = value
	case "kill":
		return p.kill(value, column)
	default:
		return p.fail(1, "unknown key %q; there are file, claim, from, kill", key)
	}
	return nil
}

func (p *scanner) kill(value string, column int) error {
	words := strings.Fields(value)
	k := Kill{Layer: words[0], Scenarios: words[1:]}
	if !slices.Contains(Layers, k.Layer) {
		return p.fail(column, "unknown layer %q; there are %s", k.Layer, strings.Join(Layers, ", "))
	}
	if slices.ContainsFunc(p.m.Kills, func(other Kill) bool { return other.Layer == k.Layer }) {
		return p.fail(column, "a second kill by layer %q", k.Layer)
	}
	if k.Layer == "graph" {
		k.Scenarios, k.Claims = nil, words[1:]
		if len(k.Claims) == 0 {
			return p.fail(column+len("graph"), "want which claims must be seen violated")
		}
	}
	for i, claim := range k.Claims {
		if !slices.Contains(p.m.Claims, strings.TrimSuffix(claim, Endless)) || slices.Contains(k.Claims[:i], claim) {
			return p.fail(column+wordAt(value, i+1), "%q is none of the claims above, or is there twice", claim)
		}
	}
	for i, scenario := range k.Scenarios {
		if !isName(scenario) || slices.Contains(k.Scenarios[:i], scenario) {
			return p.fail(column+wordAt(value, i+1), "%q is not the name of a scenario, or is there twice", scenario)
		}
	}
	p.m.Kills = append(p.m.Kills, k)
	return nil
}

// wordAt returns where word i starts in s, whose words have single spaces
// between them.
func wordAt(s string, i int) int {
	at := 0
	for ; i > 0; i-- {
		at += strings.IndexByte(s[at:], ' ') + 1
	}
	return at
}

// isClaim reports whether s has the form of a claim's name. Whether there is
// such a claim is for the reader of Claims to decide.
func isClaim(s string) bool {
	if s == "" || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	for _, c := range s {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// edits reads the pairs of old and new, to the end.
func (p *scanner) edits() error {
	for {
		if err := p.mark(oldMark); err != nil {
			return err
		}
		start := p.at
		old := p.block()
		if strings.TrimSpace(old) == "" {
			return errorAt(start+1, 1, "nothing after %q: say which lines are replaced", oldMark)
		}
		if err := p.mark(newMark); err != nil {
			return err
		}
		start = p.at
		edit := Edit{Old: old, New: p.block()}
		if edit.Old == edit.New {
			return errorAt(start+1, 1, "the new lines are the old lines")
		}
		p.m.Edits = append(p.m.Edits, edit)
		if p.at == len(p.lines) {
			return nil
		}
	}
}

func (p *scanner) mark(want string) error {
	line, ok := p.peek()
	if !ok {
		return p.fail(1, "want %q, not the end of the file", want)
	}
	if line != want {
		return p.fail(1, "want %q, not %q", want, line)
	}
	p.at++
	return nil
}

// block reads up to the next mark or the end. No line of Go starts with "--",
// since an expression statement cannot, so a mark is never part of a block.
func (p *scanner) block() string {
	start := p.at
	for p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], "-- ") {
		p.at++
	}
	return strings.Join(p.lines[start:p.at], "")
}
