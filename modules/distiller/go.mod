module github.com/carryover-go/carryover/modules/distiller

go 1.26.0

require github.com/carryover-go/carryover/toolspecs v0.0.0
