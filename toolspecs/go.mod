module github.com/carryover-go/carryover/toolspecs

go 1.26.0

require (
	github.com/Masterminds/semver/v3 v3.5.0
	github.com/coder/acp-go-sdk v0.13.0
)
