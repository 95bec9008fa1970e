package timeline

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// CommandKey is a command without what does not change what it does.
func CommandKey(text string) string { return prose.Clip(shell.Key(text), 300) }

// IsCheck says whether a family of commands builds, tests, lints or checks types.
func IsCheck(fam string) bool { return fam != "" && verdict.CheckOf(strings.Fields(fam)) != "" }

// IsTest says whether a family of commands runs tests.
func IsTest(fam string) bool {
	return fam != "" && verdict.CheckOf(strings.Fields(fam)) == verdict.Test
}
