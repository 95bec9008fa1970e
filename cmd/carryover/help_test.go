package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
)

// eachCommand calls f for every command, those of the program's own before
// their children.
func eachCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, child := range cmd.Commands() {
		eachCommand(child, f)
	}
}

// commandTree is the whole of the program, with what the library adds when it
// runs.
func commandTree() *cobra.Command {
	root := newRoot(new(cli.App))
	root.InitDefaultHelpCmd()
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
	})
	return root
}

// TestHelp_Golden holds the help of every command: words on the screen change
// only where somebody has read the difference.
func TestHelp_Golden(t *testing.T) {
	const path = "testdata/help.txt"
	var all bytes.Buffer
	eachCommand(commandTree(), func(cmd *cobra.Command) {
		if cmd.HasParent() && cmd.Parent().Name() == "completion" {
			return // the words of a library
		}
		var out bytes.Buffer
		cmd.SetOut(&out)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(&all, "$ %s --help\n%s\n", cmd.CommandPath(), strings.TrimRight(out.String(), "\n")+"\n")
	})
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, all.Bytes()) {
		t.Errorf("the help is not that of %s: run with -update and read the difference\n%s", path, all.String())
	}
}

var clause = regexp.MustCompile(`\b(that|which)\b`)

func TestHelp_SummariesAreShortAndImperative(t *testing.T) {
	eachCommand(commandTree(), func(cmd *cobra.Command) {
		switch short := cmd.Short; {
		case short == "", utf8.RuneCountInString(short) > 60, strings.ContainsAny(short, ";."), clause.MatchString(short):
			t.Errorf("%s: %q", cmd.CommandPath(), short)
		case short[0] < 'A' || short[0] > 'Z':
			t.Errorf("%s: %q begins with no capital", cmd.CommandPath(), short)
		}
	})
}

func TestHelp_EveryCommandHasAnExampleAndAGroup(t *testing.T) {
	root := commandTree()
	eachCommand(root, func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd == root || strings.HasPrefix(path, "carryover completion") {
			return
		}
		if cmd.Example == "" {
			t.Errorf("%s has no example", path)
		}
		if cmd.Parent() == root && cmd.GroupID == "" && cmd.Name() != "help" {
			t.Errorf("%s is in no group", path)
		}
	})
}
