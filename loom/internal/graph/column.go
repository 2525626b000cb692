package graph

// column is a list that grows without being copied: there may be much of it, and
// memory for it twice would be too much.
type column[T any] struct {
	pages [][]T
	n     int32
}

const pageBits = 15

func (c *column[T]) at(i int32) *T { return &c.pages[i>>pageBits][i&(1<<pageBits-1)] }

// add appends v. The first page grows, since most graphs are small.
func (c *column[T]) add(v T) {
	p := int(c.n >> pageBits)
	if p == len(c.pages) {
		var page []T
		if p > 0 {
			page = make([]T, 0, 1<<pageBits)
		}
		c.pages = append(c.pages, page)
	}
	c.pages[p] = append(c.pages[p], v)
	c.n++
}

// each calls f for all elements, in order.
func (c *column[T]) each(f func(v *T)) {
	for _, p := range c.pages {
		for i := range p {
			f(&p[i])
		}
	}
}

// labels numbers what there are few of, such as the kinds of edges.
type labels[T comparable] struct {
	all []T
	of  map[T]int32
}

func (l *labels[T]) number(v T) int32 {
	n, ok := l.of[v]
	if !ok {
		if l.of == nil {
			l.of = map[T]int32{}
		}
		n = int32(len(l.all))
		l.of[v], l.all = n, append(l.all, v)
	}
	return n
}
