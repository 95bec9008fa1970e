// Package setup installs and uninstalls: it finds the tools, has them wired,
// puts the hook client in place and starts or stops the daemon.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
)

// detectTimeout bounds one version command. A first start of an agent can take
// seconds on a cold disk.
const detectTimeout = 15 * time.Second

// ErrNotFound says that a tool is not installed here.
var ErrNotFound = errors.New("not found")

// Detection is what was found of a tool on this machine.
type Detection struct {
	Spec     *toolspecs.Spec
	Binary   string
	Version  string
	Resolved toolspecs.Resolved
	Err      error // ErrNotFound, or why the installed version cannot be wired
}

// Detect looks for a tool and its version: by the package.json of the npm package
// that its command belongs to, or the folder of its Python package, which takes no
// time, else by its version command.
func Detect(ctx context.Context, spec *toolspecs.Spec) Detection {
	d := Detection{Spec: spec}
	for _, name := range spec.Detect.Binaries {
		if path, err := exec.LookPath(name); err == nil {
			d.Binary = path
			break
		}
	}
	if d.Binary == "" {
		d.Binary = versionInApp(spec.Detect)
	}
	if d.Binary == "" {
		d.Err = fmt.Errorf("%s: %w", spec.Name, ErrNotFound)
		return d
	}
	if version := cmp.Or(packagedVersion(d.Binary), installedByPython(d.Binary)); version != "" {
		d.Version = version
		d.Resolved, d.Err = spec.Resolve(version)
		return d
	}
	ctx, cancel := context.WithTimeout(ctx, detectTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.Binary, spec.Detect.Version...)
	cmd.WaitDelay = time.Second
	output, err := cmd.Output()
	if err != nil {
		d.Err = fmt.Errorf("ask %s for its version: %w", d.Binary, err)
		return d
	}
	version, ok := spec.Detect.ParseVersion(string(output))
	if !ok {
		d.Err = fmt.Errorf("cannot read the version of %s: %.60q", d.Binary, output)
		return d
	}
	d.Version = version
	d.Resolved, d.Err = spec.Resolve(version)
	return d
}
