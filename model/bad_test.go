package model_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// endlessly is a file of a gigabyte: some text, and then one line over and over.
type endlessly struct {
	text, line string
	read       int
}

func (f *endlessly) Read(b []byte) (n int, err error) {
	if f.read >= 1<<30 {
		return 0, io.EOF
	}
	for n < len(b) {
		at := f.read + n
		if at < len(f.text) {
			n += copy(b[n:], f.text[at:])
			continue
		}
		n += copy(b[n:], f.line[(at-len(f.text))%len(f.line):])
	}
	f.read += n
	return n, nil
}

// allocated is how many bytes f has allocated.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestAGigabyteIsRefused(t *testing.T) {
	for name, f := range map[string]*endlessly{
		"one line":   {line: "x"},
		"comments":   {line: "# again\n"},
		"nothing":    {line: "\n"},
		"operations": {text: "target: ring\ncapacity: 2\na: pop", line: ", pop"},
		"threads":    {text: "target: inject\na: inject.pop\n", line: "b: inject.pop\n"},
		"claims":     {text: "target: inject\na: inject.pop\nclaims: FIFO", line: " FIFO"},
		"zeros":      {line: "\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			bytes := allocated(func() { _, err = model.ParseReader("big", f) })
			var at *model.SyntaxError
			require.ErrorAs(t, err, &at)
			require.Equal(t, "the text is longer than 65536 bytes", at.Message)
			require.Less(t, f.read, 1<<18, "read on")
			require.Less(t, bytes, uint64(1<<20))
		})
	}
}

func TestAReaderThatFailsIsNoScenario(t *testing.T) {
	broken := errors.New("broken")
	s, err := model.ParseReader("x", io.MultiReader(strings.NewReader("target: ring\n"), failing{broken}))
	require.ErrorIs(t, err, broken)
	require.Equal(t, model.Scenario{}, s)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestTheLongestTextsAreReadAtOnce: no text takes more than linear effort, however
// its tasks hang together.
func TestTheLongestTextsAreReadAtOnce(t *testing.T) {
	chain, fan := "target: idle\nworkers: 2\n", "target: idle\nworkers: 2\ntask 1: spawns"
	for i := 1; len(chain) < model.MaxText-100; i++ {
		chain += fmt.Sprintf("task %d: spawns %d\n", i, i+1)
	}
	for i := 2; len(fan) < model.MaxText/4; i++ {
		fan += fmt.Sprintf(" %d", i)
	}
	fan += "\n"
	for i := 2; len(fan) < model.MaxText-100; i++ {
		fan += fmt.Sprintf("task %d: waits %d\n", i, i+1)
	}
	for name, text := range map[string]string{
		"a chain":           chain + "a: submit 1\nclaims: NoLostTask\n",
		"a chain from none": strings.Replace(chain, "task 1:", "task 1000000:", 1) + "a: submit 1\nclaims: NoLostTask\n",
		"a fan":             fan + "a: submit 1\nclaims: NoLostTask\n",
		"commas":            "target: ring\ncapacity: 2\na: " + strings.Repeat(",", model.MaxText-100) + "\nclaims: FIFO\n",
		"spaces":            "target: ring\ncapacity: 2\na: pop" + strings.Repeat(" ", model.MaxText-100) + "\nclaims: FIFO\n",
		"pops":              "target: ring\ncapacity: 2\na: pop" + strings.Repeat(", pop", model.MaxText/5-100) + "\nclaims: FIFO\n",
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			bytes := allocated(func() { _, _ = model.Parse("long", text) })
			require.Less(t, time.Since(begin), 10*time.Second, "quadratic effort takes minutes")
			require.Less(t, bytes, uint64(64<<20))
		})
	}
}

// TestDamagedScenariosAreRefused: a file of which the end is missing, in which two
// lines have changed places, or one is there twice, or a byte is not UTF-8, is
// refused with the line, or it is a scenario that says all of what is left: none is
// read as what it was.
func TestDamagedScenariosAreRefused(t *testing.T) {
	corpus, err := model.Corpus()
	require.NoError(t, err)
	refused, taken := 0, 0
	for _, s := range corpus {
		text := model.Format(s)
		try := func(damage, damaged string) {
			if damaged == text {
				return
			}
			got, err := model.Parse(s.Name, damaged)
			var at *model.SyntaxError
			if errors.As(err, &at) {
				refused++
				require.Equal(t, model.Scenario{}, got)
				require.Positive(t, at.Line, "%s: %s", s.Name, damage)
				return
			}
			require.NoError(t, err)
			taken++
			require.NotEqual(t, s, got, "%s: %s goes unnoticed", s.Name, damage)
			require.ElementsMatch(t, lines(damaged), lines(model.Format(got)), "%s: %s: something is left out", s.Name, damage)
		}
		for i := range text {
			try("cut off", text[:i])
			try("not UTF-8", text[:i]+"\xff"+text[i:])
		}
		ls := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		for i := range ls {
			try("a line twice", strings.Join(slices.Insert(slices.Clone(ls), i, ls[i]), ""))
			if i > 0 {
				swapped := slices.Clone(ls)
				swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
				try("two lines changed", strings.Join(swapped, "")+"\n")
			}
		}
	}
	require.Greater(t, refused, 50*taken)
	t.Logf("%d refused, %d taken", refused, taken)
}

// lines are the operations of a text without regard to how setup lines are cut.
func lines(text string) []string {
	var out []string
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if rest, ok := strings.CutPrefix(l, "setup"); ok {
			name, ops, _ := strings.Cut(rest, ": ")
			for _, op := range strings.Split(ops, ", ") {
				out = append(out, "setup"+name+": "+op)
			}
			continue
		}
		out = append(out, l)
	}
	return out
}
