module github.com/filch-sched/filch/ci/bench

go 1.26

require (
	github.com/alitto/pond/v2 v2.7.1
	github.com/filch-sched/filch v0.0.0
)

replace github.com/filch-sched/filch => ../..
