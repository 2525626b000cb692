package plant_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/stretchr/testify/require"
)

const offByOne = `diff --git a/queue/answer.go b/queue/answer.go
index 1111111..2222222 100644
--- a/queue/answer.go
+++ b/queue/answer.go
@@ -7,5 +7,5 @@ func init()
 func answer() int {
 	n := 41
-	n++
+	n--
 	return n
 }
`

func lay(t *testing.T, root, diff string) (string, error) {
	p, err := plant.NewFromDiff("patch", diff)
	require.NoError(t, err)
	return p.Overlay(root, t.TempDir())
}

func TestDiffIsLaidOver(t *testing.T) {
	for name, diff := range map[string]string{
		"git":             offByOne,
		"moved":           strings.Replace(offByOne, "-7,5 +7,5", "-2,5 +2,5", 1),
		"no prefix":       strings.NewReplacer("a/queue", "queue", "b/queue", "queue").Replace(offByOne),
		"with times":      strings.Replace(offByOne, "--- a/queue/answer.go", "--- a/queue/answer.go\t2026-01-01 00:00:00", 1),
		"no last newline": strings.TrimSuffix(offByOne, "\n"),
		"no context":      "--- queue/answer.go\n+++ queue/answer.go\n@@ -9 +9 @@\n-\tn++\n+\tn--\n",
		"insertion":       "--- queue/answer.go\n+++ queue/answer.go\n@@ -9,0 +10,2 @@\n+\tn--\n+\tn--\n",
		"two hunks": "--- queue/answer.go\n+++ queue/answer.go\n@@ -4,0 +5,2 @@\n+const two = 2\n+\n" +
			"@@ -9 +11 @@\n-\tn++\n+\tn += 1 - two\n",
		"new file": "--- /dev/null\n+++ b/queue/minus.go\n@@ -0,0 +1,3 @@\n+package queue\n+\n+const minus = -1\n" +
			strings.Replace(offByOne, "n--", "n += minus", 1),
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t)
			overlay, err := lay(t, root, diff)
			require.NoError(t, err)
			require.Equal(t, "answer 40\n", run(t, root, overlay))
		})
	}
}

func TestDiffCanTakeAFileAway(t *testing.T) {
	root := tree(t)
	gone := "--- a/queue/answer.go\n+++ /dev/null\n@@ -1,11 +0,0 @@\n-" +
		strings.TrimSuffix(strings.ReplaceAll(answer, "\n", "\n-"), "-")
	overlay, err := lay(t, root, gone)
	require.NoError(t, err)
	out, err := buildOutput(root, overlay)
	require.Error(t, err)
	require.Contains(t, out, "no required module provides package example.com/tree/queue")
}

func buildOutput(root, overlay string) (string, error) {
	cmd := exec.Command("go", "build", "-overlay", overlay, "./...")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestDiffThatDoesNotFitIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ diff, want string }{
		"nowhere":  {strings.Replace(offByOne, "n := 41", "n := 42", 1), "plant: patch: 5:1: this hunk fits no place of queue/answer.go"},
		"not Go":   {strings.Replace(offByOne, "+\tn--", "+\tn-", 1), "plant: patch: the result is not Go: queue/answer.go:"},
		"no file":  {strings.ReplaceAll(offByOne, "answer.go", "question.go"), "question.go"},
		"exists":   {"--- /dev/null\n+++ b/queue/answer.go\n@@ -0,0 +1 @@\n+package queue\n", "the diff creates queue/answer.go, which exists"},
		"half off": {"--- a/queue/answer.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-package queue\n-\n", "does not say what is left of queue/answer.go"},
		"several":  {"--- queue/answer.go\n+++ queue/answer.go\n@@ -3 +3 @@\n-\n+//\n", "3:1: this hunk fits several places of queue/answer.go"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lay(t, tree(t), c.diff)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestDiffErrorsNameTheLine(t *testing.T) {
	for name, c := range map[string]struct{ diff, want string }{
		"empty":          {"", "1:1: no unified diff"},
		"rename":         {"diff --git a/queue/a.go b/queue/b.go\nrename from queue/a.go\n", "2:1: a diff that renames"},
		"other names":    {strings.Replace(offByOne, "+++ b/queue/answer.go", "+++ b/queue/b.go", 1), "4:1: a diff from queue/answer.go to queue/b.go"},
		"test file":      {strings.ReplaceAll(offByOne, "answer.go", "answer_test.go"), `4:1: "queue/answer_test.go" is not a source file`},
		"not ours":       {strings.ReplaceAll(offByOne, "queue/", "model/"), `4:1: "model/answer.go"`},
		"no plus":        {strings.Replace(offByOne, "+++ b", "++ b", 1), `4:1: want a line that starts with "+++ "`},
		"no hunk":        {offByOne[:strings.Index(offByOne, "@@")], "5:1: no hunk for queue/answer.go"},
		"only a hunk":    {offByOne[strings.Index(offByOne, "@@"):], "1:1: a hunk before"},
		"bad head":       {strings.Replace(offByOne, "-7,5", "-7,x", 1), "5:1: want \"@@"},
		"short":          {strings.Replace(offByOne, " }\n", "", 1), "11:1: the hunk ends early: 1 old and 1 new lines are missing"},
		"long":           {strings.Replace(offByOne, "+7,5", "+7,4", 1), "11:1: one line more"},
		"the file again": {offByOne + offByOne, "14:1: queue/answer.go is in the diff twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plant.NewFromDiff("patch", c.diff)
			require.ErrorContains(t, err, c.want)
			require.True(t, strings.HasPrefix(err.Error(), c.want), "%q is not at the start of %q", c.want, err)
		})
	}
}
