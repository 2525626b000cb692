package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// outcomes returns the outcomes that any of the searches has shown.
func outcomes(all ...searches) map[string]bool {
	set := map[string]bool{}
	for _, s := range all {
		for _, o := range s.Outcomes {
			set[o] = true
		}
	}
	return set
}

// without returns the elements of a that b lacks.
func without(a, b map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(a)), func(o string) bool { return b[o] })
}

// differences returns all outcomes of either side, what Rust's loom has not
// shown and what it alone has.
func (r row) differences() (all int, missing, extra []string) {
	rust := outcomes(append(slices.Clone(r.rust), r.farthest())...)
	filch := outcomes(r.filch...)
	missing, extra = without(filch, rust), without(rust, filch)
	return len(filch), missing, extra
}

// compared is the last column of the table.
func (r row) compared() string {
	n, missing, extra := r.differences()
	s := fmt.Sprintf("%d", n)
	switch {
	case len(missing) == 0 && len(extra) == 0:
		return s + ", alike"
	case len(missing) > 0 && r.farthest().Finished:
		s += fmt.Sprintf(", loom loses %d", len(missing))
	case len(missing) > 0:
		s += fmt.Sprintf(", %d not seen yet by loom", len(missing))
	}
	if len(extra) > 0 {
		s += fmt.Sprintf(", loom adds %d", len(extra))
	}
	return s
}

// verdict says in words how the outcomes differ.
func (r row) verdict() string {
	n, missing, extra := r.differences()
	var s []string
	if len(missing) == 0 && len(extra) == 0 {
		s = append(s, fmt.Sprintf("Both show the same %d outcomes.", n))
	}
	switch {
	case len(missing) > 0 && r.farthest().Finished:
		s = append(s, fmt.Sprintf("Rust's loom finishes without %d of %d outcomes%s.", len(missing), n, r.show(missing)))
	case len(missing) > 0:
		s = append(s, fmt.Sprintf("Rust's loom does not finish and has not shown %d of %d outcomes.", len(missing), n))
	}
	if len(extra) > 0 {
		s = append(s, fmt.Sprintf("Rust's loom shows %d that no interleaving has%s: it takes sequentially consistent accesses for acquire and release.", len(extra), r.show(extra)))
	}
	return strings.Join(s, " ")
}

// show writes a few outcomes as what each thread has read.
func (r row) show(list []string) string {
	if len(list) > 3 {
		return ""
	}
	var b strings.Builder
	for _, o := range list {
		v, err := strconv.ParseUint(o, 16, 64)
		must(err)
		b.WriteString(" (")
		for i := range r.threads {
			if i > 0 {
				b.WriteString(" | ")
			}
			fmt.Fprintf(&b, "%#x", v>>((r.threads-1-i)*r.width)&(1<<r.width-1))
		}
		b.WriteString(")")
	}
	return b.String()
}
