package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// step is what a fingerprint needs to know of a step.
type step struct {
	thread int
	effect machine.Effect
	choice int // of Signal or Choose, plus one
	hash   uint64
}

// fingerprint returns a number that executions of one trace share and others,
// in all likelihood, do not: the sum of the steps' own, each made from the steps
// it depends on.
func fingerprint(steps []step, deadlocked bool) uint64 {
	var sum uint64
	if deadlocked {
		sum = 1
	}
	for i := range steps {
		s := &steps[i]
		h := mix(uint64(s.thread)<<48 ^ uint64(uint32(s.effect.Object))<<8 ^ uint64(s.effect.Mode))
		h = mix(h ^ uint64(s.choice))
		var before uint64
		for j := range steps[:i] {
			p := &steps[j]
			if p.thread == s.thread || !p.effect.Independent(s.effect) {
				before += p.hash
			}
		}
		s.hash = mix(h + mix(before+1))
		sum += s.hash
	}
	return sum
}

// mix is the finaliser of SplitMix64 with a constant added, so that it has no
// fixed point at zero.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
