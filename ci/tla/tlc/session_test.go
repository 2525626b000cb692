package tlc_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary stand in for Java: called with the arguments of
// TLC, it prints what TLC printed for the .cfg of that name.
func TestMain(m *testing.M) {
	if data := os.Getenv("FILCH_FAKE_TLC"); data != "" {
		os.Exit(fakeTLC(data, os.Args))
	}
	os.Exit(m.Run())
}

func fakeTLC(data string, args []string) int {
	for _, want := range []string{"-tool", "tlc2.TLC", "fake.jar", "Count.tla"} {
		if !slices.Contains(args, want) {
			fmt.Println("no argument", want)
			return 1
		}
	}
	const archive = "-XX:ArchiveClassesAtExit="
	if i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, archive) }); i >= 0 && os.Getenv("FILCH_FAKE_ARCHIVE") != "" {
		if err := os.WriteFile(strings.TrimPrefix(args[i], archive), nil, 0o644); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	config := args[slices.Index(args, "-config")+1]
	for _, name := range []string{config, "Count.tla", "Up.tla"} {
		if _, err := os.Stat(name); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	if config == "hangs.cfg" {
		for { // until it is killed; a select without cases is a deadlock to the runtime
			time.Sleep(time.Hour)
		}
	}
	if err := os.WriteFile("Count_TTrace_1.tla", nil, 0o644); err != nil {
		fmt.Println(err)
		return 1
	}
	all, err := os.ReadFile(filepath.Join(data, strings.TrimSuffix(config, ".cfg")+".txt"))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	first, text, _ := strings.Cut(string(all), "\n")
	var status int
	fmt.Sscanf(first, "exit %d", &status)
	fmt.Print(text)
	return status
}

// session returns a session over copies of the recorded models, and its table.
func session(t *testing.T, names ...string) (tlc.Session, *strings.Builder) {
	data, err := filepath.Abs("testdata")
	require.NoError(t, err)
	t.Setenv("FILCH_FAKE_TLC", data)
	t.Setenv("TMPDIR", t.TempDir())
	specs := filepath.Join(t.TempDir(), "a [b] c") // as a pattern it would be another
	for _, name := range []string{"Count.tla", "Up.tla"} {
		text, err := os.ReadFile(filepath.Join(data, name))
		require.NoError(t, err)
		write(t, string(text), specs, name)
	}
	for _, name := range names {
		write(t, "SPECIFICATION Spec\n", specs, name+".cfg")
	}
	table := new(strings.Builder)
	self, err := os.Executable()
	require.NoError(t, err)
	return tlc.Session{
		TLC:    tlc.TLC{Java: []string{self}, Jar: "fake.jar", Specs: specs, Limit: time.Minute},
		Jobs:   2,
		Counts: true,
		Out:    table,
	}, table
}

func model(name string, r tla.Result, violates string, counts ...int) tla.Model {
	return tla.Model{
		Name: name, Module: "Count", Config: name + ".cfg", Result: r, Violates: violates,
		Generated: counts[0], Distinct: counts[1], Depth: counts[2],
	}
}

func complaints(verdicts []tlc.Verdict) map[string][]string {
	all := map[string][]string{}
	for _, v := range verdicts {
		all[v.Model.Name] = v.Complaints
	}
	return all
}

func TestSessionAcceptsWhatTheManifestSays(t *testing.T) {
	s, table := session(t, "success", "invariant", "refinement")
	verdicts := s.Run(context.Background(), []tla.Model{
		model("success", tla.Success, "", 4, 4, 4),
		model("invariant", tla.Invariant, "Small", 3, 3, 3),
		model("refinement", tla.Property, "Up!Spec", 4, 4, 3),
	})
	require.Equal(t, map[string][]string{"success": nil, "invariant": nil, "refinement": nil}, complaints(verdicts))
	require.Regexp(t, `(?m)^model +result +distinct +depth +CPU s$`, table.String())
	require.Regexp(t, `(?m)^success +no violation +4 +4 +\d+\.\d$`, table.String())
	require.Regexp(t, `(?m)^refinement +property Up!Spec violated +4 +3 `, table.String())
}

func TestSessionRefusesEverythingElse(t *testing.T) {
	s, table := session(t, "success", "invariant", "parse")
	verdicts := s.Run(context.Background(), []tla.Model{
		model("success", tla.Success, "", 4, 5, 4),
		model("invariant", tla.Success, "", 3, 3, 3),
		model("parse", tla.Success, "", 0, 0, 0),
	})
	require.Equal(t, map[string][]string{
		"success":   {"want distinct states 5, got 4"},
		"invariant": {"want no violation, got invariant Small violated"},
		"parse":     {"want no violation, got parse"},
	}, complaints(verdicts))
	require.Regexp(t, `(?m)^invariant +FAILED `, table.String())
	require.Contains(t, table.String(), "TLC: Invariant Small is violated.")
	require.Contains(t, table.String(), "2: <Inc line 5, col 8 to line 5, col 26 of module Count>")
	require.Contains(t, table.String(), "the last state:")

	s.Counts = false
	verdicts = s.Run(context.Background(), []tla.Model{model("success", tla.Success, "", 4, 5, 4)})
	require.Empty(t, verdicts[0].Complaints)
}

func TestRunWithoutAnEndIsAFailure(t *testing.T) {
	s, _ := session(t, "hangs", "nothing")
	s.TLC.Limit = time.Second
	verdicts := s.Run(context.Background(), []tla.Model{
		model("hangs", tla.Success, "", 0, 0, 0), model("nothing", tla.Success, "", 0, 0, 0),
	})
	got := complaints(verdicts)
	require.Regexp(t, `^tlc: stopped after \d+s: context deadline exceeded`, got["hangs"][0])
	require.Contains(t, got["nothing"][0], "tlc: exit status 1 and no end in its output")

	s.TLC.Java = []string{filepath.Join(t.TempDir(), "no-java")}
	verdicts = s.Run(context.Background(), []tla.Model{model("nothing", tla.Success, "", 0, 0, 0)})
	require.NotEmpty(t, verdicts[0].Complaints)
}

func TestRunLeavesNoFiles(t *testing.T) {
	s, _ := session(t, "invariant")
	before := files(t, s.TLC.Specs)
	s.Run(context.Background(), []tla.Model{model("invariant", tla.Invariant, "Small", 3, 3, 3)})
	require.Equal(t, before, files(t, s.TLC.Specs))
	require.Empty(t, files(t, os.Getenv("TMPDIR")))
}

func files(t *testing.T, dir string) (all []string) {
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, name)
		}
		return err
	}))
	return all
}
