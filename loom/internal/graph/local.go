package graph

import (
	"bytes"
	"slices"
)

// put puts an image in place.
func (s *Search) put(image int32) {
	if rec := &s.rec; rec.image != image {
		s.image.RestoreOf(0, rec.images.at(image).bytes)
		rec.image = image
	}
}

// putOwn puts in place what a thread has for itself with a local.
func (s *Search) putOwn(thread int, id int32) {
	rec, sl := &s.rec, &s.memo.slots[thread]
	if rec.own[thread] != id && sl.section > 0 {
		s.image.RestoreOf(sl.section, rec.locals.at(id).bytes[1:])
		rec.own[thread] = id
	}
}

// pose has a thread look as if it were a local.
func (s *Search) pose(thread int, id int32) {
	s.putOwn(thread, id)
	if rec, sl := &s.rec, &s.memo.slots[thread]; rec.pose[thread] != id {
		s.m.Thread(thread).Pose(rec.places, sl.section, rec.locals.at(id).bytes[1+sl.own:])
		rec.pose[thread] = id
	}
}

// rise has all threads be themselves again.
func (s *Search) rise() {
	rec := &s.rec
	for t := range rec.pose {
		s.m.Thread(t).Rise()
		rec.pose[t] = -1
	}
}

// lost notes that it is not known any more what is in the memory of the execution, but
// for what threads that rest have for themselves.
func (r *recall) lost(thread int) { r.image, r.begun, r.own[thread] = -1, -1, -1 }

// piece returns what the local of a thread is beside an image. If that is not known,
// last is the last step of the thread.
func (s *Search) piece(image, id int32, thread int, last link) (piece, error) {
	rec, m := &s.rec, s.memo
	if p, ok := m.pieces.get(image, id); ok {
		return p, nil
	}
	s.put(image)
	s.pose(thread, id)
	// An object that had no number has no place in a key that was begun before.
	if now := s.m.Objects(); rec.begun != image || rec.met != now {
		rec.begun, rec.met = -1, now
		if err := s.keys.shared(); err != nil {
			return piece{}, err
		}
		rec.begun = image
	}
	b, err := s.keys.one(thread)
	if err != nil {
		return piece{}, err
	}
	part := s.partOf(m.slots[thread].role, b)
	stands, _ := m.first.put(image, part, id)
	p, _ := m.pieces.put(image, id, piece{part, stands, last, rec.locals.at(id).with.may})
	return p, nil
}

// partOf returns the number of a part of keys.
func (s *Search) partOf(role uint8, b []byte) int32 {
	rec, m := &s.rec, s.memo
	rec.buf = append(append(rec.buf[:0], role), b...)
	part := m.parts.find(rec.buf)
	if part < 0 {
		part = m.parts.add(rec.buf, digestOf(b))
	}
	return part
}

// sort puts the interchangeable threads of a state, whose pieces are in hand, in the
// order of their parts, and returns how that turns the frame.
func (s *Search) sort(st []int32) uint8 {
	rec, order := &s.rec, s.memo.order
	var frame [maxInterchangeable]uint8
	for i := range order {
		frame[i] = uint8(i)
	}
	moved := false
	for i := range order {
		for j := i; j > 0 && s.before(order[j], order[j-1]); j-- {
			t, u := order[j], order[j-1]
			rec.next[t], rec.next[u] = rec.next[u], rec.next[t]
			st[1+t], st[1+u] = st[1+u], st[1+t]
			frame[j], frame[j-1] = frame[j-1], frame[j]
			moved = true
		}
	}
	if !moved {
		return 0
	}
	n := len(order)
	return uint8(slices.IndexFunc(turns[n], func(p []uint8) bool { return bytes.Equal(p, frame[:n]) }))
}

// before reports whether the piece of one interchangeable thread, of those in hand,
// comes before that of another one.
func (s *Search) before(t, u int) bool {
	rec, m := &s.rec, s.memo
	a, b := rec.next[t].part, rec.next[u].part
	return a != b && m.slots[t].class == m.slots[u].class && rec.parts.at(a).bytes < rec.parts.at(b).bytes
}

// hash returns the hash of the key whose pieces are in hand, beside an image, and the
// key if keys are kept.
func (s *Search) hash(image int32, ended bool) (digest, []byte) {
	rec, m, k := &s.rec, s.memo, s.keys
	shared := rec.images.at(image).with
	switch {
	case ended:
		k.end()
	case s.g.whole != nil:
		k.n = 0
		k.part(0, []byte(rec.parts.at(shared).bytes[1:]))
		m.each(func(t int) { k.part(t, []byte(rec.parts.at(rec.next[t].part).bytes[1:])) })
	default:
		rec.sums = rec.parts.at(shared).with.append(rec.sums[:0])
		m.each(func(t int) { rec.sums = rec.parts.at(rec.next[t].part).with.append(rec.sums) })
		return digestOf(rec.sums), nil
	}
	return k.sum(), append([]byte(nil), k.bytes...)
}
