module github.com/carryover-go/carryover/modules/daemon

go 1.26
