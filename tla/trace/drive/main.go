// Command drive runs tasks on a scheduler, to be recorded, or with -of rings or -of
// parker operations on these alone. It needs the build tag loom.
//
//	go build -tags loom -o drive ./tla/trace/drive
//	LOOM_MODE=record LOOM_RECORD=run.jsonl ./drive -workers 4 -tasks 1000 -seed 1
//
// writes down what a run on all processors does to memory that threads share, in the
// order in which it is done; and
//
//	./drive -workers 2 -tasks 4 -seed 1 -algorithm pct -executions 5 -record run.jsonl
//
// what executions do whose order package loom draws: the same for the same seed.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/sched"
	"github.com/filch-sched/filch/tla/trace"
)

// program is what a run does, but for the order.
type program struct {
	of             string
	workers, tasks int
	seed           uint64
}

func main() {
	p, executions := program{}, 0
	algorithm := flag.String("algorithm", "random", "of package loom, to draw executions")
	record := flag.String("record", "", "file for the executions")
	flag.StringVar(&p.of, "of", trace.Sched.Name, "what is driven: sched, rings or parker")
	flag.IntVar(&p.workers, "workers", 4, "workers of the scheduler, owners of a ring each, or one who parks and others that unpark")
	flag.IntVar(&p.tasks, "tasks", 1000, "tasks that come from outside, or operations of each")
	flag.Uint64Var(&p.seed, "seed", 1, "what the run draws from")
	flag.IntVar(&executions, "executions", 0, "how many executions to draw; 0: run on the machine")
	flag.Parse()
	_, err := trace.Find(p.of)
	switch {
	case err != nil:
	case flag.NArg() > 0:
		err = fmt.Errorf("%q is not a flag", flag.Arg(0))
	case !loom.Enabled:
		err = fmt.Errorf("this needs the build tag loom")
	case executions == 0:
		err = p.run()
	default:
		err = p.explore(*algorithm, executions, *record)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(1)
	}
}

// explore draws executions and records them.
func (p program) explore(algorithm string, executions int, record string) error {
	file, err := os.Create(record)
	if err != nil {
		return err
	}
	_, err = loom.Explore(func() {
		if err := p.run(); err != nil {
			panic(err)
		}
	}, loom.Algorithm(algorithm), loom.Runs(executions), loom.Seed(p.seed), loom.KeepGoing(), loom.Record(file))
	if bad := file.Close(); err == nil {
		err = bad
	}
	return err
}

func (p program) run() error {
	switch p.of {
	case trace.Rings.Name:
		return p.rings()
	case trace.Parker.Name:
		return p.parker()
	}
	return p.sched()
}

// sched submits the tasks from two goroutines while the scheduler runs them, and closes
// it while a third still submits.
func (p program) sched() error {
	s, err := sched.New(sched.Workers(p.workers), sched.RingCapacity(trace.Capacity),
		sched.GlobalInterval(trace.Interval), sched.Seed(p.seed))
	if err != nil {
		return err
	}
	var submitters, late sync.WaitGroup
	for i := range 2 {
		submitters.Go(func() {
			r := rand.New(rand.NewPCG(p.seed, uint64(i)))
			for left := p.tasks / 2; left > 0; left -= burst {
				p.submit(s, r, min(left, burst))
			}
		})
	}
	submitters.Wait()
	late.Go(func() {
		for range 20 { // pct never takes the turn from some threads
			if s.Go(family(1)) != nil {
				return
			}
			pause(1)
		}
	})
	err = s.Close()
	late.Wait()
	return err
}

// burst is after how many tasks a submitter waits for them, so that workers sleep.
const burst = 3

// submit submits n tasks that spawn others, and waits until they ended.
func (p program) submit(s *sched.Scheduler, r *rand.Rand, n int) {
	var ended sync.WaitGroup
	for range n {
		task := family(r.IntN(3))
		switch r.IntN(4) {
		case 0:
			task = family(9) // half of which is stolen
		case 1:
			task = chain(2 * trace.LIFOCap) // more of the LIFO slot than run in a row
		}
		ended.Add(1)
		if s.Go(func(c sched.Ctx) { task(c); ended.Done() }) != nil {
			panic("drive: a task was refused before Close")
		}
	}
	ended.Wait()
}

// family is a task that spawns as many others, of which the first spawns half as many.
func family(children int) func(sched.Ctx) {
	return func(c sched.Ctx) {
		for i := range children {
			grandchildren := 0
			if i == 0 {
				grandchildren = children / 2
			}
			if c.Go(family(grandchildren)) != nil {
				return // after Close
			}
		}
		pause(children)
	}
}

// chain is a task that spawns one, which spawns one, and so on: n of them.
func chain(n int) func(sched.Ctx) {
	return func(c sched.Ctx) {
		if n > 0 && c.Go(chain(n-1)) != nil {
			return // after Close
		}
	}
}

// pause lets others have the processor.
func pause(times int) {
	for range times {
		runtime.Gosched()
	}
}
