package plant_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/stretchr/testify/require"
)

const good = `# The slot is written after it is published: a thief
# takes an unwritten slot.
file: queue/ring.go
claim: NoSlotRace NoLostTask
from: charm++ #1345
kill: loom thief-meets-first-push steal-against-pop
kill: linearizability
-- old --
	a()

	b()
-- new --
	b()

	a()
-- old --
	c()
-- new --
`

func TestParseReadsEveryPart(t *testing.T) {
	m, err := plant.Parse("ring-publish-first", good)
	require.NoError(t, err)
	require.Equal(t, plant.Mutant{
		Name:   "ring-publish-first",
		Doc:    "The slot is written after it is published: a thief takes an unwritten slot.",
		File:   "queue/ring.go",
		Claims: []string{"NoSlotRace", "NoLostTask"},
		From:   "charm++ #1345",
		Kills: []plant.Kill{
			{Layer: "loom", Scenarios: []string{"thief-meets-first-push", "steal-against-pop"}},
			{Layer: "linearizability", Scenarios: []string{}},
		},
		Edits: []plant.Edit{
			{Old: "\ta()\n\n\tb()\n", New: "\tb()\n\n\ta()\n"},
			{Old: "\tc()\n", New: ""},
		},
	}, m)
}

func TestParseErrorsNameLineAndColumn(t *testing.T) {
	replace := func(old, new string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, new, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":             {"", "1:1: no newline at the end"},
		"no prose":          {strings.TrimLeft(good[strings.Index(good, "file"):], "#"), `1:1: want a line "# ..."`},
		"prose glued":       {replace("# takes", "#takes"), "2:2: want prose"},
		"prose empty":       {replace("# takes an unwritten slot.", "# "), "2:2: want prose"},
		"no newline":        {strings.TrimSuffix(replace("-- new --\n\tb", "-- new --\n\tz")+"\td()", "\n"), "19:5: no newline at the end"},
		"carriage return":   {replace("ring.go\n", "ring.go\r\n"), "3:20: carriage return"},
		"blank line":        {replace("from:", "\nfrom:"), `5:1: want "key: value"`},
		"unknown key":       {replace("from:", "form:"), `5:1: unknown key "form"`},
		"no space":          {replace("from: ", "from:"), `5:1: want "key: value"`},
		"two spaces":        {replace("NoSlotRace No", "NoSlotRace  No"), "4:8: want words"},
		"no value":          {replace("from: charm++ #1345", "from: "), "5:7: want words"},
		"twice":             {replace("from: charm++ #1345", "file: queue/ring.go"), `5:1: a second "file"`},
		"no file":           {replace("file: queue/ring.go\n", ""), `7:1: no "file"`},
		"no claim":          {replace("claim: NoSlotRace NoLostTask\n", ""), `7:1: no "claim"`},
		"no kill":           {replace("kill: linearizability\n", "")[:0] + noKill(t), `5:1: no "kill"`},
		"test file":         {replace("ring.go", "ring_test.go"), `3:7: "queue/ring_test.go" is not a source file`},
		"other package":     {replace("queue/ring.go", "model/spec.go"), "3:7:"},
		"outside":           {replace("queue/ring.go", "queue/../go.go"), "3:7:"},
		"claim spelled":     {replace("NoLostTask", "no-lost-task"), `4:19: "no-lost-task" is not the name of a claim`},
		"claim twice":       {replace("NoLostTask", "NoSlotRace"), "4:19:"},
		"unknown layer":     {replace("kill: loom", "kill: looms"), `6:7: unknown layer "looms"`},
		"layer twice":       {replace("kill: linearizability", "kill: loom"), `7:7: a second kill by layer "loom"`},
		"scenario spelled":  {replace("steal-against-pop", "Steal"), `6:35: "Steal" is not the name of a scenario`},
		"scenario twice":    {replace("steal-against-pop", "thief-meets-first-push"), "6:35:"},
		"graph, no claim":   {replace("kill: linearizability", "kill: graph"), "7:12: want which claims"},
		"graph, other":      {replace("kill: linearizability", "kill: graph NoLostTask FIFO"), `7:24: "FIFO" is none of the claims above`},
		"graph, twice":      {replace("kill: linearizability", "kill: graph NoLostTask NoLostTask"), "7:24:"},
		"no edits":          {good[:strings.Index(good, "-- old")], `8:1: want "-- old --"`},
		"new first":         {replace("-- old --", "-- new --"), `8:1: want "-- old --", not "-- new --"`},
		"no new":            {replace("-- new --\n\tb", "\tb"), `15:1: want "-- new --", not "-- old --"`},
		"old empty":         {replace("\tc()\n", ""), `17:1: nothing after "-- old --"`},
		"no change":         {replace("\tc()\n-- new --\n", "\tc()\n-- new --\n\tc()\n"), "19:1: the new lines are the old lines"},
		"mark with a blank": {replace("-- new --\n\tb", "-- new -- \n\tb"), `12:1: want "-- new --", not "-- new -- "`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plant.Parse("x", c.text)
			require.ErrorContains(t, err, c.want)
			require.True(t, strings.HasPrefix(err.Error(), c.want), "%q is not at the start of %q", c.want, err)
		})
	}
	_, err := plant.Parse("Bad--name", good)
	require.ErrorContains(t, err, `"Bad--name" is not a mutant's name`)
}

func noKill(t *testing.T) string {
	a, b := strings.Index(good, "kill: loom"), strings.Index(good, "-- old")
	require.Positive(t, a)
	return strings.Replace(good[:a]+good[b:], "from: charm++ #1345\n", "", 1)
}

func TestLoadAndFind(t *testing.T) {
	dir := t.TempDir()
	_, err := plant.Load(dir)
	require.ErrorContains(t, err, "plant: no mutants (*.txt) in "+dir)
	for _, name := range []string{"b-second", "a-first"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".txt"), []byte(good), 0o666))
	}
	all, err := plant.Load(dir)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, "a-first", all[0].Name)

	m, err := plant.Find(dir, "b-second")
	require.NoError(t, err)
	require.Equal(t, all[1], m)
	_, err = plant.Find(dir, "c-third")
	require.EqualError(t, err, `plant: no mutant "c-third"; there are a-first, b-second`)
	_, err = plant.Find(dir, "../a-first")
	require.ErrorContains(t, err, `"../a-first" is not a mutant's name`)

	bad := filepath.Join(dir, "bad.txt")
	require.NoError(t, os.WriteFile(bad, []byte("# x\nfiel: y\n"), 0o666))
	_, err = plant.Load(dir)
	require.ErrorContains(t, err, "plant: "+bad+`:2:1: unknown key "fiel"`)
}

// TestGraphHasClaims: in the place of scenarios.
func TestGraphHasClaims(t *testing.T) {
	m, err := plant.Parse("x", strings.Replace(good, "kill: linearizability", "kill: graph NoLostTask NoLostTask~", 1))
	require.NoError(t, err)
	require.Equal(t, plant.Kill{Layer: "graph", Claims: []string{"NoLostTask", "NoLostTask~"}}, m.Kills[len(m.Kills)-1])
}

func TestEveryFileBelongsToAPart(t *testing.T) {
	for file, want := range map[string][2]string{ // the part, and the audit's target
		"queue/ring.go": {"ring", "ring"}, "queue/steal.go": {"ring", "ring"}, "queue/inject.go": {"inject", "inject"},
		"park/park.go": {"park", "park"}, "idle/idle.go": {"idle", "sched"}, "idle/wake.go": {"idle", "sched"},
		"sched/worker.go": {"sched", "sched"}, "sched/inject.go": {"sched", "sched"}, "go.mod": {"sched", "sched"},
	} {
		require.Equal(t, want, [2]string{plant.Part(file), plant.AuditTarget(file)}, file)
	}
}
