//go:build race || loom

package linearizability_test

// The judges are the same in every build. In a slow one fewer histories do, and
// the cost of recording is another.
const (
	slowBuild    = true
	agreeDefault = 500
)
