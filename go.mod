module github.com/carryover-go/carryover

go 1.26
