module github.com/filch-sched/filch/linearizability/others

go 1.26

require (
	github.com/Workiva/go-datastructures v1.1.7
	github.com/alitto/pond/v2 v2.7.1
	github.com/filch-sched/filch v0.0.0
	github.com/gammazero/workerpool v1.3.0
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/sourcegraph/conc v0.3.0
)

require (
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/gammazero/deque v1.2.2 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
	golang.org/x/sync v0.11.0 // indirect
)

replace github.com/filch-sched/filch => ../..
