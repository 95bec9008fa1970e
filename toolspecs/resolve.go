package toolspecs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Resolved is what holds for one installed version.
type Resolved struct {
	Range
	Version string // as asked for
	// Newer says that the version is newer than any that was looked at; the
	// newest range is used for it.
	Newer bool
	// Newest is the newest version that was looked at.
	Newest string
}

// Resolve finds the range of an installed version, with the hooks it knows.
// Pre-releases count as their release. A version older than every range is
// ErrTooOld with the reason, one that has the tool no more ErrGone.
func (s *Spec) Resolve(version string) (Resolved, error) {
	asked, err := core(version)
	if err != nil {
		return Resolved{}, fmt.Errorf("version of %s: %w", s.Name, err)
	}
	oldest, newest := s.span()
	if asked.LessThan(oldest) {
		return Resolved{}, fmt.Errorf("%w: %s %s is older than %s, the oldest that can be connected; %s", ErrTooOld, s.Name, version, oldest, gain(s))
	}
	if gone, err := core(s.RetiredIn); s.RetiredIn != "" && err == nil && !asked.LessThan(gone) {
		return Resolved{}, fmt.Errorf("%w: %s is no part of version %s and later; there is nothing to set up", ErrGone, s.Name, s.RetiredIn)
	}
	resolved := Resolved{Version: version, Newer: asked.GreaterThan(newest), Newest: newest.String()}
	if resolved.Newer {
		asked = newest
	}
	for _, candidate := range s.Versions {
		if within(candidate.Range, asked) {
			resolved.Range = candidate
			resolved.Hooks = s.hooksOf(asked)
			return resolved, nil
		}
	}
	return Resolved{}, fmt.Errorf("version of %s: no range holds %s", s.Name, version)
}

// gain says what an upgrade to a version that can be connected adds.
func gain(s *Spec) string {
	gives := func(h Hook) bool { return h.Wired && h.Output != "none" }
	if slices.ContainsFunc(s.Hooks, gives) {
		return "upgrade it, and its sessions begin with the handoff"
	}
	return "upgrade it, and it reads the handoff"
}

// Newest is the newest version that was looked at.
func (s *Spec) Newest() string {
	_, newest := s.span()
	return newest.String()
}

func (s *Spec) hooksOf(version *semver.Version) []Hook {
	var hooks []Hook
	for _, hook := range s.Hooks {
		if within(hook.Known, version) {
			hooks = append(hooks, hook)
		}
	}
	return hooks
}

// Wired are the hooks that are written at install.
func (r Range) Wired() []Hook {
	var wired []Hook
	for _, hook := range r.Hooks {
		if hook.Wired {
			wired = append(wired, hook)
		}
	}
	return wired
}

// WiredFor are the wired hooks of somebody who wants notices in mid-turn, or
// none: then a hook that also serves something else is for those calls alone.
func (r Range) WiredFor(midTurn bool) []Hook {
	wired := r.Wired()
	for i := range wired {
		if !midTurn && wired[i].NarrowMatcher != "" {
			wired[i].Matcher = wired[i].NarrowMatcher
		}
	}
	return wired
}

// Hook finds a hook by one of its event's names, in any case.
func (s *Spec) Hook(event string) (Hook, bool) {
	same := func(name string) bool { return strings.EqualFold(name, event) }
	for _, hook := range slices.Concat(s.Hooks, s.editorHooks) {
		if same(hook.Event) || slices.ContainsFunc(hook.As, same) {
			return hook, true
		}
	}
	return Hook{}, false
}

// ParseVersion reads a version out of what the version command printed.
func (d Detect) ParseVersion(output string) (string, bool) {
	pattern, err := regexp.Compile(d.Pattern)
	if err != nil {
		return "", false
	}
	found := pattern.FindStringSubmatch(output)
	if len(found) < 2 || found[1] == "" {
		return "", false
	}
	return found[1], true
}

// bounds finds the versions a constraint is made of.
var bounds = regexp.MustCompile(`\d+\.\d+\.\d+`)

// span is from the oldest to the newest version any range names.
func (s *Spec) span() (oldest, newest *semver.Version) {
	for _, candidate := range s.Versions {
		for _, text := range bounds.FindAllString(candidate.Range, -1) {
			bound := semver.MustParse(text)
			if oldest == nil || bound.LessThan(oldest) {
				oldest = bound
			}
			if newest == nil || bound.GreaterThan(newest) {
				newest = bound
			}
		}
	}
	return oldest, newest
}

// core parses a version and drops what follows its three numbers.
func core(version string) (*semver.Version, error) {
	parsed, err := semver.NewVersion(strings.TrimSpace(version))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", version, err)
	}
	return semver.New(parsed.Major(), parsed.Minor(), parsed.Patch(), "", ""), nil
}

func within(constraint string, version *semver.Version) bool {
	parsed, err := semver.NewConstraint(constraint)
	return err == nil && parsed.Check(version)
}

// WiresHooks says whether a hook of ours is wired for the tool. One without hears
// of things from the files it reads alone.
func (s *Spec) WiresHooks() bool {
	return slices.ContainsFunc(s.Hooks, func(hook Hook) bool { return hook.Wired })
}
