package model

import (
	"encoding/binary"
	"sort"
)

// Key returns equal strings for two histories exactly if they have the same
// operations by the same threads with the same results, and the same of them
// returned before the same others were called. What one Key is lawful for is
// lawful for all histories that have it.
func (h History) Key() string {
	threads := byThread(h)
	b := make([]byte, 0, 32*len(h))
	for _, ops := range threads {
		b = binary.AppendUvarint(b, uint64(len(ops)))
		for _, o := range ops {
			b = o.appendKey(b)
			for _, others := range threads {
				b = binary.AppendUvarint(b, uint64(precede(others, o)))
			}
		}
	}
	return string(b)
}

// precede returns how many of ops, which are one thread's in order, returned
// before o was called.
func precede(ops []Operation, o Operation) int {
	return sort.Search(len(ops), func(k int) bool { return ops[k].Return >= o.Call })
}

// appendKey spells out all of o but its times.
func (o Operation) appendKey(b []byte) []byte {
	b = append(b, byte(o.Kind), byte(o.Outcome))
	for _, n := range []int{o.Thread, o.On, o.Max, o.N} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = appendTasks(b, o.Args)
	b = appendTasks(b, o.Tasks)
	if o.Refused {
		return append(b, 1)
	}
	return append(b, 0)
}
