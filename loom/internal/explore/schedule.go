package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Schedule determines an execution: which thread takes each step, and for each
// thread the outcomes of its choices in order.
type Schedule struct {
	Order   []int
	Choices [machine.MaxThreads][]int
}

func (s *Schedule) step(thread int)          { s.Order = append(s.Order, thread) }
func (s *Schedule) choose(thread, value int) { s.Choices[thread] = append(s.Choices[thread], value) }

func (s *Schedule) reset() {
	s.Order = s.Order[:0]
	for i := range s.Choices {
		s.Choices[i] = s.Choices[i][:0]
	}
}

// clone returns a copy that shares nothing with s.
func (s *Schedule) clone() Schedule {
	c := Schedule{Order: slices.Clone(s.Order)}
	for i, values := range s.Choices {
		if len(values) > 0 {
			c.Choices[i] = slices.Clone(values)
		}
	}
	return c
}

// Switches returns how often a step is not of the thread that took the one
// before it.
func (s Schedule) Switches() int {
	n := 0
	for i := 1; i < len(s.Order); i++ {
		if s.Order[i] != s.Order[i-1] {
			n++
		}
	}
	return n
}

// Lacks returns how many steps and choices of t are not in s, which is that of an
// execution by t.
func (s Schedule) Lacks(t Schedule) int {
	n := max(len(t.Order)-len(s.Order), 0)
	for id, values := range t.Choices {
		for i, v := range values {
			if i >= len(s.Choices[id]) || s.Choices[id][i] != v {
				n++
			}
		}
	}
	return n
}

// letters are the names of threads in a token. Those that are left without one
// are written as _ and a letter.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Token writes the schedule in one word that needs no quotes: for every run of
// steps the thread, a letter, and the number of steps if it is not 1; then, for
// every thread with choices, a dot, the thread, and the outcomes with dots
// between them.
//
//	a3b2ac.b1.0   body 3 steps, thread 1 two, body one, thread 2 one; thread 1 chooses 1, then 0
func (s Schedule) Token() string {
	var b strings.Builder
	for i := 0; i < len(s.Order); {
		j := i
		for j < len(s.Order) && s.Order[j] == s.Order[i] {
			j++
		}
		b.WriteString(threadName(s.Order[i]))
		if j-i > 1 {
			b.WriteString(strconv.Itoa(j - i))
		}
		i = j
	}
	for id, values := range s.Choices {
		for i, v := range values {
			b.WriteByte('.')
			if i == 0 {
				b.WriteString(threadName(id))
			}
			b.WriteString(strconv.Itoa(v))
		}
	}
	return b.String()
}

func threadName(id int) string {
	if id < len(letters) {
		return letters[id : id+1]
	}
	return "_" + letters[id-len(letters):id-len(letters)+1]
}

// ParseToken reads what Token writes.
func ParseToken(token string) (Schedule, error) {
	var s Schedule
	steps, choices, _ := strings.Cut(token, ".")
	for rest := steps; rest != ""; {
		id, n, ok := 0, 1, false
		if id, rest, ok = cutThread(rest); !ok {
			return s, badToken(token)
		}
		var digits string
		digits, rest = cutDigits(rest)
		if digits != "" {
			var err error
			if n, err = strconv.Atoi(digits); err != nil || n < 1 || n > 1<<24 {
				return s, badToken(token)
			}
		}
		for range n {
			s.step(id)
		}
	}
	if choices == "" {
		if strings.HasSuffix(token, ".") {
			return s, badToken(token)
		}
		return s, nil
	}
	id := -1
	for _, c := range strings.Split(choices, ".") {
		if next, rest, ok := cutThread(c); ok {
			id, c = next, rest
		}
		v, err := strconv.Atoi(c)
		if err != nil || v < 0 || id < 0 {
			return s, badToken(token)
		}
		s.choose(id, v)
	}
	return s, nil
}

func badToken(token string) error {
	return fmt.Errorf("loom: %q is not the token of a schedule", token)
}

// cutThread takes the name of a thread off the front of s.
func cutThread(s string) (id int, rest string, ok bool) {
	base := 0
	if strings.HasPrefix(s, "_") {
		base, s = len(letters), s[1:]
	}
	if s == "" {
		return 0, "", false
	}
	i := strings.IndexByte(letters, s[0])
	if i < 0 || base+i >= machine.MaxThreads {
		return 0, "", false
	}
	return base + i, s[1:], true
}

func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}
