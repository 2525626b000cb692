package loom

import (
	"errors"
	"testing"
)

// Check explores every interleaving of body, which must be deterministic but
// for the order of its threads and for [Choose], and must keep all that its
// threads share in the types of loom/atomic, loom/sync and loom/cell. The first
// violation fails t with a report and a replay command. A search that does not
// reach its end fails t too, unless [Deadline] asked for that.
//
// body runs once for every execution, on a thread of the model, and calls [Go]
// to start others. An execution ends when all its threads have ended: body need
// not join them.
//
// If the environment has LOOM_REPLAY=TOKEN, Check runs the execution of the token
// and nothing else. A word that is no token fails t. The token of another test
// skips t; that of a later Check of t, or of a subtest that -run asks for, lets
// this Check return a zero Report.
//
// A failure of t during an execution, by t.Error or package require, is a violation
// like one by [Failf], as long as t has not failed before: after that Check says in
// t's log that it cannot notice. That of another test, such as the one that t is a
// subtest of, is none. A body must not skip t: that fails it.
//
// A pass that is not exhaustive is told on standard error, once for each test, and so is
// one of several threads of which no step was seen, as if they shared nothing: in
// one line, which go test shows unless it was given a list of packages and all
// tests of this one pass. LOOM_PROGRESS=FILE has it in a file.
//
// Built without the tag loom, Check runs body on real goroutines, [Stress]
// times, and says so in t's log. Explorations of one process take turns.
func Check(t testing.TB, body func(), opts ...Option) Report {
	t.Helper()
	c := newConfig(opts)
	c.of(t)
	r, err := run(body, c)
	if t.Skipped() { // by t.Skip on a thread: the test must not count as skipped
		t.Errorf("loom: the body has called Skip, in one of its executions: a body must not skip (%v)", r)
	}
	if passed(t, r, err) {
		if c.failed == nil {
			t.Log("loom: the test had failed before, so failures of it during the executions were not noticed")
		}
		c.warn(r)
	}
	return r
}

// passed tells t what has come of an exploration, and reports whether it is a pass.
func passed(t testing.TB, r Report, err error) bool {
	t.Helper()
	var v *Violation
	var other *otherReplay
	switch {
	case errors.As(err, &other):
		other.skip(t)
	case errors.As(err, &v):
		t.Errorf("%v(%v)", v, r)
	case err != nil:
		t.Fatal(err)
	default:
		t.Log(describe(r))
		return true
	}
	return false
}

// Explore is Check without a test: it returns what Check reports. The error is
// nil, a [*Violation], or says what is wrong with the body or the options.
//
// The token of an Explore is that of the nth call in its test, or in its subtest,
// counting those of all subtests that run the same function: of subtests that run
// in parallel, use Check. LOOM_REPLAY with the token of another exploration makes
// Explore run nothing: no error, and Report.Executions is 0. A word that is no
// token is an error.
func Explore(body func(), opts ...Option) (Report, error) {
	c := newConfig(opts)
	c.from()
	r, err := run(body, c)
	var other *otherReplay
	if errors.As(err, &other) {
		return r, nil
	}
	return r, err
}
