package setup

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/Masterminds/semver/v3"
)

// maxManifest bounds a package.json that is read, in bytes.
const maxManifest = 1 << 20

// packagedVersion is the version of the npm package that has a program as one of
// its commands; "" where there is none, or it is not sure.
func packagedVersion(binary string) string {
	real, err := filepath.EvalSymlinks(binary)
	if err != nil || real == binary {
		return "" // npm links its commands
	}
	for dir := filepath.Dir(real); filepath.Base(dir) != "node_modules" && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "package.json")
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxManifest {
			continue
		}
		return manifestVersion(path, dir, real)
	}
	return ""
}

// manifestVersion is the version of a manifest that names the program.
func manifestVersion(path, dir, program string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	var manifest struct {
		Version string          `json:"version"`
		Bin     json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(data, &manifest) != nil {
		return ""
	}
	if _, err := semver.StrictNewVersion(manifest.Version); err != nil {
		return ""
	}
	var one string
	commands := map[string]string{}
	if json.Unmarshal(manifest.Bin, &one) == nil {
		commands[""] = one
	} else if json.Unmarshal(manifest.Bin, &commands) != nil {
		return ""
	}
	for _, command := range commands {
		if filepath.Join(dir, filepath.FromSlash(command)) == program {
			return manifest.Version
		}
	}
	return ""
}
