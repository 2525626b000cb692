package court

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// ParkerOps is one parker: a binary semaphore with one waiter at a time.
type ParkerOps struct {
	Park   func() // waits for a token and takes it
	Unpark func() // leaves a token, unless one is there; any number of goroutines
}

// Parker is a parker that make makes. It panics if make is nil.
func Parker(make func() ParkerOps) Subject {
	if make == nil {
		panic("court: Parker(nil): want a function that makes a parker")
	}
	return subject(func() driver { return parker{make} })
}

type parker struct{ make func() ParkerOps }

func (parker) threads(most int) int { return max(2, most) }

func (parker) logs(threads int) (int, int) { return threads, lifeOps*threads + 8 }

// play: thread 0 parks until it has seen what the others have announced before
// they unpark it. If a token is lost it never ends.
func (p parker) play(l *life) {
	ops := p.make()
	if ops.Park == nil || ops.Unpark == nil {
		panic("court: no parker: Park or Unpark is nil")
	}
	var sent atomic.Int64
	want := int64((l.threads - 1) * lifeOps / 2)
	l.run(func(t int, rng *rand.Rand) {
		log := l.logs[t]
		for range lifeOps / 2 {
			if t == 0 {
				break
			}
			sent.Add(1)
			log.Begin(model.Op{Kind: model.Unpark})
			ops.Unpark()
			log.End(model.Result{Outcome: model.Done})
			l.load.pause(rng)
		}
		for t == 0 && sent.Load() < want && log.Room() > 0 {
			log.Begin(model.Op{Kind: model.ParkToken})
			ops.Park()
			log.End(model.Result{Outcome: model.Done})
			l.load.pause(rng)
		}
	})
	l.end(model.Park, l.threads, 0)
}

func (parker) hints() words.Hints { return nil }

func (parker) words() words.Words { return words.Parker }

func (p parker) needs(r *Report) []need {
	return []need{{"operations called while another was under way", r.Overlap, 1000},
		{"parks", r.of(model.ParkToken, model.Done), 1000},
		{"unparks", r.of(model.Unpark, model.Done), 1000}}
}
