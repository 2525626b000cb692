package shell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/internal/shell"
)

func TestAPathIsOneWord(t *testing.T) {
	for path, want := range map[string]string{
		"a/b-c_1.jsonl":  "a/b-c_1.jsonl",
		"my runs/h":      "'my runs/h'",
		"it's":           `'it'\''s'`,
		"$HOME":          "'$HOME'",
		`C:\runs`:        `'C:\runs'`,
		"":               "''",
		"a\nb":           "'a\nb'",
		"{1,2}!":         "'{1,2}!'",
		"naïve/ümlaut-7": "naïve/ümlaut-7",
	} {
		require.Equal(t, want, shell.Quote(path))
	}
}
