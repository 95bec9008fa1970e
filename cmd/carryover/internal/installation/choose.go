package installation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/picker"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/toolspecs"
)

// errCancelled is that of a person who chose nothing. It is no failure.
var errCancelled = errors.New("nothing was changed")

// cancelled says so, and ends well; every other error stays.
func cancelled(a *cli.App, err error, command string) error {
	if !errors.Is(err, errCancelled) {
		return err
	}
	a.Note("nothing was changed; run `carryover %s` again, or name the agents with --tools", command)
	return nil
}

// selectTools takes the named tools, or asks, with those that are found ticked. Where
// nobody is asked, those that are too old to be connected are told apart.
func selectTools(ctx context.Context, a *cli.App, flags installFlags) (selected, old []setup.Detection, err error) {
	if err := knownTools(a, flags.tools); err != nil {
		return nil, nil, err
	}
	if !a.JSON {
		a.Note("Looking for agents…")
	}
	found := setup.SurveySaying(ctx, a.Table(), func(name string) { a.Note("still waiting for %s to say its version…", name) }, flags.tools...)
	if len(flags.tools) > 0 {
		return pick(found, flags.tools), nil, nil
	}
	here := wirable(found)
	if len(here) == 0 {
		if reasons := tooOld(found); len(reasons) > 0 {
			return nil, nil, cli.Hinted(fmt.Errorf("no agent can be connected: %s", strings.Join(reasons, "; ")),
				"upgrade it, then run `carryover install` again; until then `carryover import` reads its sessions")
		}
		return nil, nil, cli.Hinted(errors.New("no supported agent is installed"), "%s", absentHint(found))
	}
	if flags.yes || flags.dryRun {
		for _, reason := range tooOld(found) {
			a.Note("not connected: %s; its sessions are read, and its context file points to the handoff", reason)
		}
		return pick(found, here), outdated(found), nil
	}
	selected, err = askWhich(ctx, "Which agents should share their work?", "installs", "install", found, here)
	return selected, nil, err
}

// savedTools takes the named tools, or asks, with those of the last choice
// ticked.
func savedTools(ctx context.Context, a *cli.App, flags installFlags) ([]setup.Detection, error) {
	if err := knownTools(a, flags.tools); err != nil {
		return nil, err
	}
	choices, err := config.Load(a.Home)
	if err != nil {
		return nil, cli.Hinted(err, "correct the file")
	}
	saved := flags.tools
	if len(saved) == 0 {
		saved = choices.Tools
	}
	if len(saved) == 0 && (flags.yes || flags.dryRun) {
		return nil, cli.Hinted(errors.New("no agent was chosen yet"), "run `carryover install`")
	}
	if flags.yes || flags.dryRun || len(flags.tools) > 0 {
		return setup.Survey(ctx, a.Table(), saved...), nil
	}
	found := setup.Survey(ctx, a.Table())
	return askWhich(ctx, "Which agents should stay connected?", "refreshes", "refresh", found, saved)
}

// askWhich shows the list, those that are here first, with the ticked ones ticked.
// Those that are neither here nor ticked are only counted.
func askWhich(ctx context.Context, title, verb, command string, found []setup.Detection, ticked []string) ([]setup.Detection, error) {
	question := picker.Question{Title: title, Verb: verb, UTF8: cli.UTF8Terminal(), In: os.Stdin, Out: os.Stderr}
	absent := 0
	for _, d := range slices.SortedStableFunc(slices.Values(found), missingLast) {
		if errors.Is(d.Err, setup.ErrNotFound) && !slices.Contains(ticked, d.Spec.Tool) {
			absent++
			continue
		}
		question.Choices = append(question.Choices, picker.Choice{
			Value: d.Spec.Tool, Name: d.Spec.Name, Detail: detail(d), Missing: d.Err != nil, Checked: slices.Contains(ticked, d.Spec.Tool),
		})
	}
	if absent > 0 {
		question.Note = fmt.Sprintf("%d other agents were not found", absent)
	}
	chosen, err := question.Ask(ctx)
	switch {
	case errors.Is(err, picker.ErrNobody):
		return nil, cli.Coded(cli.ExitUsage, "usage", err, "run `carryover %s --yes`, or name the agents with --tools", command)
	case errors.Is(err, picker.ErrStopped), err == nil && len(chosen) == 0 && command == "install":
		return nil, errCancelled
	}
	return pick(found, chosen), err
}

func missingLast(a, b setup.Detection) int {
	switch missing := errors.Is(a.Err, setup.ErrNotFound); {
	case missing == errors.Is(b.Err, setup.ErrNotFound):
		return 0
	case missing:
		return 1
	}
	return -1
}

// detail is what stands behind a tool's name: its version, or why it cannot be
// wired.
func detail(d setup.Detection) string {
	switch {
	case d.Err == nil && d.Resolved.Newer:
		return d.Version + ", newer than the table"
	case d.Err == nil:
		return d.Version
	case errors.Is(d.Err, setup.ErrNotFound):
		return "not found"
	case d.Version != "":
		return d.Version + ", cannot be connected"
	}
	return "unknown version"
}

func pick(found []setup.Detection, tools []string) []setup.Detection {
	var picked []setup.Detection
	for _, d := range found {
		if slices.Contains(tools, d.Spec.Tool) {
			picked = append(picked, d)
		}
	}
	return picked
}

// wirable are the tools that are here, in a version that is known.
func wirable(found []setup.Detection) []string {
	var names []string
	for _, d := range found {
		if d.Err == nil {
			names = append(names, d.Spec.Tool)
		}
	}
	return names
}

// outdated are the agents that are here and too old to be connected.
func outdated(found []setup.Detection) []setup.Detection {
	return slices.DeleteFunc(slices.Clone(found), func(d setup.Detection) bool { return !errors.Is(d.Err, toolspecs.ErrTooOld) })
}

// tooOld says of each agent that is here and too old to be connected why.
func tooOld(found []setup.Detection) (reasons []string) {
	for _, d := range outdated(found) {
		reasons = append(reasons, strings.TrimPrefix(d.Err.Error(), toolspecs.ErrTooOld.Error()+": "))
	}
	return reasons
}

// absentHint says which tools were looked for.
func absentHint(found []setup.Detection) string {
	var names []string
	for _, d := range found {
		names = append(names, d.Spec.Name)
	}
	return fmt.Sprintf("install one of %s, then run `carryover install` again", strings.Join(names, ", "))
}

func knownTools(a *cli.App, tools []string) error {
	for _, tool := range tools {
		if err := a.KnownTool("tools", tool); err != nil {
			return err
		}
	}
	return nil
}
