//go:build loom

package page_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/page"
)

// race runs the one execution of a race between a store and a load.
func race(t *testing.T) explore.Execution {
	t.Helper()
	s, err := explore.ParseToken("ba")
	require.NoError(t, err)
	e := explore.Replay(func() {
		var ready atomic.Bool
		var data cell.Cell[string]
		loom.Go(func() { ready.Store(true); data.Store(`</script><b onload="x">`) })
		if ready.Load() {
			data.Load()
		}
	}, s, explore.Options{MaxSteps: 100})
	require.NoError(t, e.Err)
	require.NotNil(t, e.Failure)
	return e
}

// TestPage: all of the execution is in the file, and nothing outside of it.
func TestPage(t *testing.T) {
	e := race(t)
	var b strings.Builder
	head := page.Head{Test: "TestX", Claim: "NoSlotRace", Message: "a & b <i>are</i> not ordered", Command: "LOOM_REPLAY=x.ba go test -run '^TestX$' ./x"}
	require.NoError(t, page.Write(&b, head, e))
	text := b.String()
	require.Contains(t, text, "<h1>NoSlotRace violated</h1>")
	require.Contains(t, text, "a &amp; b &lt;i&gt;are&lt;/i&gt; not ordered")
	require.Contains(t, text, "LOOM_REPLAY=x.ba go test -run &#39;^TestX$&#39; ./x")
	require.Contains(t, text, "2 steps of 2 threads, 1 switch between them")
	require.NotContains(t, text, "<b onload", "what the program holds is text")
	require.Equal(t, 1, strings.Count(text, "</script>"))
	require.Equal(t, 5, strings.Count(text, `<li><button class="ev`))
	require.Equal(t, 2, strings.Count(text, " marked\""), "both accesses of the race")
	for _, outside := range regexp.MustCompile(`(?i)(src|href)=|url\(|@import|https?:[^"]*`).FindAllString(text, -1) {
		require.Contains(t, []string{"href=", "url(", "http://www.w3.org/2000/svg"}, outside, "the page loads nothing")
	}
	require.Contains(t, text, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'`)
	require.Contains(t, text, `<meta name="viewport" content="width=device-width`)
	require.Contains(t, text, "prefers-color-scheme: dark")
}

// TestPageData: what the script gets are the events and their relations.
func TestPageData(t *testing.T) {
	var b strings.Builder
	require.NoError(t, page.Write(&b, page.Head{Claim: "C"}, race(t)))
	found := regexp.MustCompile(`const events = (.*);`).FindStringSubmatch(b.String())
	require.NotNil(t, found)
	var events []explore.DrawnEvent
	require.NoError(t, json.Unmarshal([]byte(found[1]), &events))
	require.Len(t, events, 5)
	require.Equal(t, "go thread 1", events[0].What)
	require.Equal(t, []int{1}, events[1].After, "a thread begins after it was started")
	require.Equal(t, "bool#0 Load = true", events[3].What)
	require.Equal(t, []int{2}, events[3].Reads)
	require.Equal(t, []int{3}, events[4].Conflict)
	require.Equal(t, []int{5}, events[2].Conflict)
	require.Equal(t, 1, events[2].Lane)
	require.Regexp(t, `page_test\.go$`, events[2].File)
}

// TestPageOfManyThreads: more threads than there is room for columns share lanes.
func TestPageOfManyThreads(t *testing.T) {
	for threads, wide := range map[int]bool{5: true, 6: false} {
		e := explore.Replay(func() {
			var x atomic.Int32
			var started []*loom.Thread
			for range threads {
				started = append(started, loom.Go(func() { x.Add(1) }))
			}
			for _, t := range started {
				t.Join()
			}
			panic("planted")
		}, explore.Schedule{}, explore.Options{MaxSteps: 100})
		require.Len(t, explore.Draw(e).Threads, threads+1)
		var b strings.Builder
		require.NoError(t, page.Write(&b, page.Head{Claim: "C"}, e))
		require.Equal(t, wide, strings.Contains(b.String(), `<div id="body" class="wide">`), "%d threads and the body", threads)
	}
}
