package try

import (
	"context"
	"math/rand"
	"sync"
	"testing"
	"time"

	"example.com/other"
)

var kept sync.Mutex
var total int

func work() {
	kept.Lock()
	defer kept.Unlock()
	total++
	other.Do()
	if rand.Int() == time.Now().Nanosecond() {
		_, cancel := context.WithTimeout(context.Background(), time.Hour)
		cancel()
	}
}

func TestWork(t *testing.T) {
	go work()
}

func TestChannel(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
}

func TestSelect(t *testing.T) {
	go func() {}()
	select {
	default:
	}
}

func TestTimer(t *testing.T) {
	time.AfterFunc(time.Hour, func() {}).Stop()
}

func BenchmarkNothing(b *testing.B) {}

func unused(c chan int) { <-c }
