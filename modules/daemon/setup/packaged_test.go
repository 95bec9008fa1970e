package setup

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The version of a command of an npm package stands in its manifest; nothing else
// is trusted.
func TestPackagedVersion_IsThatOfTheManifest(t *testing.T) {
	for name, test := range map[string]struct{ manifest, want string }{
		"map of commands": {`{"version": "2.1.329", "bin": {"claude": "bin/cli.js"}}`, "2.1.329"},
		"one command":     {`{"version": "0.61.0", "bin": "./bin/cli.js"}`, "0.61.0"},
		"other command":   {`{"version": "1.0.0", "bin": {"x": "bin/other.js"}}`, ""},
		"no version":      {`{"version": "latest", "bin": "bin/cli.js"}`, ""},
		"no JSON":         {`{`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(t.TempDir(), "node_modules")
			program, link := filepath.Join(at, "pkg", "bin", "cli.js"), filepath.Join(at, ".bin", "claude")
			if err := errors.Join(os.MkdirAll(filepath.Dir(program), 0o755), os.MkdirAll(filepath.Dir(link), 0o755),
				os.WriteFile(program, nil, 0o755), os.WriteFile(filepath.Join(at, "pkg", "package.json"), []byte(test.manifest), 0o600),
				os.Symlink(program, link)); err != nil {
				t.Fatal(err)
			}
			if got := packagedVersion(link); got != test.want {
				t.Errorf("version %q, want %q", got, test.want)
			}
		})
	}
}
