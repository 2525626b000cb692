package graph

import "slices"

// maxInterchangeable is how many threads with interchangeable ones there may be:
// their permutations are numbered in a byte.
const maxInterchangeable = 5

// turns has the permutations of a few numbers, by that number. An edge says which
// of them takes the ranks in its target to those in its source.
var turns = func() (all [maxInterchangeable + 1][][]uint8) {
	for n := range all {
		p := make([]uint8, n)
		for i := range p {
			p[i] = uint8(i)
		}
		var from func(k int)
		from = func(k int) {
			if k == n {
				all[n] = append(all[n], slices.Clone(p))
				return
			}
			for i := k; i < n; i++ {
				p[k], p[i] = p[i], p[k]
				from(k + 1)
				p[k], p[i] = p[i], p[k]
			}
		}
		from(0)
	}
	return all
}()

// A frame has, for each interchangeable thread in the order of their numbers, the
// thread that has its rank. Frames of one graph are permutations of one another.

// turn returns the frame after an edge, given that before it.
func turn(frame []uint8, code uint8) []uint8 {
	if len(frame) == 0 {
		return frame
	}
	p := turns[len(frame)][code]
	var next [maxInterchangeable]uint8
	for i := range frame {
		next[i] = frame[p[i]]
	}
	copy(frame, next[:])
	return frame
}

// turned returns the code with which turn makes one frame the other.
func turned(before, after []uint8) uint8 {
	if len(before) == 0 || slices.Equal(before, after) {
		return 0
	}
	for code, p := range turns[len(before)] {
		same := true
		for i := range after {
			same = same && after[i] == before[p[i]]
		}
		if same {
			return uint8(code)
		}
	}
	panic("graph: two frames of different threads")
}

// actual returns the thread that has a rank. The rank of an interchangeable
// thread is the number of one of them; others are their own rank.
func actual(frame []uint8, rank uint8) uint8 {
	i := position(frame, rank)
	if i < 0 {
		return rank
	}
	return frame[i]
}

// position returns how many of the frame's threads have smaller numbers than one
// of them, -1 if it is none of them.
func position(frame []uint8, thread uint8) int {
	n, in := 0, false
	for _, t := range frame {
		if t < thread {
			n++
		}
		in = in || t == thread
	}
	if !in {
		return -1
	}
	return n
}

// ranked returns a set of threads as one of ranks.
func (s *Search) ranked(set uint64) uint64 {
	frame := s.keys.frame
	if len(frame) == 0 {
		return set
	}
	sorted := slices.Clone(frame)
	slices.Sort(sorted)
	out := set
	for _, t := range sorted {
		out &^= 1 << t
	}
	for i, t := range frame {
		out |= set >> t & 1 << sorted[i]
	}
	return out
}
