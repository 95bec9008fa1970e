package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/carryover-go/carryover/modules/daemon/setup"
)

// Sibling finds one of our other programs beside this one, else on the PATH.
func Sibling(name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := os.Executable()
	if err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		path := filepath.Join(filepath.Dir(self), name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	return "", Hinted(fmt.Errorf("%s is not in the folder of carryover", name), "reinstall carryover; in the source tree run `make build`")
}

// Upgrade is what brings a newer Carryover to this machine.
func Upgrade() string {
	self, err := os.Executable()
	if err != nil {
		return "install a newer Carryover"
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	return setup.Upgrade(self)
}
