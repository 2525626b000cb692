//go:build !race && !loom

package linearizability_test

const (
	slowBuild    = false
	agreeDefault = 10_000
)
