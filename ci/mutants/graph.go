package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/filch-sched/filch/linearizability/plant"
)

// graph runs the closed graphs of what the mutant changes.
func (j job) graph(ctx context.Context) verdict {
	args := []string{"-tags", "loom", "./model/target/closed"}
	if about := protocols(j.files); about != "" {
		args = append(args, "-run", "^TestGraph$/^("+about+")-")
	}
	judge := &graphJudge{any: j.claims, wanted: slices.Clone(j.violated)}
	return j.follow(ctx, judge, root, "go", j.goTestArgs(2*time.Minute, args...)...)
}

// protocols returns which graphs run the code of files, "" if all may.
func protocols(files []string) string {
	about := ""
	for _, f := range files {
		p := map[string]string{"queue/inject.go": "inject", "queue/ring.go": "ring|pair|chain", "queue/steal.go": "ring|pair|chain",
			"park/": "parker|idle", "idle/": "idle", "sched/": "sched"}
		of, ok := p[f]
		if dir, _ := path.Split(f); !ok {
			of, ok = p[dir]
		}
		switch {
		case !ok:
			return ""
		case about != "":
			about += "|"
		}
		about += of
	}
	return about
}

// graphJudge reads what the closed graphs print. A kill is a violation of each claim
// that is wanted, of any if none is, with its schedule and the command that runs it
// again.
type graphJudge struct {
	judge
	any    []string
	wanted []string
	found  []string
	claim  map[string]string // by package and test: what was last said to be violated
	steps  map[string]string // likewise, the last row of a schedule
}

var (
	violatedRE = regexp.MustCompile(`loom: (\w+) violated: `)
	rowRE      = regexp.MustCompile(`^\s+(\d+)  \S+:\d+ `)
	replayRE   = regexp.MustCompile(`^\s+replay: LOOM_REPLAY=(\S+) go test `)
)

func (j *graphJudge) line(line string) (v verdict, clear bool) {
	var e event
	if json.Unmarshal([]byte(line), &e) == nil && e.Action == "output" && e.Test != "" {
		return j.output(e.Package+" "+e.Test, e.Test, e.Output)
	}
	v, clear = j.judge.line(line) // which knows no claims, so that only an error is clear
	return v, clear
}

func (j *graphJudge) output(key, test, line string) (v verdict, clear bool) {
	if j.claim == nil {
		j.judge.output = map[string][]string{} // some test ran
		j.claim, j.steps = map[string]string{}, map[string]string{}
	}
	if m := violatedRE.FindStringSubmatch(line); m != nil {
		j.claim[key] = m[1]
	} else if m := rowRE.FindStringSubmatch(line); m != nil {
		j.steps[key] = m[1]
	} else if m := replayRE.FindStringSubmatch(line); m != nil && j.steps[key] != "" {
		claim := j.claim[key]
		if strings.Contains(m[1], plant.Endless) {
			claim += plant.Endless
		}
		j.see(claim, fmt.Sprintf("%s in %s, %s rows", claim, test, j.steps[key]))
	}
	return verdict{killed: true, by: strings.Join(j.found, "; ")}, len(j.found) > 0 && len(j.wanted) == 0
}

// see notes a violation, if it is one that counts.
func (j *graphJudge) see(claim, how string) {
	if i := slices.Index(j.wanted, claim); i >= 0 {
		j.wanted = slices.Delete(j.wanted, i, i+1)
		j.found = append(j.found, how)
	} else if len(j.wanted)+len(j.found) == 0 && slices.Contains(j.any, strings.TrimSuffix(claim, plant.Endless)) {
		j.found = append(j.found, how)
	}
}

func (j *graphJudge) end() verdict {
	v := j.judge.end()
	if v.err != "" || len(j.claim) == 0 {
		return v
	}
	var seen []string
	for _, c := range j.claim {
		seen = append(seen, c)
	}
	slices.Sort(seen)
	return verdict{why: fmt.Sprintf("violated were %v, by shortest runs, and not %v", slices.Compact(seen), j.wanted)}
}
