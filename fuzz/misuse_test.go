package fuzz_test

import (
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

func TestAdaptersAreCheckedAtOnce(t *testing.T) {
	f := new(testing.F)
	q := new(locked)
	queue := func(o fuzz.QueueOps) func() {
		return func() { fuzz.Queue(f, func() fuzz.QueueOps { return o }) }
	}
	deque := func(o fuzz.DequeOps) func() {
		return func() { fuzz.Deque(f, func() fuzz.DequeOps { return o }) }
	}
	for want, call := range map[string]func(){
		"fuzz: no queue: Put is nil":                       queue(fuzz.QueueOps{Take: q.oldest}),
		"fuzz: no queue: Take is nil":                      queue(fuzz.QueueOps{Put: q.put}),
		"fuzz: no queue: capacity -1, 0 putters, 0 takers": queue(fuzz.QueueOps{Put: q.put, Take: q.oldest, Capacity: -1}),
		"fuzz: no queue: capacity 0, -3 putters, 0 takers": queue(fuzz.QueueOps{Put: q.put, Take: q.oldest, Putters: -3}),
		"fuzz: no queue: make is nil":                      func() { fuzz.Queue(f, nil) },
		"fuzz: no queue: the *testing.F is nil":            func() { fuzz.Queue(nil, nil) },
		"fuzz: no deque: Push is nil":                      deque(fuzz.DequeOps{Pop: q.newest, Steal: q.oldest}),
		"fuzz: no deque: Pop is nil":                       deque(fuzz.DequeOps{Push: q.put, Steal: q.oldest}),
		"fuzz: no deque: Steal is nil":                     deque(fuzz.DequeOps{Push: q.put, Pop: q.newest}),
		"fuzz: no deque: capacity -2":                      deque(fuzz.DequeOps{Push: q.put, Pop: q.newest, Steal: q.oldest, Capacity: -2}),
		"fuzz: no deque: make is nil":                      func() { fuzz.Deque(f, nil) },
		"fuzz: no deque: the *testing.F is nil":            func() { fuzz.Deque(nil, nil) },
		"fuzz: no parker: Park is nil":                     func() { fuzz.Parker(f, func() fuzz.ParkerOps { return fuzz.ParkerOps{} }) },
		"fuzz: no parker: Unpark is nil":                   func() { fuzz.Parker(f, func() fuzz.ParkerOps { return fuzz.ParkerOps{Park: func() {}} }) },
		"fuzz: no parker: make is nil":                     func() { fuzz.Parker(f, nil) },
		"fuzz: no parker: the *testing.F is nil":           func() { fuzz.Parker(nil, nil) },
		"fuzz: no pool: Submit is nil":                     func() { fuzz.Pool(f, func() fuzz.PoolOps { return fuzz.PoolOps{} }) },
		"fuzz: no pool: Close is nil": func() {
			fuzz.Pool(f, func() fuzz.PoolOps { return fuzz.PoolOps{Submit: func(func()) bool { return true }} })
		},
		"fuzz: no pool: make is nil":                                func() { fuzz.Pool(f, nil) },
		"fuzz: no pool: the *testing.F is nil":                      func() { fuzz.Pool(nil, nil) },
		"fuzz: no target: the *testing.F is nil":                    func() { fuzz.Target(nil, fuzz.Bytes) },
		"fuzz: no shape: MinThreads is 0, want 1 to 4":              func() { fuzz.Target(f, fuzz.Shape{}) },
		"fuzz: no shape: MaxThreads is 9, want 2 to 4":              func() { sh := fuzz.Small; sh.MaxThreads = 9; fuzz.Target(f, sh) },
		"fuzz: no shape: ParkOps is 0, want 1 to 256":               func() { sh := fuzz.Wide; sh.Target = model.Park; fuzz.Target(f, sh) },
		"fuzz: no shape: target deque is none that programs run on": func() { sh := fuzz.Small; sh.Target = model.Deque; fuzz.Target(f, sh) },
	} {
		require.PanicsWithValue(t, want, call)
	}
}
