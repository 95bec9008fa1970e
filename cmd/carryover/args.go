package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// usage is an error of the person at the keyboard, with the help that is near.
func usage(cmd *cobra.Command, format string, args ...any) error {
	return coded(exitUsage, "usage", fmt.Errorf(format, args...), "see `%s --help`", cmd.CommandPath())
}

// takes checks how many arguments a command was given. The names are those of
// its usage line; the last one may be left out (optional) or repeated (many).
func takes(least, most int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage(cmd, "%s is missing", names[len(args)])
		case most >= 0 && len(args) > most:
			return usage(cmd, "unexpected argument %q", args[most])
		}
		return nil
	}
}

// takesNothing refuses every argument.
var takesNothing = takes(0, 0)

// many is no limit for the arguments that takes checks.
const many = -1

// group makes a command that only holds others. Alone it prints its help,
// which is no answer for a program.
func (a *app) group(cmd *cobra.Command) *cobra.Command {
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		unknown := fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return coded(exitUsage, "usage", unknown, "did you mean `%s %s`?", cmd.CommandPath(), strings.Join(near, "` or `"))
		}
		return coded(exitUsage, "usage", unknown, "see `%s --help`", cmd.CommandPath())
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if a.json {
			return usage(cmd, "command is missing")
		}
		return cmd.Help()
	}
	return cmd
}

// absolute is a path as the daemon, which works elsewhere, understands it.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
