// Package version says which build this is.
package version

import "runtime/debug"

// Version is set at build time. What `go install` builds has the version of its module
// instead, and "dev" what knows neither.
var Version = "dev"

// program is the module that the programs are built from.
const program = "github.com/carryover-go/carryover"

func init() {
	if Version == "dev" {
		Version = installed(debug.ReadBuildInfo())
	}
}

// installed is the version that the go command has written into a program of ours.
func installed(info *debug.BuildInfo, ok bool) string {
	if !ok || info.Main.Path != program || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
