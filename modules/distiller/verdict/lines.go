package verdict

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// header are the lines that tools put before an output.
var header = lazyregexp.New(`^(?:Command: /|Wall time|Chunk ID|Process exited|Original token|Output:|Script (?:completed|failed)|Exit code[: ]|Error: Exit code|<\w+>$|</\w+>$|\(no output\)|\(Bash completed|\(?Command (?:executed|completed) successfully|no output$|<system-reminder|Shell cwd was reset)`)

// Lines are those of an output that the programs printed, without what tools put before it, and
// without the command that a runner of tasks shows first.
func Lines(text string) []string {
	var out []string
	script := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n \t")
		if line == "" || len(line) > 600 || header.MatchString(line) || len(out) == 0 && shownFirst.MatchString(line) {
			continue
		}
		if script = npmScript.MatchString(line) || script && strings.HasPrefix(line, "> "); script {
			continue
		}
		out = append(out, line)
	}
	return out
}

// npmScript is how npm and pnpm name the script of a package before they run it, by its
// command on the line below: "> pkg@1.0.0 build". shownFirst is the same of yarn, pnpm 10 and bun.
var (
	npmScript  = lazyregexp.New(`^> (?:@?[\w.-]+/)?[\w.-]+@\S+ [\w:.-]+(?: /\S+)?$`)
	shownFirst = lazyregexp.New(`^\$ \S`)
)
