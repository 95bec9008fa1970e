package installation

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/setup"
)

// noteDryRun ends a dry run: what would happen, and the command that does it.
// The diff has standard output to itself, so that it can be piped to a program.
func noteDryRun(a *cli.App, outcomes []setup.Outcome, flags installFlags) {
	var connected, removed []string
	files := 0
	for _, o := range outcomes {
		if o.Err == nil && o.Change.Changed() {
			files++
		}
		switch {
		case o.Err != nil:
		case o.Removed:
			removed = append(removed, o.Name)
		default:
			connected = append(connected, o.Name)
		}
	}
	parts := []string{cli.Count(len(connected), "agent") + " connected" + named(connected)}
	if len(removed) > 0 {
		parts = append(parts, cli.Count(len(removed), "agent")+" disconnected"+named(removed))
	}
	parts = append(parts, cli.Count(files, "file")+" of theirs changed", cli.HomePath(a.Home.Hook())+" installed")
	if daemon := flags.daemonText(serves(outcomes)); daemon != "" {
		parts = append(parts, daemon)
	}
	a.Note("would be done: %s", strings.Join(parts, ", "))
	if serves(outcomes) {
		a.Note("%s", projectFiles(a, outcomes))
	}
	a.Note("nothing was changed; run `%s` to do it", flags.again)
}

// named lists names in brackets, where there are any.
func named(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// daemonText says what an install with these flags does with the daemon.
func (f *installFlags) daemonText(served bool) string {
	switch {
	case f.noDaemon, !served && !f.noHooks:
		return ""
	case f.noService:
		return "daemon started, not at login"
	}
	return "daemon started, now and at login"
}

// againWithout is the command that was called, without one of its flags.
func againWithout(cmd *cobra.Command, left string) string {
	argv := strings.Fields(cmd.CommandPath())
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch value := strings.Trim(flag.Value.String(), "[]"); {
		case flag.Name == left:
		case flag.Value.Type() == "bool" && value == "true":
			argv = append(argv, "--"+flag.Name)
		default:
			argv = append(argv, "--"+flag.Name, value)
		}
	})
	return cli.ShellLine(argv)
}
