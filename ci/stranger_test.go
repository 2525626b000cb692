//go:build !loom && !race

package ci_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// strangers is the module that imports loom as a user of it does.
const strangers = "stranger"

// fails runs a program in dir that must end with a status other than 0, and
// returns what it printed.
func fails(t *testing.T, dir string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s %s passed:\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

// TestStrangerBuilds: in both builds, and the ordinary one needs nothing of loom
// that it would not need of sync.
func TestStrangerBuilds(t *testing.T) {
	command(t, strangers, nil, "go", "vet", "./...")
	command(t, strangers, nil, "go", "vet", "-tags", "loom", "./...")
	out := command(t, strangers, nil, "go", "test", "-count=1", "-v", "./...")
	require.Contains(t, out, "nothing explored")
	deps := command(t, strangers, nil, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
	require.ElementsMatch(t, strings.Fields(deps),
		[]string{"example.com/stranger", module + "/loom/atomic", module + "/loom/cell"})
}

// TestStrangerFindsItsBug: the ABA bug of the untagged stack is found, and the
// replay command finds the same; the tagged stack is right in every execution.
func TestStrangerFindsItsBug(t *testing.T) {
	out := fails(t, strangers, "go", "test", "-count=1", "-tags", "loom", "-v", "./...")
	require.Contains(t, out, "--- FAIL: TestUntagged")
	require.Contains(t, out, "--- PASS: TestTagged")
	require.Regexp(t, `loom: exhausted: \d+ traces`, out)

	claim := regexp.MustCompile(`loom: (\w+) violated: .*`)
	found := claim.FindString(out)
	require.NotEmpty(t, found)
	require.Regexp(t, `untagged\.go:\d+ .* CompareAndSwap 1 -> 2`, out, "the stale compare-and-swap")

	_, replay, _ := strings.Cut(out, "replay: ")
	replay, _, _ = strings.Cut(replay, "\n")
	require.Contains(t, replay, "LOOM_REPLAY=")
	again := fails(t, strangers, shell(t, "sh"), "-c", replay)
	require.Equal(t, found, claim.FindString(again))
}

// TestStrangerIsASmallModule: it requires filch and nothing else.
func TestStrangerIsASmallModule(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(strangers, "go.mod"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), "require"))
	require.NoFileExists(t, filepath.Join(strangers, "go.sum"))
}

// TestDocumentationOfLoomIsTrue: the test with which the documentation begins, put
// into an empty module, reports what the documentation says that it does.
func TestDocumentationOfLoomIsTrue(t *testing.T) {
	blocks := regexp.MustCompile(`(?m)(^//\t.*\n|^//\n)+`).FindAllString(strings.Split(read(t, "loom/doc.go"), "// # What")[0], -1)
	var code []string
	for _, b := range blocks {
		if b = strings.Trim(strings.ReplaceAll(strings.ReplaceAll(b, "//\t", ""), "//\n", "\n"), "\n"); b != "" {
			code = append(code, b)
		}
	}
	require.Len(t, code, 2, "the test and its report")
	filch, err := filepath.Abs(root)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "add"), 0o777))
	for name, text := range map[string]string{
		"go.mod": "module example.com/empty\n\ngo 1.26\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + filepath.ToSlash(filch) + "\n",
		"add/add_test.go": "package add\n\nimport (\n\t\"testing\"\n\n\t\"" + module + "/loom\"\n\t\"" + module + "/loom/atomic\"\n)\n\n" +
			code[0] + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	out := fails(t, dir, "go", "test", "-count=1", "-tags", "loom", "./...")
	var lines []string
	for line := range strings.Lines(out) {
		lines = append(lines, strings.TrimRight(strings.TrimPrefix(line, "        "), " \n"))
	}
	got := strings.Join(lines, "\n")
	_, got, found := strings.Cut(got, "loom: NoLostUpdate")
	require.True(t, found, "%s", out)
	got, _, _ = strings.Cut("loom: NoLostUpdate"+got, "\n(")
	require.Equal(t, code[1], strings.TrimSpace(got))
}

// TestDocumentationHasAllSettings: every option and every variable of package loom
// is in the table of its documentation.
func TestDocumentationHasAllSettings(t *testing.T) {
	_, table, found := strings.Cut(read(t, "loom/doc.go"), "// # Settings\n")
	require.True(t, found)
	option := regexp.MustCompile(`(?m)^func ([A-Z]\w*)\([^)]*\) Option \{`)
	variable := regexp.MustCompile(`"(LOOM_[A-Z]+)"`)
	seen := 0
	for _, s := range sources(t) {
		if s.dir != "loom" || s.test {
			continue
		}
		text := read(t, s.path)
		for _, m := range option.FindAllStringSubmatch(text, -1) {
			seen++
			require.Regexp(t, `(?m)^//\t`+m[1]+`\(`, table, "the option %s of %s is not in the table of loom/doc.go", m[1], s.path)
		}
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			seen++
			require.Contains(t, table, m[1], "the variable %s of %s is not in the table of loom/doc.go", m[1], s.path)
		}
	}
	require.Greater(t, seen, 15)
}
