package fuzz_test

import (
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	stdsync "sync"
	stdatomic "sync/atomic"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/stretchr/testify/require"
)

// bug is a fuzz target of somebody else's code that is wrong.
type bug struct {
	fuzz func(f *testing.F)
	// claims are all that may be said to be violated. Each is the right name of what is
	// wrong.
	claims string
	// says is what else the report has, as a regular expression.
	says string
}

// counts calls back every nth time.
func every(n int) func() bool {
	var mu stdsync.Mutex
	calls := 0
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		calls++
		return calls%n == 0
	}
}

// queueBug is a right queue with room for 3 of which change makes something else.
func queueBug(change func(o *fuzz.QueueOps, q *locked)) func(*testing.F) {
	return queueOf(func() fuzz.QueueOps {
		q := &locked{capacity: 3}
		o := fuzz.QueueOps{Put: q.put, Take: q.oldest, Capacity: 3}
		change(&o, q)
		return o
	})
}

// dequeBug is the same for a deque.
func dequeBug(change func(o *fuzz.DequeOps, q *locked)) func(*testing.F) {
	return func(f *testing.F) {
		fuzz.Deque(f, func() fuzz.DequeOps {
			q := &locked{capacity: 3}
			o := fuzz.DequeOps{Push: q.put, Pop: q.newest, Steal: q.oldest, Capacity: 3}
			change(&o, q)
			return o
		})
	}
}

// drops is put, but for every second value, which it forgets.
func drops(put func(int) bool) func(int) bool {
	second := every(2)
	return func(v int) bool { return second() || put(v) }
}

// repeats is take, but every second value comes once more.
func repeats(take func() (int, bool)) func() (int, bool) {
	second := every(2)
	var last atomic.Int64
	return func() (int, bool) {
		if v := int(last.Load()); v != 0 && second() {
			return v, true
		}
		v, found := take()
		last.Store(int64(v))
		return v, found
	}
}

// invents is take, but something is always found.
func invents(take func() (int, bool)) func() (int, bool) {
	return func() (int, bool) {
		if v, found := take(); found {
			return v, true
		}
		return 77777, true
	}
}

// misses is take, but every third time nothing is found.
func misses(take func() (int, bool)) func() (int, bool) {
	third := every(3)
	return func() (int, bool) {
		if third() {
			return 0, false
		}
		return take()
	}
}

// refuses is put, but for every third value.
func refuses(put func(int) bool) func(int) bool {
	third := every(3)
	return func(v int) bool { return !third() && put(v) }
}

func brokenInvariant(int) bool { panic("queue: broken invariant") }

func spins() (int, bool) {
	for {
	}
}

var queueBugs = map[string]bug{
	"blocks where two meet": {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Put = pairwise(q.put) }), "Progress",
		`put \d+ by \w+ does not return(.|\n)*pairwise[.1func]*\((.|\n)*not run`},
	"lost": {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Put = drops(q.put) }), "NoLostTask", "is nowhere"},
	"lost by a queue that may miss": {queueBug(func(o *fuzz.QueueOps, q *locked) {
		o.Put, o.MayMiss = drops(q.put), true
	}), "NoLostTask", "is nowhere"},
	"duplicated":     {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Take = repeats(q.oldest) }), "NoDuplicateTask", "twice"},
	"wrong order":    {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Take = q.newest }), "InjectFIFO", "in the order in which they were put in"},
	"invented":       {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Take = invents(q.oldest) }), "NoLostTask", "was never put.*(.|\n)*hint: .*a new one for every run"},
	"refuses":        {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Put = refuses(q.put) }), "BusyIsHonest", "hint: .*QueueOps.MayRefuse"},
	"misses":         {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Take = misses(q.oldest) }), "BusyIsHonest", "hint: .*QueueOps.MayMiss"},
	"full too early": {queueBug(func(o *fuzz.QueueOps, q *locked) { q.capacity = 2 }), "BusyIsHonest", "hint: .*QueueOps.MayRefuse"},
	"full too late":  {queueBug(func(o *fuzz.QueueOps, q *locked) { q.capacity = 4 }), "CapacityFromSteal", "QueueOps.Capacity"},
	"bound not told": {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Capacity = 0 }), "BusyIsHonest", "hint: QueueOps.Capacity is 0"},
	"refused and kept": {queueBug(func(o *fuzz.QueueOps, q *locked) {
		o.MayRefuse = true
		o.Put = func(v int) bool { return q.put(v) && v%3 != 0 }
	}), "NoLostTask", "was refused and"},
	"panics": {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Put = brokenInvariant }), "NoPanic",
		`put \d+ by \w+ panics: queue: broken invariant\n\s*\S*fuzz_test.brokenInvariant\(`},
	"quits":  {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Take = func() (int, bool) { runtime.Goexit(); return 0, false } }), "NoPanic", `take by \w+ ends its goroutine`},
	"blocks": {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Take = func() (int, bool) { select {} } }), "Progress", `take by \w+ does not return.*\n\s*\[select \(no cases\)\]`},
	"waits": {queueBug(func(o *fuzz.QueueOps, q *locked) {
		o.Put = func(v int) bool { q.mu.Lock(); return true }
	}), "Progress", `put \d+ by \w+ does not return(.|\n)*bugs_test.go(.|\n)*not run`},
	"spins": {queueBug(func(o *fuzz.QueueOps, q *locked) { o.Take = spins }), "Progress", `take by \w+ does not return(.|\n)*fuzz_test.spins\(`},
}

// pairwise is a put that does not return if two meet in it.
func pairwise(put func(int) bool) func(int) bool {
	var inside atomic.Int32
	return func(v int) bool {
		if inside.Add(1) > 1 {
			select {}
		}
		if !loom.Enabled {
			runtime.Gosched()
		}
		defer inside.Add(-1)
		return put(v)
	}
}

var dequeBugs = map[string]bug{
	"lost": {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Push = drops(q.put) }), "NoLostTask", "is nowhere"},
	"lost by a deque that may miss": {dequeBug(func(o *fuzz.DequeOps, q *locked) {
		o.Push, o.MayMiss = drops(q.put), true
	}), "NoLostTask", "is nowhere"},
	"duplicated":              {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Steal = repeats(q.oldest) }), "NoDuplicateTask", "twice"},
	"duplicated by its owner": {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Pop = repeats(q.newest) }), "NoDuplicateTask", "twice"},
	"pops the oldest":         {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Pop = q.oldest }), "DequeOrder", "the owner pops the newest"},
	"steals the newest":       {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Steal = q.newest }), "DequeOrder", "takes the oldest"},
	"invented":                {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Steal = invents(q.oldest) }), "NoLostTask", "was never pushed"},
	"refuses":                 {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Push = refuses(q.put) }), "BusyIsHonest", "full are answered only if"},
	"misses":                  {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Steal = misses(q.oldest) }), "BusyIsHonest", "hint: .*DequeOps.MayMiss"},
	"misses its owner":        {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Pop = misses(q.newest) }), "BusyIsHonest", "empty"},
	"full too early":          {dequeBug(func(o *fuzz.DequeOps, q *locked) { q.capacity = 2 }), "BusyIsHonest", "full"},
	"full too late":           {dequeBug(func(o *fuzz.DequeOps, q *locked) { q.capacity = 4 }), "CapacityFromSteal", "DequeOps.Capacity"},
	"bound not told":          {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Capacity = 0 }), "BusyIsHonest", "hint: DequeOps.Capacity is 0"},
	"panics":                  {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Push = brokenInvariant }), "NoPanic", `push \d+ by owner panics: queue: broken invariant\n\s*\S*brokenInvariant\(`},
	"blocks":                  {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Steal = func() (int, bool) { select {} } }), "Progress", `steal by \w+ does not return`},
	"spins":                   {dequeBug(func(o *fuzz.DequeOps, q *locked) { o.Pop = spins }), "Progress", `pop by owner does not return(.|\n)*fuzz_test.spins\(`},
}

// shy is a queue that loses what is put while something else is, in programs of 8 puts
// and more; and after that once in one of less than 5.
func shy(f *testing.F) {
	queueBug(func(o *fuzz.QueueOps, q *locked) {
		var inside, puts, dropped atomic.Int32
		var met atomic.Bool
		o.Capacity, q.capacity = 0, 0
		o.Put = func(v int) bool {
			defer inside.Add(-1)
			if inside.Add(1) > 1 {
				met.Store(true)
			}
			runtime.Gosched()
			puts.Add(1)
			return q.put(v)
		}
		o.Take = func() (int, bool) {
			n := puts.Load()
			if met.Load() && dropped.Load() == 0 && (n >= 8 || n < 5 && shown.CompareAndSwap(1, 2)) {
				dropped.Store(1)
				shown.CompareAndSwap(0, 1)
				q.oldest()
			}
			return q.oldest()
		}
	})(f)
}

// shown is 1 once a large program has failed, and 2 once a small one has.
var shown stdatomic.Int32

// bugs are all of them, by adapter and kind.
var bugs = func() map[string]bug {
	all := map[string]bug{}
	for kind, some := range map[string]map[string]bug{"queue": queueBugs, "deque": dequeBugs, "parker": parkerBugs, "pool": poolBugs} {
		for name, b := range some {
			all[kind+": "+name] = b
		}
	}
	all["shy"] = bug{fuzz: shy}
	all["native"] = bug{fuzz: native}
	all["slow"] = bug{fuzz: slow}
	all["closed once"] = bug{fuzz: closedOnce}
	maps.Copy(all, vacuous)
	all["saved late"] = bug{fuzz: savedLate}
	return all
}()

var verdictOf = regexp.MustCompile(`: (\w*(?: or \w+| \w+)*) violated:`)

// TestEveryBugIsCalledByItsName runs go test on what is wrong in every way, of every
// kind. All that is said to be violated has to fit, and to be said at once.
func TestEveryBugIsCalledByItsName(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(bugs)) {
		b := bugs[name]
		if b.claims == "" {
			continue // it has a test of its own
		}
		t.Run(name, func(t *testing.T) {
			out, err := test(t, t.TempDir(), name, "-test.run=^FuzzTheirs$")
			require.Error(t, err, "%s", out)
			t.Logf("%s", out)
			said := verdictOf.FindAllStringSubmatch(out, -1)
			require.NotEmpty(t, said)
			for _, s := range said {
				for _, claim := range regexp.MustCompile(` or | `).Split(s[1], -1) {
					require.Contains(t, strings.Fields(b.claims), claim)
				}
			}
			require.NotContains(t, out, "unlawful")
			require.NotContains(t, out, "loom/internal", "calls that are none of theirs")
			require.Regexp(t, b.says, out)
			require.LessOrEqual(t, strings.Count(out, "--- FAIL: FuzzTheirs/"), len(strings.Fields(b.claims)), "one is told more than once")
			if strings.Contains(b.claims, "Progress") && !loom.Enabled {
				require.Contains(t, out, "not run")
			}
		})
	}
}
