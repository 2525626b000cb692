//go:build loom

package loom

import (
	"math/bits"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// dataOf returns the data by which [Bytes] runs the execution of a schedule, nil if
// it has stretches that are too long for bytes.
func dataOf(body func(), s explore.Schedule, opts explore.Options) []byte {
	w := &scribe{want: s, at: -1}
	m := machine.New(w)
	defer m.Close()
	m.MaxSteps = opts.MaxSteps
	m.Run(body)
	if m.Err != nil || w.lost || len(w.want.Order) > 0 {
		return nil
	}
	return w.short()
}

// scribe is a controller that follows a schedule and writes down the bytes by which
// a bytesRun would have followed it.
type scribe struct {
	want    explore.Schedule // what is left of it
	effects []machine.Effect
	data    []byte
	forced  []bool // by byte: it changes nothing if it is the last
	at      int    // the byte of the stretch that is going on, -1 if it has none
	left    int    // its steps so far
	lost    bool   // bytes cannot say this, or it does not fit the body
}

// Next is part of machine.Controller.
func (w *scribe) Next(m *machine.Machine) *machine.Thread {
	enabled, effects := m.Enabled(w.effects[:0])
	w.effects = effects
	if enabled == 0 {
		m.Deadlock()
		return nil
	}
	if len(w.want.Order) == 0 || enabled&(1<<w.want.Order[0]) == 0 {
		w.lost = true
		return nil
	}
	id := w.want.Order[0]
	w.want.Order = w.want.Order[1:]
	w.turn(m, enabled, id)
	return m.Thread(id)
}

// turn is the inverse of bytesRun's.
func (w *scribe) turn(m *machine.Machine, enabled uint64, id int) {
	last := 0
	if t := m.Last(); t != nil {
		last = t.ID()
	}
	goesOn := enabled&(1<<last) != 0
	if goesOn && bits.OnesCount64(enabled) == 1 {
		return
	}
	if w.at < 0 {
		w.at, w.left = len(w.data), 0
		w.data, w.forced = append(w.data, stretchMost), append(w.forced, true)
	}
	if id == last {
		w.left++
		return
	}
	w.lost = w.lost || w.left > stretchMost/4
	others := enabled &^ (1 << last)
	for pick := 0; ; pick++ {
		if pick == 4 || pick == bits.OnesCount64(others) {
			w.lost = true
			break
		}
		if following(others, last, pick) == id {
			w.data[w.at] = byte(w.left<<2 | pick)
			w.forced[w.at] = !goesOn && pick == 0
			break
		}
	}
	w.at = -1
}

// stretchMost is the byte of the longest stretch.
const stretchMost = 63 * 4

// Choose is part of machine.Controller.
func (w *scribe) Choose(t *machine.Thread, n int) int {
	v, id := 0, t.ID()
	if c := w.want.Choices[id]; len(c) > 0 {
		v, w.want.Choices[id] = min(c[0], n-1), c[1:]
	}
	w.lost = w.lost || v > 255
	w.data, w.forced = append(w.data, byte(v)), append(w.forced, v == 0)
	return v
}

// short returns the data without what says at the end what is done without data.
func (w *scribe) short() []byte {
	if w.at >= 0 && w.left >= patience {
		return nil
	}
	n := len(w.data)
	for n > 0 && w.forced[n-1] {
		n--
	}
	if w.at >= 0 && w.at < n && w.left > stretchMost/4 {
		return nil
	}
	return w.data[:n:n]
}
