package doctor

import (
	"fmt"
	"slices"
	"strings"
)

// gravity orders results, the gravest first.
var gravity = []string{Error, Warning, Info, OK, Skipped}

// Ordered are the checks by gravity; those of one result stay in their order.
func (r Report) Ordered() []Check {
	ordered := slices.Clone(r.Checks)
	slices.SortStableFunc(ordered, func(a, b Check) int {
		return slices.Index(gravity, a.Result) - slices.Index(gravity, b.Result)
	})
	return ordered
}

// Skipped are the names of the checks that were skipped.
func (r Report) Skipped() []string {
	var names []string
	for _, check := range r.Checks {
		if check.Result == Skipped {
			names = append(names, check.Name)
		}
	}
	return names
}

// Summary is the whole in one line: "1 error, 2 warnings; 12 checks fine".
func (r Report) Summary() string {
	counts := map[string]int{}
	for _, check := range r.Checks {
		counts[check.Result]++
	}
	var wrong []string
	for _, result := range []string{Error, Warning} {
		if n := counts[result]; n > 0 {
			wrong = append(wrong, counted(n, result))
		}
	}
	said := "nothing is wrong"
	if len(wrong) > 0 {
		said = strings.Join(wrong, ", ")
	}
	return fmt.Sprintf("%s; %s fine", said, counted(counts[OK], "check"))
}
