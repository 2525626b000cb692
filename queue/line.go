//go:build !loom

package queue

const padding = 128
