package plant_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/stretchr/testify/require"
)

const answer = `package queue

import "fmt"

func init() { fmt.Println("answer", answer()) }

func answer() int {
	n := 41
	n++
	return n
}
`

// tree makes a module with queue/answer.go and a program that runs it.
func tree(t *testing.T) (root string) {
	root = t.TempDir()
	for path, text := range map[string]string{
		"go.mod":          "module example.com/tree\n\ngo 1.26\n",
		"queue/answer.go": answer,
		"main.go":         "package main\n\nimport _ \"example.com/tree/queue\"\n\nfunc main() {}\n",
	} {
		path = filepath.Join(root, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return root
}

func run(t *testing.T, root, overlay string) string {
	cmd := exec.Command("go", "run", "-overlay", overlay, ".")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func mutant(edits ...plant.Edit) plant.Mutant {
	return plant.Mutant{Name: "off-by-one", File: "queue/answer.go", Edits: edits}
}

func TestOverlayChangesTheProgramAndNotTheTree(t *testing.T) {
	root := tree(t)
	overlay, err := mutant(plant.Edit{Old: "\tn++\n"}).Overlay(root, t.TempDir())
	require.NoError(t, err)
	require.Equal(t, "answer 41\n", run(t, root, overlay))

	source, err := os.ReadFile(filepath.Join(root, "queue", "answer.go"))
	require.NoError(t, err)
	require.Equal(t, answer, string(source))

	var o struct{ Replace map[string]string }
	text, err := os.ReadFile(overlay)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &o))
	for from, to := range o.Replace {
		require.True(t, filepath.IsAbs(from), from)
		require.True(t, filepath.IsAbs(to), to)
	}
}

func TestOverlayPathsAreAbsoluteForARelativeRoot(t *testing.T) {
	root := tree(t)
	t.Chdir(root)
	require.NoError(t, os.Mkdir("tmp", 0o777))
	overlay, err := mutant(plant.Edit{Old: "\tn++\n"}).Overlay(".", "tmp")
	require.NoError(t, err)
	require.True(t, filepath.IsAbs(overlay), overlay)
	require.Equal(t, "answer 41\n", run(t, root, overlay))
}

func TestOverlayRefusesWhatDoesNotFit(t *testing.T) {
	root, tmp := tree(t), t.TempDir()
	_, err := mutant(plant.Edit{Old: "\tn--\n"}).Overlay(root, tmp)
	require.ErrorContains(t, err, "plant: off-by-one: the old lines of edit 1 occur 0 times in queue/answer.go, want once:\n\tn--\n")
	_, err = plant.Mutant{Name: "x", File: "queue/question.go"}.Overlay(root, tmp)
	require.ErrorContains(t, err, "question.go")
}

func TestOverlayCountsWholeLines(t *testing.T) {
	m := mutant(plant.Edit{Old: "a\na\n", New: "b\n"})
	_, err := m.Apply("a\na\na\n")
	require.ErrorContains(t, err, "occur 2 times", "overlapping places are two")
	_, err = m.Apply("ba\na\n")
	require.ErrorContains(t, err, "occur 0 times", "a line's end is not a line")
	got, err := m.Apply("a\na\nx\n")
	require.NoError(t, err)
	require.Equal(t, "b\nx\n", got)
	got, err = mutant(plant.Edit{Old: "a\n", New: "b\n"}, plant.Edit{Old: "b\n", New: "c\n"}).Apply("a\n")
	require.NoError(t, err)
	require.Equal(t, "c\n", got, "edits apply in order")
}

func TestOverlayRefusesWhatIsNotGo(t *testing.T) {
	_, err := mutant(plant.Edit{Old: "\tn++\n", New: "\tn+\n"}).Overlay(tree(t), t.TempDir())
	require.ErrorContains(t, err, "plant: off-by-one: the result is not Go: queue/answer.go:")
}
