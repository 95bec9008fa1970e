module github.com/carryover-go/carryover/modules/distiller

go 1.26.0

require (
	github.com/carryover-go/carryover/toolspecs v0.0.0
	github.com/smacker/go-tree-sitter v0.0.0-20240827094217-dd81d9e9be82
)

require (
	github.com/Masterminds/semver/v3 v3.5.0 // indirect
	github.com/coder/acp-go-sdk v0.13.0 // indirect
)
