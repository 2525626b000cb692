package explore

import "sort"

// underflows reports whether the counter that the uses change, 0 at first, is
// below zero somewhere in some order of the execution. With at, a use, it reports
// whether the counter is zero just before at in one.
//
// By Hall's theorem it is never below zero if and only if each unit that is taken
// can be given a unit of its own among those whose addition it depends on: if some
// set of steps takes more than all that they depend on adds, then the order that
// begins with these underflows; and if each has its own, what has been taken is
// always at most what has been added. That the counter is above zero before at is
// the same as that one more unit could be taken there.
//
// It takes O(t n log n) for n uses by t threads, and O(n) more for each that gets what
// another has to give up for it, which are few where threads take what they themselves
// or one other thread have added.
func (a *tally) underflows(uses []use, at int) bool {
	m := matching{a: a, chains: make([]chain, a.width)}
	for _, u := range uses {
		if u.amount > 0 && u.at != at {
			m.chains[a.p.points[u.at].thread].add(giver{use: u, left: u.amount})
		}
	}
	for _, u := range uses {
		if u.amount < 0 && (at < 0 || !a.has(a.row(a.clocks, u.at), at)) {
			m.takers = append(m.takers, u)
			if !m.give(len(m.takers)-1, -u.amount) {
				return true
			}
		}
	}
	if at < 0 {
		return false
	}
	m.takers = append(m.takers, use{at, -1})
	return !m.give(len(m.takers)-1, 1)
}

// matching is a maximum flow that grows taker by taker.
type matching struct {
	a      *tally
	chains []chain // by thread
	takers []use
	asked  []asked // of the present search for a path
	seen   []int32 // by taker, whether it is there
	knows  []int32 // a row of what they depend on together
	come   []int32 // by chain, how many of its givers that search has come by
}

// chain is the givers of one thread. Who depends on one depends on those before it.
type chain struct {
	givers []giver
	// free[i] leads to the last of the first i givers that has some left: the number
	// of those up to it, or 0. It is a forest, in which what has nothing left points
	// at what is before it.
	free []int32
}

type giver struct {
	use
	left int64
	to   []share
}

// share is what a taker has from a giver.
type share struct {
	taker  int
	amount int64
}

// asked is a taker that may give back a share, for that of the one that has asked it.
type asked struct {
	taker, by           int // by is the index of who has asked
	chain, giver, share int
}

func (c *chain) add(g giver) {
	if len(c.free) == 0 {
		c.free = append(c.free, 0)
	}
	c.givers = append(c.givers, g)
	c.free = append(c.free, int32(len(c.givers)))
}

// last returns the last of the first n givers that has some left, or nil.
func (c *chain) last(n int) *giver {
	if n == 0 {
		return nil
	}
	i := int32(n)
	for i > 0 && (c.free[i] != i || c.givers[i-1].left == 0) {
		if c.free[i] == i {
			c.free[i] = i - 1
		}
		c.free[i] = c.free[c.free[i]]
		i = c.free[i]
	}
	if i == 0 {
		return nil
	}
	return &c.givers[i-1]
}

// give finds n units for a taker, and reports false if there are not so many.
func (m *matching) give(taker int, n int64) bool {
	for n > 0 {
		if m.a.p.expired(len(m.chains)) {
			return true // the search ends here in any case
		}
		got := m.direct(taker, n)
		if got == 0 {
			got = m.replaced(taker, n)
		}
		if got == 0 {
			return false
		}
		n -= got
	}
	return true
}

// reach is how many givers of a chain are there whenever a taker comes: what it
// depends on of a thread is a beginning.
func (m *matching) reach(taker int, c *chain) int {
	row := m.a.row(m.a.clocks, m.takers[taker].at)
	return sort.Search(len(c.givers), func(i int) bool { return !m.a.has(row, c.givers[i].at) })
}

// direct gives a taker up to n units that are left, of an addition as late as can be:
// that of the same thread, which is where most find what they look for.
func (m *matching) direct(taker int, n int64) int64 {
	own := m.a.p.points[m.takers[taker].at].thread
	for i := range m.chains {
		c := &m.chains[(own+i)%len(m.chains)]
		if g := c.last(m.reach(taker, c)); g != nil {
			n = min(n, g.left)
			g.left -= n
			g.hand(taker, n)
			return n
		}
	}
	return 0
}

func (g *giver) hand(taker int, n int64) {
	if k := len(g.to) - 1; k >= 0 && g.to[k].taker == taker {
		g.to[k].amount += n
		return
	}
	g.to = append(g.to, share{taker, n})
}

// replaced gives a taker up to n units of givers that have nothing left: what others
// have of them, who get as much elsewhere. It asks who has something that the taker
// could have, then who has what those could have, and so on.
func (m *matching) replaced(taker int, n int64) int64 {
	m.asked = append(m.asked[:0], asked{taker: taker})
	m.seen = resize(m.seen, len(m.takers), 0)
	m.come = resize(m.come, len(m.chains), 0)
	m.knows = resize(m.knows, m.a.width, 0)
	clear(m.seen)
	clear(m.come)
	clear(m.knows)
	m.seen[taker] = 1
	for i := 0; i < len(m.asked); i++ {
		if m.a.p.expired(len(m.chains)) {
			return n // the search ends here in any case
		}
		if row := m.a.row(m.a.clocks, m.takers[m.asked[i].taker].at); !within(row, m.knows, -1) {
			join(m.knows, row)
		} else if i > 0 {
			continue // it could have nothing that those before it could not
		}
		if i > 0 {
			if got := m.passed(i, n); got > 0 {
				return got
			}
		}
		for k := range m.chains {
			c := &m.chains[k]
			for to := int32(m.reach(m.asked[i].taker, c)); m.come[k] < to; m.come[k]++ {
				m.ask(i, k, int(m.come[k]))
			}
		}
	}
	return 0
}

// ask asks those who have something of a giver, for number i of those asked.
func (m *matching) ask(i, chain, giver int) {
	for k, s := range m.chains[chain].givers[giver].to {
		if s.amount > 0 && m.seen[s.taker] == 0 {
			m.seen[s.taker] = 1
			m.asked = append(m.asked, asked{s.taker, i, chain, giver, k})
		}
	}
}

// passed lets number i of those asked take up to n units that are left, and each hand
// what it had to the one that has asked it.
func (m *matching) passed(i int, n int64) int64 {
	for k := i; k > 0; k = m.asked[k].by {
		h := m.asked[k]
		n = min(n, m.chains[h.chain].givers[h.giver].to[h.share].amount)
	}
	if n = m.direct(m.asked[i].taker, n); n == 0 {
		return 0
	}
	for k := i; k > 0; k = m.asked[k].by {
		h := m.asked[k]
		g := &m.chains[h.chain].givers[h.giver]
		g.to[h.share].amount -= n
		g.hand(m.asked[h.by].taker, n)
	}
	return n
}
