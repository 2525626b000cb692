package plant

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Patch is a bug given as a unified diff of production code, over any number of
// files.
type Patch struct {
	Name  string
	files []filePatch
}

type filePatch struct {
	path    string
	created bool // there was no such file
	deleted bool // there will be none
	hunks   []hunk
}

// hunk is one run of lines; each starts with ' ', '-' or '+' and ends in "\n",
// but for the last one of a file without a newline at its end.
type hunk struct {
	line     int // in the diff, for errors
	oldStart int // in the source, from 1
	lines    []string
}

// noFile stands in a diff for the file that is not there.
const noFile = "/dev/null"

// NewFromDiff reads a unified diff, as diff -u or git diff print it, with or
// without the prefixes a/ and b/. Errors start with line and column of the
// diff. A diff without a hunk, of anything but source files of the production
// packages, or that renames or copies, is an error.
func NewFromDiff(name, diff string) (Patch, error) {
	p := Patch{Name: name}
	if !strings.HasSuffix(diff, "\n") {
		diff += "\n"
	}
	d := &diffParser{lines: strings.SplitAfter(diff, "\n")}
	for d.at < len(d.lines) {
		line := d.lines[d.at]
		switch {
		case strings.HasPrefix(line, "--- "):
			start := d.at + 1
			f, err := d.file()
			if err != nil {
				return Patch{}, err
			}
			if slices.ContainsFunc(p.files, func(other filePatch) bool { return other.path == f.path }) {
				return Patch{}, errorAt(start, 1, "%s is in the diff twice", f.path)
			}
			p.files = append(p.files, f)
		case strings.HasPrefix(line, "rename "), strings.HasPrefix(line, "copy "), strings.HasPrefix(line, "GIT binary"):
			return Patch{}, d.fail("a diff that renames, copies or is binary cannot be laid over")
		case strings.HasPrefix(line, "@@"):
			return Patch{}, d.fail("a hunk before any \"--- \" line")
		default:
			d.at++ // prose, and git's extended headers
		}
	}
	if len(p.files) == 0 {
		return Patch{}, fmt.Errorf("1:1: no unified diff: no line starts with \"--- \"")
	}
	return p, nil
}

// Files returns the paths that the patch changes, from the module's root.
func (p Patch) Files() []string {
	var paths []string
	for _, f := range p.files {
		paths = append(paths, f.path)
	}
	return paths
}

// Overlay does for a patch what [Mutant.Overlay] does for a mutant. A hunk must
// match where it says, or else at exactly one other place.
func (p Patch) Overlay(root, tmp string) (overlayJSON string, err error) {
	texts := map[string]string{}
	for _, f := range p.files {
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.path)))
		if f.created && err == nil {
			return "", fmt.Errorf("plant: %s: the diff creates %s, which exists", p.Name, f.path)
		}
		if err != nil && !f.created {
			return "", fmt.Errorf("plant: %s: %w", p.Name, err)
		}
		text, err := f.apply(string(source))
		if err != nil {
			return "", fmt.Errorf("plant: %s: %w", p.Name, err)
		}
		if (text == "") != f.deleted {
			return "", fmt.Errorf("plant: %s: the diff does not say what is left of %s", p.Name, f.path)
		}
		texts[f.path] = text
	}
	return writeOverlay(root, tmp, p.Name, texts)
}

// apply returns source with the hunks applied.
func (f filePatch) apply(source string) (string, error) {
	lines := strings.SplitAfter(source, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	shift := 0 // by how much earlier hunks moved the lines of source
	for _, h := range f.hunks {
		var before, after []string
		for _, line := range h.lines {
			if line[0] != '+' {
				before = append(before, line[1:])
			}
			if line[0] != '-' {
				after = append(after, line[1:])
			}
		}
		start := h.oldStart - 1
		if len(before) == 0 {
			start++ // pure insertion: the head names the line before it
		}
		at, err := find(lines, before, start+shift)
		if err != nil {
			return "", fmt.Errorf("%d:1: this hunk %w of %s", h.line, err, f.path)
		}
		shift = at - start + len(after) - len(before)
		lines = slices.Replace(lines, at, at+len(before), after...)
	}
	return strings.Join(lines, ""), nil
}

// find returns where want is in lines: at guess, or at the only other place.
func find(lines, want []string, guess int) (int, error) {
	matches := func(at int) bool {
		return at >= 0 && at+len(want) <= len(lines) && slices.Equal(lines[at:at+len(want)], want)
	}
	if matches(guess) { // as an empty want does at every line that there is
		return guess, nil
	}
	found := -1
	for at := range lines {
		if !matches(at) {
			continue
		}
		if found >= 0 {
			return 0, errors.New("fits several places")
		}
		found = at
	}
	if found < 0 {
		return 0, errors.New("fits no place")
	}
	return found, nil
}

type diffParser struct {
	lines []string
	at    int
}

// fail is an error at the start of the current line.
func (d *diffParser) fail(format string, args ...any) error {
	return errorAt(d.at+1, 1, format, args...)
}

// file reads the two header lines of a file and its hunks.
func (d *diffParser) file() (filePatch, error) {
	old := headerPath(d.lines[d.at], "--- ", "a/")
	d.at++
	if d.at == len(d.lines) || !strings.HasPrefix(d.lines[d.at], "+++ ") {
		return filePatch{}, d.fail("want a line that starts with \"+++ \"")
	}
	path := headerPath(d.lines[d.at], "+++ ", "b/")
	f := filePatch{path: path, created: old == noFile, deleted: path == noFile}
	switch {
	case f.deleted:
		f.path = old
	case !f.created && old != path:
		return f, d.fail("a diff from %s to %s: renames cannot be laid over", old, path)
	}
	if !isSource(f.path) {
		return f, d.fail("%q is not a source file of %s", f.path, strings.Join(Production, ", "))
	}
	d.at++
	for d.at < len(d.lines) && strings.HasPrefix(d.lines[d.at], "@@") {
		h, err := d.hunk()
		if err != nil {
			return f, err
		}
		f.hunks = append(f.hunks, h)
	}
	if len(f.hunks) == 0 {
		return f, d.fail("no hunk for %s", f.path)
	}
	return f, nil
}

// headerPath returns the path of a header line, without prefix and time.
func headerPath(line, mark, prefix string) string {
	path, _, _ := strings.Cut(strings.TrimRight(strings.TrimPrefix(line, mark), "\r\n"), "\t")
	return strings.TrimPrefix(path, prefix)
}

// hunk reads "@@ -l,n +l,n @@" and as many lines as that announces.
func (d *diffParser) hunk() (hunk, error) {
	h := hunk{line: d.at + 1}
	fields := strings.Fields(d.lines[d.at])
	if len(fields) < 4 || fields[0] != "@@" || fields[3] != "@@" {
		return h, d.fail("want \"@@ -line,count +line,count @@\"")
	}
	start, old, err1 := span(fields[1], "-")
	_, added, err2 := span(fields[2], "+")
	if err1 != nil || err2 != nil {
		return h, d.fail("want \"@@ -line,count +line,count @@\", not %q", strings.TrimSpace(d.lines[d.at]))
	}
	h.oldStart = start
	d.at++
	for old > 0 || added > 0 {
		line := d.lines[d.at] // the last one is empty and ends every hunk
		if line == "\n" {
			line = " \n" // an editor took the trailing blank off an empty line
		}
		switch line[:min(len(line), 1)] {
		case " ":
			old, added = old-1, added-1
		case "-":
			old--
		case "+":
			added--
		default:
			return h, d.fail("the hunk ends early: %d old and %d new lines are missing", old, added)
		}
		if old < 0 || added < 0 {
			return h, d.fail("one line more than the head of the hunk announces")
		}
		h.lines = append(h.lines, line)
		d.at++
		if d.at < len(d.lines) && strings.HasPrefix(d.lines[d.at], `\`) { // \ No newline at end of file
			h.lines[len(h.lines)-1] = strings.TrimSuffix(line, "\n")
			d.at++
		}
	}
	return h, nil
}

// span reads "-l,n" or "-l", which is one line.
func span(s, sign string) (start, count int, err error) {
	s, ok := strings.CutPrefix(s, sign)
	if !ok {
		return 0, 0, strconv.ErrSyntax
	}
	from, n, ok := strings.Cut(s, ",")
	if !ok {
		n = "1"
	}
	a, err1 := strconv.ParseUint(from, 10, 31)
	b, err2 := strconv.ParseUint(n, 10, 31)
	if err1 != nil || err2 != nil {
		return 0, 0, strconv.ErrSyntax
	}
	return int(a), int(b), nil
}
