// Package target runs scenarios of package model on the code that they are
// about: queue.Ring and queue.Inject, park.Parker, idle.Tracker with workers
// that keep its law, and the scheduler.
//
// [Run] performs the operations of a scenario, each thread on a thread of
// package loom, and returns the history. It is to be called in the body of
// loom.Check, which [Check] does: under the tag loom every interleaving is
// explored, without it the same runs on goroutines. [Sequential] performs the
// operations one after another.
package target
