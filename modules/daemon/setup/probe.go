package setup

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// Results of a finding.
const (
	Holds   = "holds"
	Changed = "changed" // not what was verified; it may still work
	Gone    = "gone"    // what is wired is no longer there
)

// Finding is one fact of a spec, held against the installed program.
type Finding struct {
	Fact    string `json:"fact"`
	Result  string `json:"result"`
	Message string `json:"message"`
}

// Probe holds a spec against the program that is installed, without a network
// and without starting a session: its version, the versions the facts were
// verified on, the names that are wired, its settings file. A tool that is not
// installed has no findings.
func Probe(ctx context.Context, dir home.Dir, spec *toolspecs.Spec) []Finding {
	found := Detect(ctx, spec)
	if errors.Is(found.Err, ErrNotFound) {
		return nil
	}
	if found.Err != nil {
		return []Finding{{"version", Gone, found.Err.Error()}}
	}
	findings := []Finding{versionFinding(found)}
	findings = append(findings, verifiedFindings(found)...)
	if events, ok := eventsFinding(ctx, found); ok {
		findings = append(findings, events)
	}
	if target, err := TargetOf(dir, spec, found.Resolved); err == nil {
		settings := Finding{"settings file", Holds, target.Path}
		if _, err := wiring.Plan(target); err != nil {
			settings.Result, settings.Message = Changed, err.Error()
		}
		findings = append(findings, settings)
	}
	return findings
}

func versionFinding(found Detection) Finding {
	if found.Resolved.Newer {
		return Finding{"version", Changed, fmt.Sprintf("%s is newer than %s, whose names are used", found.Version, found.Resolved.Newest)}
	}
	return Finding{"version", Holds, found.Version + " is in " + found.Resolved.Range.Range}
}

// verifiedFindings say which groups of facts were verified on this version.
func verifiedFindings(found Detection) []Finding {
	var findings []Finding
	for _, v := range found.Spec.Verified {
		finding := Finding{v.Group, Holds, fmt.Sprintf("%s on this version, %s", v.How, v.Date)}
		if v.Version != found.Version {
			finding.Result, finding.Message = Changed, fmt.Sprintf("%s on %s, %s", v.How, v.Version, v.Date)
		}
		findings = append(findings, finding)
	}
	return findings
}

// eventsFinding looks for the names of the wired events in the program itself.
// ok is false where none of them can be seen: the program is packed, or is but
// a script that starts another.
func eventsFinding(ctx context.Context, found Detection) (finding Finding, ok bool) {
	var names []string
	for _, hook := range found.Resolved.Wired() {
		names = append(names, hook.Event)
	}
	missing, err := notInProgram(ctx, found.Binary, names)
	switch {
	case err != nil || len(names) == 0 || len(missing) == len(names):
		return Finding{}, false
	case len(missing) > 0:
		return Finding{"wired events", Gone, "not in the program: " + strings.Join(missing, " ")}, true
	}
	return Finding{"wired events", Holds, "all in the program: " + strings.Join(names, " ")}, true
}
