package graph

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// A key is written in parts. The first is what threads share, with the memory that
// threads with names have for themselves. Each of the others is what a thread is: it
// depends on no other thread's, and on the first in so far as that says how words are
// written and where objects are.

// portion is a part of a key.
type portion struct {
	thread uint8 // whose it is; not of the first
	bytes  []byte
}

// part adds a part to the key.
func (k *keys) part(thread int, b []byte) {
	if k.n == len(k.parts) {
		k.parts = append(k.parts, portion{})
	}
	p := &k.parts[k.n]
	p.thread, p.bytes = uint8(thread), append(p.bytes[:0], b...)
	k.n++
}

// end makes the key that of the state in which all threads have ended.
func (k *keys) end() {
	k.n = 0
	k.part(0, []byte("end"))
	k.frame = append(k.frame[:0], k.s.run.frame...)
}

// write makes the key that of the state in which the machine is. No thread of the
// model runs.
func (k *keys) write() error {
	k.n = 0
	if err := k.shared(); err != nil {
		return err
	}
	k.part(0, k.w.Bytes)
	for i := range k.s.m.Threads() {
		if k.s.setup.class(i) == 0 {
			begin := len(k.w.Bytes)
			if err := k.thread(k.s.m.Thread(i)); err != nil {
				return err
			}
			k.part(i, k.w.Bytes[begin:])
		}
	}
	return k.interchangeable()
}

// shared begins to write a key, with what threads share.
func (k *keys) shared() error {
	clear(k.written)
	k.count = 0
	k.find()
	k.prepare(k.w)
	for _, r := range k.s.setup.roots {
		if k.s.setup.class(r.owner) == 0 {
			if err := k.w.Root(r.name, r.pointer); err != nil {
				return unkeyed(err)
			}
		}
	}
	return nil
}

// interchangeable writes the threads that have no names: each with the memory of
// its own, and those of a class in the order of what is written.
//
// Two states with equal keys differ by a renaming of such threads: what is written
// of a thread names it nowhere, other parts name its class at most, and its own
// memory is reached from its own part alone, or that is an error.
func (k *keys) interchangeable() error {
	set := &k.s.setup
	k.frame = k.frame[:0]
	if len(set.symmetric) == 0 {
		return nil
	}
	shared, begin, count := k.w.Mark(), len(k.w.Bytes), k.count
	for _, members := range set.symmetric {
		from := k.n
		for _, id := range members {
			k.w.Bytes, k.count = k.w.Bytes[:begin], count
			k.w.Back(shared)
			if err := k.alone(id); err != nil {
				return err
			}
			k.part(id, k.w.Bytes[begin:])
		}
		slices.SortFunc(k.parts[from:k.n], func(a, b portion) int { return bytes.Compare(a.bytes, b.bytes) })
		for _, p := range k.parts[from:k.n] {
			k.frame = append(k.frame, p.thread)
		}
	}
	return unkeyed(k.w.Apart())
}

// one returns the part of a thread alone, after what shared has written.
func (k *keys) one(thread int) ([]byte, error) {
	begin, count := len(k.w.Bytes), k.count
	var err error
	if k.s.setup.class(thread) == 0 {
		err = k.thread(k.s.m.Thread(thread))
	} else {
		mark := k.w.Met()
		err = k.alone(thread)
		k.w.Forget(mark)
	}
	k.unmark(count)
	b := k.w.Bytes[begin:]
	k.w.Bytes, k.count = k.w.Bytes[:begin], count
	return b, err
}

// unmark forgets the objects that are in the key beyond the first few.
func (k *keys) unmark(count int32) {
	for o := range k.written {
		if k.written[o] > count {
			k.written[o] = 0
		}
	}
}

// alone writes a thread and its own memory.
func (k *keys) alone(id int) error {
	defer k.unmark(k.count) // nobody else may use it
	for _, r := range k.s.setup.roots {
		if r.owner == id {
			if err := k.w.Root(r.name, r.pointer); err != nil {
				return unkeyed(err)
			}
		}
	}
	t := k.s.m.Thread(id)
	for o, at := range k.written {
		if role := t.Role(int32(o)); role != 0 && at != 0 {
			k.w.Uint(uint64(at))
			k.w.Uint(uint64(role))
		}
	}
	k.w.Uint(0)
	return k.thread(t)
}

// sum returns the hash of the key, and has all of it in bytes if keys are kept.
func (k *keys) sum() digest {
	k.sums, k.bytes = k.sums[:0], k.bytes[:0]
	for _, p := range k.parts[:k.n] {
		if k.s.g.whole != nil {
			k.bytes = append(binary.AppendUvarint(k.bytes, uint64(len(p.bytes))), p.bytes...)
		} else {
			k.sums = digestOf(p.bytes).append(k.sums)
		}
	}
	if k.s.g.whole != nil {
		return digest{}
	}
	return digestOf(k.sums)
}
