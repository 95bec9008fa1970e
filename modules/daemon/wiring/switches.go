package wiring

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/toolspecs"
)

// maxSwitches bounds a file in which hooks may be switched off, in bytes.
const maxSwitches = 1 << 20

// HooksOff says, one sentence each, where a tool's hooks are switched off on this
// machine. What a single project switches off is not looked at. A file that cannot be
// read switches nothing off.
func HooksOff(spec *toolspecs.Spec) []string {
	user, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	var off []string
	for _, one := range spec.HookSwitches {
		for _, pattern := range toolspecs.ExpandAll(one.Paths, runtime.GOOS, os.Getenv, user) {
			paths, _ := filepath.Glob(pattern)
			for _, path := range paths {
				if isOn(path, one.Member) {
					off = append(off, "its hooks do not run: "+one.Member+" in "+path+" "+one.Why)
				}
			}
		}
	}
	slices.Sort(off) // places may be the same file twice
	return slices.Compact(off)
}

// SettingOf is what the settings file of a tool says of a member, "" when it does not
// name it. Dots go into objects.
func SettingOf(spec *toolspecs.Spec, member string) string {
	for _, versions := range spec.Versions {
		for _, settings := range versions.Settings {
			path, ok := SettingsPath(settings)
			if !ok {
				continue
			}
			data, err := regularfile.Read(path, maxSwitches)
			if err != nil {
				continue
			}
			if plain, err := hujson.Standardize(data); err == nil {
				return memberOf(plain, strings.Split(member, "."))
			}
		}
	}
	return ""
}

// memberOf is a value in a JSON object, a text without its quotes.
func memberOf(data []byte, names []string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || members[names[0]] == nil {
		return ""
	}
	if len(names) > 1 {
		return memberOf(members[names[0]], names[1:])
	}
	return strings.Trim(string(members[names[0]]), `"`)
}

// isOn says whether a member of a JSON file is true.
func isOn(path, name string) bool {
	data, err := regularfile.Read(path, maxSwitches)
	if err != nil {
		return false
	}
	plain, err := hujson.Standardize(data)
	if err != nil {
		return false
	}
	var members map[string]json.RawMessage
	return json.Unmarshal(plain, &members) == nil && string(members[name]) == "true"
}
