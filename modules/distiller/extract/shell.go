package extract

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

func family(argv []string) string { return shell.Family(argv) }

func targets(argv []string) []string { return shell.Targets(argv) }

// commandKey is a command without what does not change what it does.
func commandKey(text string) string { return prose.Clip(shell.Key(text), 300) }

// isCheck says whether a family of commands builds, tests, lints or checks types.
func isCheck(fam string) bool { return fam != "" && verdict.CheckOf(strings.Fields(fam)) != "" }

func isTest(fam string) bool {
	return fam != "" && verdict.CheckOf(strings.Fields(fam)) == verdict.Test
}
