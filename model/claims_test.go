package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// Every constant of type Claim is in Claims, spelled as it is named, with a
// sentence; and there is nothing else.
func TestClaimsAreCompleteAndSpelledAsNamed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "claims.go", nil, 0)
	require.NoError(t, err)
	var declared []model.Claim
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Type == nil {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); ok && id.Name == "Claim" {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			require.Equal(t, spec.Names[0].Name, value)
			declared = append(declared, model.Claim(value))
		}
		return true
	})
	require.Len(t, declared, 48)
	require.Equal(t, declared, model.Claims())
	sentences := map[string]bool{}
	for _, c := range declared {
		s := model.Sentence(c)
		require.NotEmpty(t, s)
		require.False(t, sentences[s], "%s says what another claim says", c)
		sentences[s] = true
	}
	require.Empty(t, model.Sentence("NoSuchClaim"))
}

// Every claim that the corpus can guard is guarded by one scenario at least.
// The others are about things that scenarios do not show.
func TestEveryClaimOfQueuesIdleAndParkIsGuarded(t *testing.T) {
	elsewhere := map[model.Claim]string{
		model.NoRetention: "the garbage collector sees it: unit tests of package queue",
		model.NoIdleSpin:  "it bounds steps, not what comes out: closed graphs",
		model.LockFree:    "it is about runs without an end: closed graphs",
	}
	corpus, err := model.Corpus()
	require.NoError(t, err)
	guarded := map[model.Claim]bool{}
	for _, s := range corpus {
		for _, c := range s.Claims {
			guarded[c] = true
		}
	}
	for _, c := range model.Claims() {
		if _, ok := elsewhere[c]; !ok {
			require.True(t, guarded[c], "no scenario guards %s", c)
		}
		if c == model.ShutdownWakes {
			break // the claims of tasks and of the scheduler follow
		}
	}
}
