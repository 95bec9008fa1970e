package timeline

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

func Family(argv []string) string { return shell.Family(argv) }

func Targets(argv []string) []string { return shell.Targets(argv) }

// CommandKey is a command without what does not change what it does.
func CommandKey(text string) string { return prose.Clip(shell.Key(text), 300) }

// IsCheck says whether a family of commands builds, tests, lints or checks types.
func IsCheck(fam string) bool { return fam != "" && verdict.CheckOf(strings.Fields(fam)) != "" }

func IsTest(fam string) bool {
	return fam != "" && verdict.CheckOf(strings.Fields(fam)) == verdict.Test
}
