package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// Usage is an error of the person at the keyboard, with the help that is near.
func Usage(cmd *cobra.Command, format string, args ...any) error {
	return Coded(ExitUsage, "usage", fmt.Errorf(format, args...), "see `%s --help`", cmd.CommandPath())
}

// Takes checks how many arguments a command was given. The names are those of
// its usage line; the last one may be left out (optional) or repeated (many).
func Takes(least, most int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return Usage(cmd, "%s is missing", names[len(args)])
		case most >= 0 && len(args) > most:
			return Usage(cmd, "unexpected argument %q", args[most])
		}
		return nil
	}
}

// TakesNothing refuses every argument.
var TakesNothing = Takes(0, 0)

// Many is no limit for the arguments that Takes checks.
const Many = -1

// Group makes a command that only holds others. Alone it prints its help,
// which is no answer for a program.
func (a *App) Group(cmd *cobra.Command) *cobra.Command {
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		unknown := fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return Coded(ExitUsage, "usage", unknown, "did you mean `%s %s`?", cmd.CommandPath(), strings.Join(near, "` or `"))
		}
		return Coded(ExitUsage, "usage", unknown, "see `%s --help`", cmd.CommandPath())
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if a.JSON {
			return Usage(cmd, "command is missing")
		}
		return cmd.Help()
	}
	return cmd
}

// Absolute is a path as the daemon, which works elsewhere, understands it.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
