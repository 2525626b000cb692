package plant

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Overlay writes the mutated file into tmp, a directory of the caller's, and
// with it the file to give to -overlay of go build, test, run or vet, whose
// path it returns. root is the directory of the module. It is an error if an
// edit's old lines do not occur exactly once, or if the result is not Go.
func (m Mutant) Overlay(root, tmp string) (overlayJSON string, err error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.File)))
	if err != nil {
		return "", fmt.Errorf("plant: %s: %w", m.Name, err)
	}
	mutated, err := m.Apply(string(source))
	if err != nil {
		return "", err
	}
	return writeOverlay(root, tmp, m.Name, map[string]string{m.File: mutated})
}

// Apply returns source, the text of m.File, with the bug planted.
func (m Mutant) Apply(source string) (string, error) {
	text := "\n" + source // so that every line is behind a newline
	for i, e := range m.Edits {
		if n := countLines(text, e.Old); n != 1 {
			return "", fmt.Errorf("plant: %s: the old lines of edit %d occur %d times in %s, want once:\n%s",
				m.Name, i+1, n, m.File, e.Old)
		}
		text = strings.Replace(text, "\n"+e.Old, "\n"+e.New, 1)
	}
	return text[1:], nil
}

// countLines counts where old, whole lines, occurs in text, overlaps included.
func countLines(text, old string) (n int) {
	for {
		at := strings.Index(text, "\n"+old)
		if at < 0 {
			return n
		}
		n++
		text = text[at+1:]
	}
}

// writeOverlay lays each text over the file of that path in root; an empty text
// takes the file away. name tells the files in tmp apart.
func writeOverlay(root, tmp, name string, texts map[string]string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("plant: %s: %w", name, err)
	}
	if tmp, err = filepath.Abs(tmp); err != nil {
		return "", fmt.Errorf("plant: %s: %w", name, err)
	}
	replace := map[string]string{}
	for path, text := range texts {
		target := filepath.Join(root, filepath.FromSlash(path))
		if text == "" {
			replace[target] = ""
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), path, text, parser.AllErrors); err != nil {
			return "", fmt.Errorf("plant: %s: the result is not Go: %w", name, err)
		}
		copied := filepath.Join(tmp, name+"."+strings.ReplaceAll(path, "/", "."))
		if err := os.WriteFile(copied, []byte(text), 0o666); err != nil {
			return "", fmt.Errorf("plant: %s: %w", name, err)
		}
		replace[target] = copied
	}
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("plant: %s: %w", name, err)
	}
	path := filepath.Join(tmp, name+".overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		return "", fmt.Errorf("plant: %s: %w", name, err)
	}
	return path, nil
}
