//go:build loom

package queue

// padding is as small as the structs allow: an exploration runs one thread at a
// time, makes the queues anew in every execution, and has to clear what pads them.
const padding = 32
