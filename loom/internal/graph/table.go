package graph

import (
	"encoding/binary"
	"hash/maphash"
)

// digest is a 128-bit hash of a key: of the hashes of its parts.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digestOf(b []byte) digest { return digest{maphash.Bytes(seeds[0], b), maphash.Bytes(seeds[1], b)} }

func (d digest) append(b []byte) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, d[0]), d[1])
}

// table finds states by the hashes of their keys: open addressing, at most three
// quarters full. It is made of parts that grow each for itself, so that there are
// never two of the whole.
type table struct {
	of    column[digest] // by state
	parts [1 << partBits]slots
	room  int // how many slots there are in all
}

const partBits = 6

type slots struct {
	at   []int32 // state + 1; 0: free
	used int
}

func (t *table) find(d digest) int32 {
	slots := t.parts[d[1]>>(64-partBits)].at
	if len(slots) == 0 {
		return -1
	}
	for i := d[0]; ; i++ {
		n := slots[i&uint64(len(slots)-1)]
		if n == 0 || *t.of.at(n - 1) == d {
			return n - 1
		}
	}
}

// add adds a state, which is the next and not there yet.
func (t *table) add(d digest, n int32) {
	t.of.add(d)
	p := &t.parts[d[1]>>(64-partBits)]
	if p.used++; 4*p.used > 3*len(p.at) {
		old := p.at
		p.at = make([]int32, max(16, 2*len(old)))
		t.room += len(p.at) - len(old)
		for _, m := range old {
			if m != 0 {
				t.put(p.at, m-1)
			}
		}
	}
	t.put(p.at, n)
}

func (t *table) put(slots []int32, n int32) {
	i := t.of.at(n)[0]
	for ; slots[i&uint64(len(slots)-1)] != 0; i++ {
	}
	slots[i&uint64(len(slots)-1)] = n + 1
}
