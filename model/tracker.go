package model

import (
	"encoding/binary"
	"slices"
)

// Trackers returns the law of the idle word and its list of sleepers: of n workers
// some are awake, some of these counted as searching, and the others are listed, or
// chosen or excused and not yet resumed. The first asleep of them are listed at the
// beginning. Threads are the workers of their numbers.
//
// Whoever is refused, is refused for a reason that was true at some moment of the
// call: as many search as may, somebody searches or nobody sleeps, the worker is
// not listed. A tracker that always says so is unlawful.
func Trackers(n, asleep int) Spec { return trackSpec{n: n, asleep: asleep} }

type trackSpec struct {
	n, asleep int
	waivers
}

// trackState has two numbers, a list, and what each worker is. Nothing is packed.
type trackState struct {
	search, up int
	sleepers   []byte // in the order in which they parked
	workers    []byte // by number: what each is
	// mid are the threads between the two events of an operation, with what the
	// first has left them to do; sweeps is how many workers a WakeAll has yet to
	// excuse, which holds the lock, and by whom.
	mid    []midway
	sweeps int
	by     int
}

// midway is a thread that has changed the counts and is about to look, if it left
// nobody searching.
type midway struct {
	thread int
	looks  bool
}

// What a worker is.
const (
	isAwake     byte = iota
	isSearching      // and counted
	isListed
	isChosen  // counted as searching, not yet resumed
	isExcused // not yet resumed
)

func (sp trackSpec) claims() []Claim {
	return []Claim{SearchersBounded, OneWakeInFlight, NoLostWakeup, CountsMatchSleepers}
}
func (sp trackSpec) waive(cs ...Claim) Spec { sp.waivers = cs; return sp }
func (sp trackSpec) present() Claim         { return CountsMatchSleepers }

func (sp trackSpec) Initial() State {
	s := trackState{up: sp.n - sp.asleep, workers: make([]byte, sp.n)}
	for w := range sp.asleep {
		s.sleepers = append(s.sleepers, byte(w))
		s.workers[w] = isListed
	}
	return s
}

func (s trackState) Key() string {
	b := binary.AppendVarint(nil, int64(s.search))
	for _, n := range []int{s.up, s.sweeps, s.by, len(s.sleepers)} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = append(append(b, s.sleepers...), s.workers...)
	for _, m := range s.mid {
		b = binary.AppendVarint(b, int64(m.thread))
		if m.looks {
			b = append(b, 1)
		}
	}
	return string(b)
}

func (s trackState) clone() trackState {
	s.sleepers, s.workers, s.mid = slices.Clone(s.sleepers), slices.Clone(s.workers), slices.Clone(s.mid)
	return s
}

// Events: whoever gives up searching, or lies down, changes the counts and then
// looks; a WakeAll excuses one sleeper after the other.
func (sp trackSpec) Events(o Operation) []Event {
	switch {
	case o.Outcome == Skipped:
	case o.Kind == StopSearch, o.Kind == Sleep, o.Kind == SleepBusy:
		return eventsOf(o, []Phase{Release, Look})
	case o.Kind == WakeAll && o.N > 0:
		return eventsOf(o, slices.Repeat([]Phase{Publish}, o.N))
	}
	return eventsOf(o, []Phase{Effect})
}

func (sp trackSpec) Step(st State, e Event) []State {
	s, o := st.(trackState), e.Op
	if o.Thread < 0 || o.Thread >= sp.n || o.Outcome == Skipped {
		return when(o.Outcome == Skipped, s)
	}
	if s.sweeps > 0 && o.Kind != TrySearch && o.Kind != StopSearch && o.Kind != Counts &&
		!(o.Kind == WakeAll && s.by == o.Thread) && !(o.Kind == Wake && o.N == 0) && e.Phase != Look {
		return nil // they need the lock, which the sweep holds
	}
	switch o.Kind {
	case TrySearch:
		return sp.search(s.clone(), o)
	case StopSearch, Sleep, SleepBusy:
		if e.Phase == Look {
			return sp.look(s.clone(), o)
		}
		return sp.leave(s.clone(), o)
	case Resume:
		return sp.resume(s.clone(), o)
	case Wake:
		return sp.wake(s.clone(), o.N)
	case WakeWorker, WakeAll:
		return sp.excuse(s.clone(), e)
	case Counts:
		return when(slices.Equal(o.Tasks, []Task{Task(s.search), Task(s.up)}) || sp.waives(CountsMatchSleepers), s)
	case Sleepers:
		same := len(o.Tasks) == len(s.sleepers)
		for i := 0; same && i < len(s.sleepers); i++ {
			same = o.Tasks[i] == Task(s.sleepers[i])+1
		}
		return when(same || sp.waives(CountsMatchSleepers), s)
	}
	return nil
}

// search: at most half of the workers, rounded up.
func (sp trackSpec) search(s trackState, o *Operation) []State {
	may := s.search < (sp.n+1)/2
	if o.N == 0 {
		return when(!may, s)
	}
	if s.workers[o.Thread] != isAwake {
		return nil
	}
	s.search++
	s.workers[o.Thread] = isSearching
	return when(may || sp.waives(SearchersBounded), s)
}

// leave: a searcher that has found work, or a worker that lies down.
func (sp trackSpec) leave(s trackState, o *Operation) []State {
	was := s.workers[o.Thread]
	if was != isSearching && (o.Kind == StopSearch || was != isAwake) {
		return nil
	}
	if was == isSearching {
		s.search--
	}
	if s.workers[o.Thread] = isAwake; o.Kind != StopSearch {
		s.up--
		s.sleepers = append(s.sleepers, byte(o.Thread))
		s.workers[o.Thread] = isListed
	}
	s.mid = append(s.mid, midway{o.Thread, s.search == 0})
	slices.SortFunc(s.mid, func(a, b midway) int { return a.thread - b.thread })
	return one(s)
}

// look is what comes after that: if nobody was left searching, it wakes one as
// Wake does, unless it lies down and there is no work. Refused says that it has
// looked for work.
func (sp trackSpec) look(s trackState, o *Operation) []State {
	i := slices.IndexFunc(s.mid, func(m midway) bool { return m.thread == o.Thread })
	if i < 0 {
		return nil
	}
	looks := s.mid[i].looks
	s.mid = slices.Delete(s.mid, i, i+1)
	if o.Kind != StopSearch && o.Refused != looks && !sp.waives(NoLostWakeup) {
		return nil
	}
	if !looks || o.Kind == Sleep {
		return when(o.N == 0, s)
	}
	return sp.wake(s, o.N)
}

// wake: the newest sleeper, unless somebody searches. It is counted at once.
func (sp trackSpec) wake(s trackState, woken int) []State {
	last := len(s.sleepers) - 1
	if woken == 0 {
		return when(s.search > 0 || last < 0 || sp.waives(NoLostWakeup), s)
	}
	if last < 0 || s.sweeps > 0 || int(s.sleepers[last]) != woken-1 {
		return nil
	}
	free := s.search == 0
	s.workers[s.sleepers[last]] = isChosen
	s.sleepers = s.sleepers[:last]
	s.search++
	s.up++
	return when(free || sp.waives(OneWakeInFlight), s)
}

// excuse: one worker if it is listed, or all that are.
func (sp trackSpec) excuse(s trackState, e Event) []State {
	o, w := e.Op, e.Op.On
	if o.Kind == WakeAll {
		if e.Phase == Effect {
			return when(len(s.sleepers) == 0, s)
		}
		if s.sweeps == 0 {
			s.sweeps, s.by = o.N, o.Thread
			if len(s.sleepers) != o.N {
				return nil
			}
		}
		if s.sweeps--; s.sweeps == 0 {
			s.by = 0
		}
		w = int(s.sleepers[0])
	}
	if w < 0 || w >= sp.n || o.Kind == WakeWorker && o.N == 0 {
		return when(w >= 0 && w < sp.n && s.workers[w] != isListed, s)
	}
	i := slices.Index(s.sleepers, byte(w))
	if i < 0 {
		return nil
	}
	s.sleepers = slices.Delete(s.sleepers, i, i+1)
	s.workers[w] = isExcused
	s.up++
	return one(s)
}

// resume: up if somebody woke it, and counted if for work.
func (sp trackSpec) resume(s trackState, o *Operation) []State {
	switch was := s.workers[o.Thread]; was {
	case isListed:
		return when(o.N == 0, s)
	case isChosen:
		s.workers[o.Thread] = isSearching
		return when(o.N == 2, s)
	case isExcused:
		s.workers[o.Thread] = isAwake
		return when(o.N == 1, s)
	}
	return nil
}
