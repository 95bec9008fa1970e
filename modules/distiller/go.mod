module github.com/carryover-go/carryover/modules/distiller

go 1.26.0

require github.com/carryover-go/carryover/toolspecs v0.0.0

require github.com/Masterminds/semver/v3 v3.5.0 // indirect
