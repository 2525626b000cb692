// Package model is the law. It says what filch's queues, parkers and schedulers
// must do, apart from any code that does it: there are no goroutines and no
// atomics in it, and it imports nothing of what it judges.
package model
