module github.com/filch-sched/filch

go 1.26
