package wiring

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"

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
