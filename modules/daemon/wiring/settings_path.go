package wiring

import (
	"os"
	"runtime"
	"slices"

	"github.com/carryover-go/carryover/toolspecs"
)

// SettingsPath is the settings file of a tool in this home: the first
// candidate that exists, else the standard place.
func SettingsPath(settings toolspecs.Settings) (string, bool) {
	user, err := os.UserHomeDir()
	if err != nil {
		return "", false
	}
	candidates := toolspecs.ExpandAll(settings.Paths, runtime.GOOS, os.Getenv, user)
	if len(candidates) == 0 {
		return "", false
	}
	if i := slices.IndexFunc(candidates, func(path string) bool { _, err := os.Stat(path); return err == nil }); i >= 0 {
		return candidates[i], true
	}
	return candidates[0], true
}
