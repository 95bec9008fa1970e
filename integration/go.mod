module github.com/carryover-go/carryover/integration

go 1.26.0
