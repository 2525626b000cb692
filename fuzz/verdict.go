package fuzz

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// What somebody else's code can break besides the law: it is to return from every call,
// and not to panic.
const (
	progress = words.Progress
	noPanic  = words.NoPanic
	// judgeable is what code breaks under the tag loom that does not keep to what package
	// loom asks for: nothing is known of it.
	judgeable = "CanBeJudged"
)

// failure is one of a program on their code.
func (j *theirs) failure(p Program, how string) *Failure {
	return &Failure{Program: p, How: how, Replay: testCommand(j.target), words: &j.words}
}

// hinted adds to f what its claims suggest.
func (j *theirs) hinted(f *Failure) {
	add := func(said string) {
		if said != "" && !slices.Contains(f.hints, said) {
			f.hints = append(f.hints, said)
		}
	}
	wrong, _, _ := strings.Cut(f.Err.Error(), "\nhistory:")
	for _, c := range f.Claims() {
		add(j.hints.Of(c, wrong))
		if f.How == concurrent && slices.Contains(crowded, c) {
			add(j.crowd)
		}
		if c == string(model.NoLostTask) && strings.Contains(f.Err.Error(), "was never p") {
			add(fresh)
		}
	}
}

// crowded are what breaks when more goroutines do something than may.
var crowded = []string{string(model.NoLostTask), string(model.NoDuplicateTask), string(model.InjectFIFO), loom.ClaimRace, noPanic}

// broken is a violation of one claim.
func broken(claim, message string) *model.Violation {
	return &model.Violation{Claims: []model.Claim{model.Claim(claim)}, Message: message}
}

// orderly fills in what a run in order has come to.
func (j *theirs) orderly(f *Failure, err error, h model.History, last *recorded) {
	defer j.hinted(f)
	done, open := last.left()
	names := f.Program.Scenario.Names()
	switch err := err.(type) {
	case *model.Violation:
		f.History, f.Err = h, j.inWords(err, names)
	case *panicked:
		f.Err = broken(noPanic, fmt.Sprintf("%s %s\n%s", j.calling(open, names), err.how(), calls(err.stack)))
	case *stuck:
		f.Endless = true
		f.Err = broken(string(j.waits(done, open)), fmt.Sprintf("%s does not return, and nothing else is under way; it stands here:\n%s",
			j.calling(open, names), performing(err.stack)))
	default:
		f.Err = err
	}
}

// how says what was done instead of returning.
func (p *panicked) how() string {
	if p.with == "" {
		return "ends its goroutine, as runtime.Goexit and the FailNow of a test do"
	}
	return "panics: " + p.with
}

// goexit says so of an operation.
func goexit(o model.Operation) string {
	return fmt.Sprintf("%s %s", o.Op, (&panicked{}).how())
}

// calling names what had been called, in their words.
func (j *theirs) calling(open model.History, names []string) string {
	var all []string
	for _, o := range open {
		who := ""
		if o.Thread >= 0 && o.Thread < len(names) {
			who = " by " + names[o.Thread]
		}
		all = append(all, j.words.Text(o.Op.String())+who)
	}
	if len(all) == 0 {
		return "what makes it"
	}
	return strings.Join(all, " or ")
}

// disorderly fills in what a run of all threads at the same time has come to.
func (j *theirs) disorderly(f *Failure, err error, last *recorded) {
	defer j.hinted(f)
	done, open := last.left()
	names := f.Program.Scenario.Names()
	var run *loom.Violation
	if !errors.As(err, &run) {
		j.unexplored(f, err, j.calling(open, names), j.waits(done, open))
		return
	}
	f.Err = run
	run.Token, run.Command = "", "" // of two commands that run it again there is the one for programs
	switch run.Claim {
	case noPanic:
		run.Message = j.words.Text(run.Message)
	case loom.ClaimPanic:
		what, stack, has := strings.Cut(run.Message, "\ngoroutine ")
		if has {
			what += "\n" + calls(stack)
		}
		run.Claim, run.Message = noPanic, j.calling(open, names)+" panics: "+what
	case progress:
		run.Claim = string(j.waits(done, open))
		if loom.Enabled {
			run.Message = j.calling(open, names) + " does not return: " + run.Message
			return
		}
		f.Endless = true
		what, stacks, _ := strings.Cut(run.Message, "\n")
		run.Message = fmt.Sprintf("%s does not return (%s); it stands here:\n%s", j.calling(open, names), what, performing(stacks))
	}
}

// unexplored fills in what an exploration has come to that could not go on: by a loop
// without an end, by a thread that waits for what is not loom's, or by what is none of the
// calls' fault.
func (j *theirs) unexplored(f *Failure, err error, calling string, claim model.Claim) {
	what, stack, has := strings.Cut(err.Error(), "\n\ngoroutine ")
	switch {
	case strings.Contains(what, "(option MaxSteps)"):
	case has && (strings.Contains(what, " waits for ") || strings.Contains(what, " has taken no step ")):
		f.Endless = true
		what += "\n" + calls(stack)
	default:
		f.Err = broken(judgeable, err.Error())
		return
	}
	f.Err = broken(string(claim), calling+" does not return: "+what)
}

// inWords is a violation of the law in the words of their code.
func (j *theirs) inWords(v *model.Violation, names []string) *model.Violation {
	text := v.Message
	for _, o := range v.Operations {
		text += "\n\t" + o.Format(names)
	}
	return &model.Violation{Claims: v.Claims, Message: j.words.Text(text)}
}
