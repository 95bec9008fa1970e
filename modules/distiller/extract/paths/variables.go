package paths

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// variables are what a shell text itself sets: the words a loop goes through, and names that are
// given a value. What only a shell would know, as the files that a pattern finds, is none.
type variables map[string][]string

// assigned is a name that is given a value.
var assigned = lazyregexp.New(`(?m)(?:^|[;&|]|\bdo|\bthen)\s*([A-Za-z_]\w*)=("[^"\n]*"|'[^'\n]*'|[^\s;&|'"()]+)`)

// maxLoop bounds how many times the commands of a loop are read.
const maxLoop = 40

func variablesOf(text string, commands []shell.Command) variables {
	vars := variables{}
	for _, c := range commands {
		if len(c.Argv) < 4 || c.Argv[0] != "for" || c.Argv[2] != "in" || slices.ContainsFunc(c.Argv[3:], func(w string) bool { return strings.ContainsAny(w, "*?$`") }) {
			continue
		}
		vars[c.Argv[1]] = c.Argv[3:min(len(c.Argv), 3+maxLoop)]
	}
	for _, m := range assigned.FindAllStringSubmatch(text, maxLoop) {
		if value := strings.Trim(m[2], `"'`); vars[m[1]] == nil && !strings.ContainsAny(value, "*?`(") && !strings.Contains(value, "$"+m[1]) {
			vars[m[1]] = []string{value}
		}
	}
	return vars
}

// each yields a command once for each value of the variables it uses.
func (v variables) each(c shell.Command, depth int, yield func(shell.Command)) {
	name := v.first(c)
	if name == "" || depth == 0 {
		yield(c)
		return
	}
	for _, value := range v[name] {
		put := strings.NewReplacer("${"+name+"}", value, "$"+name, value).Replace
		one := c
		one.Argv, one.Writes = replaced(c.Argv, put), replaced(c.Writes, put)
		v.each(one, depth-1, yield)
	}
}

// first is a variable that a command uses, "" for none that is known.
func (v variables) first(c shell.Command) string {
	for _, words := range [][]string{c.Argv, c.Writes} {
		for _, w := range words {
			for _, m := range used.FindAllStringSubmatch(w, -1) {
				if v[m[1]] != nil {
					return m[1]
				}
			}
		}
	}
	return ""
}

// used is a variable in a word.
var used = lazyregexp.New(`\$\{?([A-Za-z_]\w*)`)

func replaced(words []string, put func(string) string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = put(w)
	}
	return out
}
