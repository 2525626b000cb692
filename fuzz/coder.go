package fuzz

import (
	"fmt"

	"pgregory.net/rapid"
)

// coder makes the choices of the grammar, or takes them down.
type coder interface {
	// choose returns a number in [0, n). have is what is chosen already, which
	// a writer takes down; the others make a choice of their own. n is from 1
	// to 256.
	choose(n, have int, what string) int
	// writing reports whether what is chosen stays as it is.
	writing() bool
}

// reader takes one byte for every choice of more than one, and the first choice
// once there are none left.
type reader struct{ data []byte }

func (r *reader) writing() bool { return false }

func (r *reader) choose(n, _ int, _ string) int {
	if n == 1 || len(r.data) == 0 {
		return 0
	}
	v := int(r.data[0]) % n
	r.data = r.data[1:]
	return v
}

// writer is the inverse of reader.
type writer struct {
	data []byte
	err  error // the first choice that there is not
}

func (w *writer) writing() bool { return true }

func (w *writer) choose(n, have int, what string) int {
	if have < 0 || have >= n {
		if w.err == nil {
			w.err = fmt.Errorf("fuzz: %s number %d is not one of the %d that bytes can stand for", what, have, n)
		}
		return 0
	}
	if n > 1 {
		w.data = append(w.data, byte(have))
	}
	return have
}

// short is the data without the zeros at its end, which a reader adds.
func (w *writer) short() []byte {
	n := len(w.data)
	for n > 0 && w.data[n-1] == 0 {
		n--
	}
	return w.data[:n]
}

// drawer lets rapid choose, and shrink towards the first choices.
type drawer struct{ t *rapid.T }

func (d drawer) writing() bool { return false }

func (d drawer) choose(n, _ int, what string) int {
	if n == 1 {
		return 0
	}
	return rapid.IntRange(0, n-1).Draw(d.t, what)
}

// Programs returns a generator of programs of a shape.
func Programs(sh Shape) *rapid.Generator[Program] {
	return rapid.Custom(func(t *rapid.T) Program {
		var p Program
		newGrammar(drawer{t}, sh, &p).program()
		return p
	})
}
