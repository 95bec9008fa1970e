module github.com/carryover-go/carryover/modules/distiller

go 1.26
