package other

import "sync"

type Cache struct {
	mu sync.Mutex
	n  int
}

func (c *Cache) Add(int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

type Group struct{ wg sync.WaitGroup }

func (g *Group) Go(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}

func (g *Group) Wait() { g.wg.Wait() }

var (
	once sync.Once
	jobs = make(chan func(), 100)
	olds = make(chan func(), 100)
)

func work(jobs chan func()) {
	for f := range jobs {
		f()
	}
}

func Submit(f func()) {
	once.Do(func() { go work(jobs) })
	jobs <- f
}

func init() { go work(olds) }

func Old(f func()) { olds <- f }
