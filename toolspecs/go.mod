module github.com/carryover-go/carryover/toolspecs

go 1.26
