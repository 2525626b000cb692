package machine

// Clock is a vector clock: element i counts the releases of thread i that are
// known. Missing elements are 0.
type Clock []uint32

func (c Clock) at(i int) uint32 {
	if i < len(c) {
		return c[i]
	}
	return 0
}

// join makes c the least clock that is no less than both.
func (c *Clock) join(d Clock) {
	c.grow(len(d))
	s := *c
	for i, v := range d {
		if v > s[i] {
			s[i] = v
		}
	}
}

// copyFrom makes c equal to d.
func (c *Clock) copyFrom(d Clock) { *c = append((*c)[:0], d...) }

// tick advances element i.
func (c *Clock) tick(i int) {
	c.grow(i + 1)
	(*c)[i]++
}

func (c *Clock) set(i int, v uint32) {
	c.grow(i + 1)
	(*c)[i] = v
}

func (c *Clock) grow(n int) {
	for len(*c) < n {
		*c = append(*c, 0)
	}
}

func (c *Clock) reset() { *c = (*c)[:0] }
