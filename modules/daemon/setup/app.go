package setup

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/carryover-go/carryover/toolspecs"
)

// inside are the folders in which editors made from VS Code keep their command,
// on Linux and Windows, and on macOS.
var inside = []string{"bin", filepath.Join("resources", "app", "bin"), filepath.Join("Contents", "Resources", "app", "bin")}

// versionInApp is the command of a program that was not put on the PATH, as on macOS
// nothing is by itself; "" where the program is not here.
func versionInApp(detect toolspecs.Detect) string {
	user, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	app, ok := toolspecs.Expand(detect.Apps[runtime.GOOS], runtime.GOOS, os.Getenv, user)
	if !ok || app == "" {
		return ""
	}
	for _, folder := range inside {
		for _, name := range detect.Binaries {
			path := filepath.Join(app, folder, name)
			if runtime.GOOS == "windows" {
				path += ".cmd"
			}
			if exists(path) {
				return path
			}
		}
	}
	return ""
}
