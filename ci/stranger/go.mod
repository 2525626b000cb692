module example.com/stranger

go 1.26

require github.com/filch-sched/filch v0.0.0

replace github.com/filch-sched/filch => ../..
