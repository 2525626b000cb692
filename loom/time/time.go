//go:build !loom

// Package time is the part of package time that production code uses. Under
// the build tag loom a timer is an event that may fire at any step.
package time

import "time"

// The types of time themselves.
type (
	Duration = time.Duration
	Time     = time.Time
	Timer    = time.Timer
)

// Now is time.Now.
func Now() Time { return time.Now() }

// Since is time.Since.
func Since(t Time) Duration { return time.Since(t) }

// AfterFunc is time.AfterFunc.
func AfterFunc(d Duration, f func()) *Timer { return time.AfterFunc(d, f) }
