//go:build loom

package loom

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/page"
	"github.com/filch-sched/filch/loom/internal/root"
)

// draw writes the page of a violation, if one is asked for, and notes where it
// is.
func (c *config) draw(v *Violation, e explore.Execution) {
	file := c.page
	if file == "" {
		if file = os.Getenv("LOOM_PAGE"); file == "" {
			return
		}
		file = root.File(file)
	}
	name := c.test
	if c.callers != nil {
		name = c.callers.test()
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	head := page.Head{Test: name, Claim: v.Claim, Message: v.Message, Command: v.Command, Token: v.Token}
	var text bytes.Buffer
	err := page.Write(&text, head, e)
	if err == nil {
		file, err = pageFile(file, name)
	}
	if err == nil {
		err = os.WriteFile(file, text.Bytes(), 0o644)
	}
	if err != nil {
		v.notDrawn = err.Error()
		return
	}
	v.Page = file
}

// pages are the files that this process has written.
var pages struct {
	sync.Mutex
	written map[string]bool
}

// pageFile returns the name of a file for the page of a test: file itself, or one
// in it if it is a directory, and one that this process has not written.
func pageFile(file, test string) (string, error) {
	directory := strings.HasSuffix(file, "/") || strings.HasSuffix(file, string(filepath.Separator))
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		directory = true
	}
	if directory {
		file = filepath.Join(file, fileName(test)+".html")
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	pages.Lock()
	defer pages.Unlock()
	if pages.written == nil {
		pages.written = map[string]bool{}
	}
	ext := filepath.Ext(file)
	base := strings.TrimSuffix(file, ext)
	for n := 2; pages.written[file]; n++ {
		file = fmt.Sprintf("%s-%d%s", base, n, ext)
	}
	pages.written[file] = true
	return file, nil
}

// fileName makes the name of a test one that every file system takes.
func fileName(test string) string {
	if test == "" {
		return "violation"
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && !strings.ContainsRune("._-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return '-'
		}
		return r
	}, test)
}
