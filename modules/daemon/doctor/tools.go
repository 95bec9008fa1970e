package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// toolChecks look at each tool: is it here, are its settings sound, are our
// hooks in them, will it run them.
func toolChecks(ctx context.Context, p checkContext) []Check {
	var checks []Check
	if p.installed {
		checks = append(checks, hookClientCheck(p))
	}
	for _, spec := range p.table.All() {
		if spec.IsProtocol() {
			continue
		}
		checks = append(checks, toolCheck(ctx, p, spec)...)
		if heir := setup.HeirOf(spec); heir != "" {
			checks = append(checks, Check{spec.Tool + "-heir", Info, heir, ""})
		}
	}
	return checks
}

func hookClientCheck(p checkContext) Check {
	info, err := os.Stat(p.home.Hook())
	if err != nil || info.Mode().Perm()&0o100 == 0 {
		return Check{"hook-client", Error, p.home.Hook() + " is missing or not executable; hooks do nothing without it", "run `carryover install` again"}
	}
	return ok("hook-client", "%s", p.home.Hook())
}

func toolCheck(ctx context.Context, p checkContext, spec *toolspecs.Spec) []Check {
	found := setup.Detect(ctx, spec)
	wired := recordOf(p.record, spec.Tool)
	switch {
	case errors.Is(found.Err, setup.ErrNotFound) && wired == nil:
		return []Check{{spec.Tool, Skipped, "not installed", ""}}
	case found.Err != nil:
		return []Check{{spec.Tool, Warning, found.Err.Error(), ""}}
	}
	checks := []Check{versionCheck(spec, found)}
	if wired == nil {
		return append(checks, Check{spec.Tool + "-hooks", Info, "not connected", "run `carryover install --tools " + spec.Tool + "`"})
	}
	hooks := hooksCheck(p, spec, found)
	checks = append(checks, hooks)
	for _, off := range wiring.HooksOff(spec) {
		checks = append(checks, Check{spec.Tool + "-switch", Warning, off, "change the file, or ask the administrator; handoffs are still written into the project"})
	}
	if found.Resolved.Trust.Needed && hooks.Result == OK {
		checks = append(checks, trustCheck(ctx, p, spec, found))
	}
	return checks
}

func versionCheck(spec *toolspecs.Spec, found setup.Detection) Check {
	if found.Resolved.Newer {
		return Check{spec.Tool, Info, fmt.Sprintf("%s %s is newer than the tool table; the hooks of the last known version are used", spec.Name, found.Version), "upgrade carryover when there is a newer table"}
	}
	tested := ""
	if toolspecs.Untested(spec) {
		tested = "; documented, untested"
	}
	return ok(spec.Tool, "%s %s, %s%s", spec.Name, found.Version, found.Resolved.Range.Range, tested)
}

// hooksCheck asks what an install would change: nothing, if all is in place.
func hooksCheck(p checkContext, spec *toolspecs.Spec, found setup.Detection) Check {
	name := spec.Tool + "-hooks"
	again := "run `carryover install --tools " + spec.Tool + "` again"
	target, err := setup.TargetOf(p.home, spec, found.Resolved)
	if err != nil {
		return Check{name, Error, err.Error(), again}
	}
	change, err := wiring.Plan(target)
	switch {
	case errors.Is(err, wiring.ErrRefused):
		return Check{name, Error, err.Error(), "correct the file; the agent ignores it as it is"}
	case err != nil:
		return Check{name, Error, err.Error(), again}
	case change.Changed():
		if missing := missingHooks(target, change.Before); len(missing) > 0 && len(missing) < len(target.Hooks) {
			return Check{name, Warning, fmt.Sprintf("%s is no longer in %s", strings.Join(missing, ", "), target.Path), again}
		}
		return Check{name, Warning, "the hooks in " + target.Path + " do not match this version", again}
	}
	if target.Settings.Entry != "" {
		return ok(name, "%s: %s in %s", target.Settings.Key, target.Settings.Entry, target.Path)
	}
	return ok(name, "%d hooks in %s", len(target.Hooks), target.Path)
}

func recordOf(record wiring.Record, tool string) *wiring.FileRecord {
	for i := range record.Files {
		if slices.Contains(record.Files[i].Serves(), tool) {
			return &record.Files[i]
		}
	}
	return nil
}

// missingHooks are the hooks of a target that are not in its file, by the tool's names.
func missingHooks(target wiring.Target, file []byte) []string {
	var missing []string
	for _, hook := range target.Hooks {
		if !regexp.MustCompile(regexp.QuoteMeta(target.Tool+" "+hook.Event) + `\b`).Match(file) {
			missing = append(missing, hook.Event)
		}
	}
	return missing
}
