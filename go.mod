module github.com/carryover-go/carryover

go 1.26

require github.com/carryover-go/carryover/modules/daemon v0.0.0
