package tla_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is what the tests read of a TLA+ module: no parser, but enough for
// modules that begin each definition in the first column.
type module struct {
	name    string
	text    string
	extends []string
	// arity has the number of parameters of each definition, and 0 for each
	// constant and variable.
	arity map[string]int
}

var (
	header     = regexp.MustCompile(`(?m)^-+ MODULE (\w+) -+$`)
	extends    = regexp.MustCompile(`(?m)^EXTENDS (.*)$`)
	definition = regexp.MustCompile(`(?m)^(\w+)(?:\(([^)]*)\))? ==`)
	declared   = regexp.MustCompile(`(?m)^(?:CONSTANTS?|VARIABLES?)([^=]*?)\n\n`)
	remark     = regexp.MustCompile(`\\\*.*|\(\*.*?\*\)`)
)

// load reads the module of that name.
func load(t *testing.T, name string) module {
	text := read(t, name+".tla")
	m := module{name: name, text: text, arity: map[string]int{}}
	require.Equal(t, name, header.FindStringSubmatch(text)[1])
	if e := extends.FindStringSubmatch(text); e != nil {
		m.extends = strings.Split(e[1], ", ")
	}
	for _, d := range definition.FindAllStringSubmatch(text, -1) {
		require.NotContains(t, m.arity, d[1], "module %s defines %s twice", name, d[1])
		m.arity[d[1]] = 0
		if d[2] != "" {
			m.arity[d[1]] = strings.Count(d[2], ",") + 1
		}
	}
	for _, d := range declared.FindAllStringSubmatch(text, -1) {
		for _, name := range regexp.MustCompile(`\w+`).FindAllString(remark.ReplaceAllString(d[1], ""), -1) {
			m.arity[name] = 0
		}
	}
	return m
}

// scope returns the arity of every name that a module of ours can use.
func scope(t *testing.T, name string) map[string]int {
	m := load(t, name)
	all := m.arity
	for _, e := range m.extends {
		if _, err := os.Stat(e + ".tla"); err != nil {
			continue // a standard module
		}
		for name, arity := range scope(t, e) {
			all[name] = arity
		}
	}
	return all
}

// config is what a .cfg says.
type config struct {
	spec       string
	values     map[string]string // constant = value
	overrides  map[string]string // definition or constant <- definition
	invariants []string
	properties []string
	view       string
	symmetry   string
}

var statement = regexp.MustCompile(`^(\w+) (=|<-) (.*)$`)

// loadConfig reads a .cfg and accepts nothing in it that it does not know.
func loadConfig(t *testing.T, name string) config {
	c := config{values: map[string]string{}, overrides: map[string]string{}}
	section := ""
	for _, line := range strings.Split(strings.TrimSpace(read(t, name)), "\n") {
		keyword, rest, _ := strings.Cut(line, " ")
		if keyword != "" {
			section = keyword
		}
		rest = strings.TrimSpace(rest)
		if rest == "" {
			continue
		}
		switch section {
		case "SPECIFICATION":
			c.spec = rest
		case "INVARIANT", "INVARIANTS":
			c.invariants = append(c.invariants, strings.Fields(rest)...)
		case "PROPERTY", "PROPERTIES":
			c.properties = append(c.properties, strings.Fields(rest)...)
		case "CHECK_DEADLOCK":
		case "VIEW":
			c.view = rest
		case "SYMMETRY":
			c.symmetry = rest
		case "CONSTANTS":
			s := statement.FindStringSubmatch(rest)
			require.NotNil(t, s, "%s: %q", name, line)
			if s[2] == "=" {
				c.values[s[1]] = s[3]
			} else {
				c.overrides[s[1]] = s[3]
			}
		default:
			require.Failf(t, "unknown", "%s: %q", name, line)
		}
	}
	return c
}

// read returns the text of a file, from the folder of this package.
func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.FromSlash(name))
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}
