module github.com/carryover-go/carryover/modules/ledger

go 1.26

require github.com/carryover-go/carryover/toolspecs v0.0.0
