package explore

// maxSeen is how many fingerprints a census keeps. With the time of each that is
// about 100 MB.
const maxSeen = 1 << 22

// census counts different fingerprints. Up to its limit the count is exact; from
// then on it keeps those of every 2nd, 4th, 8th fingerprint and counts each for
// as many, with a relative error of about 1/sqrt(limit): adaptive sampling,
// Flajolet 1990.
type census struct {
	first map[uint64]int // at which run it was first seen
	most  int
	shift uint // keeps fingerprints whose lowest bits, shift many, are 0
}

func (c *census) limit(n int) {
	if n <= 0 {
		n = maxSeen
	}
	c.most, c.first = n, make(map[uint64]int)
}

// add books a fingerprint that run number n, which never gets less, has seen.
func (c *census) add(fingerprint uint64, n int) {
	h := mix(fingerprint)
	if !c.keeps(h) {
		return
	}
	if _, seen := c.first[h]; seen {
		return
	}
	c.first[h] = n
	for len(c.first) > c.most {
		c.shift++
		for h := range c.first {
			if !c.keeps(h) {
				delete(c.first, h)
			}
		}
	}
}

func (c *census) keeps(h uint64) bool { return h&(1<<c.shift-1) == 0 }

// weigh reports whether a fingerprint has not been seen, and how many others it
// stands for if some are not kept: those are taken for seen.
func (c *census) weigh(fingerprint uint64) (weight float64, fresh bool) {
	h := mix(fingerprint)
	_, seen := c.first[h]
	return float64(uint64(1) << c.shift), c.keeps(h) && !seen
}

// all returns how many fingerprints there are.
func (c *census) all() int { return len(c.first) << c.shift }

// since returns how many there are that no run up to the nth has seen.
func (c *census) since(n int) int {
	fresh := 0
	for _, at := range c.first {
		if at > n {
			fresh++
		}
	}
	return fresh << c.shift
}
