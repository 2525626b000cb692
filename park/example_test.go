package park_test

import (
	"fmt"

	"github.com/filch-sched/filch/park"
)

func Example() {
	p := park.New()
	result := 0
	go func() {
		result = 42
		p.Unpark() // before, during or after the Park: it is not lost
	}()
	p.Park()
	fmt.Println(result)
	// Output: 42
}
