package bond

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// crew is a tracker under check and its workers' parkers: atomic words, one step to
// give a token and one to ask for it.
type crew struct {
	*idle.Tracker
	token []atomic.Uint32
}

// Where a worker is, in the keys of its boundaries.
const (
	awake = iota
	counting
	asleep
)

// Tracker is the driver of the protocol of package idle: workers that wake, search,
// find something or do not, and sleep, and somebody outside who wakes one for work,
// the first, or all.
func Tracker(workers int) func() {
	return func() {
		d, c := loom.Drive(), &crew{token: make([]atomic.Uint32, workers)}
		var err error
		if c.Tracker, err = idle.New(workers, func(w int) { c.token[w].Store(1) }); err != nil {
			panic(err)
		}
		d.Root("tracker", c.Tracker)
		d.Ignore(c.Tracker, "wakes")
		d.Guards(c.Tracker, "mu", "tracker")
		d.Root("token", &c.token)
		for w := range workers {
			loom.Go(func() { c.work(w) })
		}
		loom.Go(func() {
			for {
				loom.Boundary(0)
				switch loom.Choose(3) {
				case 0:
					c.Wake(idle.Publish)
				case 1:
					c.WakeWorker(0, idle.Call)
				case 2:
					c.WakeAll(idle.Shutdown)
				}
				told(done)
			}
		})
		held := d.Held(c.Tracker, "mu")
		d.Show(func() string { return c.text(number(held())) })
	}
}

// work is worker w.
func (c *crew) work(w int) {
	for place := uint64(awake); ; {
		loom.Boundary(place)
		if place == asleep {
			if !c.token[w].CompareAndSwap(1, 0) {
				continue
			}
			if up, counted := c.Resume(w); up {
				place = counting * uint64(number(counted))
			}
			told(done)
			continue
		}
		switch loom.Choose(3) {
		case 0:
			c.Wake(idle.Publish)
		case 1:
			if place == counting {
				c.StopSearch()
				place = awake
			} else {
				place = counting * uint64(number(c.TrySearch()))
			}
		case 2:
			c.Park(w, place == counting, func() bool { return loom.Choose(2) == 1 })
			place = asleep
		}
		told(done)
	}
}

// text is what IdleBond calls Words.
func (c *crew) text(held int) string {
	t := reflect.ValueOf(c.Tracker).Elem()
	var sleepers, standing, token []string
	for i := range t.FieldByName("sleepers").Len() {
		sleepers = append(sleepers, fmt.Sprint(t.FieldByName("sleepers").Index(i).Int()+1))
	}
	for w := range c.token {
		standing = append(standing, fmt.Sprint(t.FieldByName("state").Index(w).Uint()))
		token = append(token, fmt.Sprint(c.token[w].Load()))
	}
	search, up := c.Counts()
	return fmt.Sprintf("<<%d, %d, %d, <<%s>>, <<%s>>, <<%s>>>>", search, up, held,
		strings.Join(sleepers, ", "), strings.Join(standing, ", "), strings.Join(token, ", "))
}

// TrackerOptions are the loops of a tracker whose failed rounds leave nothing behind:
// each round begins with a load of the word.
func TrackerOptions() []loom.Option {
	return []loom.Option{loom.RetryAt("Tracker.choose", "CompareAndSwap"), loom.RetryAt("Tracker.TrySearch", "CompareAndSwap")}
}
