package explore

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
func (a *tally) underflows(uses []use, at int) bool {
	m := matching{a: a}
	for _, u := range uses {
		if u.amount > 0 && u.at != at {
			m.givers = append(m.givers, giver{use: u, left: u.amount})
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
	givers []giver
	takers []use
	seen   []bool // givers that the present search for a path has come by
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

// give finds n units for a taker, and reports false if there are not so many.
func (m *matching) give(taker int, n int64) bool {
	for n > 0 {
		if m.a.p.expired(len(m.givers)) {
			return true // the search ends here in any case
		}
		got := m.fromOwn(taker, n)
		if got == 0 {
			m.seen = append(m.seen[:0], make([]bool, len(m.givers))...)
			got = m.path(taker, n)
		}
		if got == 0 {
			return false
		}
		n -= got
	}
	return true
}

// fromOwn looks first where most find what they look for: the last addition of
// the same thread.
func (m *matching) fromOwn(taker int, n int64) int64 {
	t := &m.takers[taker]
	thread := m.a.p.points[t.at].thread
	for i := len(m.givers) - 1; i >= 0; i-- {
		g := &m.givers[i]
		if g.left > 0 && m.a.p.points[g.at].thread == thread && m.reaches(g, t) {
			return m.hand(g, taker, min(n, g.left))
		}
	}
	return 0
}

// path gives the taker up to n units of a giver that has some left, or that
// another taker has and can replace.
func (m *matching) path(taker int, n int64) int64 {
	for i := range m.givers {
		g := &m.givers[i]
		if m.seen[i] || !m.reaches(g, &m.takers[taker]) {
			continue
		}
		m.seen[i] = true
		if g.left > 0 {
			return m.hand(g, taker, min(n, g.left))
		}
		for k := range g.to {
			other := g.to[k].taker
			if other == taker || g.to[k].amount == 0 {
				continue
			}
			if got := m.path(other, min(n, g.to[k].amount)); got > 0 {
				g.to[k].amount -= got
				g.left += got
				return m.hand(g, taker, got)
			}
		}
	}
	return 0
}

func (m *matching) hand(g *giver, taker int, n int64) int64 {
	g.left -= n
	for k := range g.to {
		if g.to[k].taker == taker {
			g.to[k].amount += n
			return n
		}
	}
	g.to = append(g.to, share{taker, n})
	return n
}

// reaches reports whether what a giver has added is there whenever the taker comes.
func (m *matching) reaches(g *giver, t *use) bool {
	return m.a.has(m.a.row(m.a.clocks, t.at), g.at)
}
