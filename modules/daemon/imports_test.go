package daemon_test

import (
	"cmp"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport is the map of this module: what each package may import of it. A
// package stands below all that import it, so no arrow goes up. Whoever adds a
// line decides about the structure of the daemon.
var mayImport = map[string]string{
	// What the machine has, and what is ours on it.
	"display": "", "version": "", "regularfile": "", "leaktest": "", "home": "regularfile", "fileevents": "", "service": "", "terminal": "",
	"homelock":             "home",
	"capture/zstdsource":   "",
	"capture/filesource":   "capture/zstdsource",
	"capture/sqlitesource": "",
	"capture":              "capture/filesource capture/sqlitesource capture/zstdsource fileevents home regularfile",
	"config":               "home regularfile",
	"gitrepo":              "regularfile",
	"projectfs":            "gitrepo regularfile",
	"contextusage":         "home regularfile",
	"hookstats":            "home regularfile",
	"damage":               "home regularfile",
	"wiring":               "home regularfile",
	"speccheck":            "config home hookstats wiring",

	// What both sides of the API speak.
	"view": "home",

	// What is known of sessions, and how it gets there and out again.
	"session": "",
	"threads": "",
	"bundle":  "",
	"effect":  "view",
	"ingest":  "capture capture/filesource capture/sqlitesource capture/zstdsource gitrepo view",
	"publish": "config contextusage gitrepo home projectfs regularfile session wiring",
	"restore": "capture config contextusage display gitrepo home session",

	// What is asked of them.
	"continuity": "gitrepo home publish regularfile view",
	"query":      "capture config contextusage damage gitrepo home ingest publish restore session view wiring",
	"memory":     "config effect gitrepo query threads view",
	"maintain":   "bundle damage gitrepo home projectfs publish regularfile restore session view",
	"agents":     "config continuity gitrepo home publish view",

	"rescue": "capture/zstdsource view",

	// Other programs and people.
	"api/wire":   "",
	"api":        "api/wire home regularfile view",
	"api/client": "api/wire home view",
	"wrap":       "api/client continuity fileevents gitrepo publish terminal view",
	"hookclient": "home regularfile",

	"acpproxy": "home hookclient",

	"setup":              "api/client config home homelock publish service view wiring",
	"doctor":             "api/client capture config contextusage damage display gitrepo home publish query regularfile restore session setup speccheck version view wiring",
	"dashboard":          "api continuity dashboard/coverage dashboard/picture dashboard/timeline dashboard/words display doctor hookstats view",
	"dashboard/picture":  "",
	"dashboard/markup":   "",
	"dashboard/coverage": "dashboard/picture",
	"dashboard/timeline": "dashboard/markup display",
	"dashboard/words":    "display",
	"mcpserver":          "version view",

	// The daemon knows them all.
	".": "agents api bundle capture capture/sqlitesource config contextusage damage dashboard doctor fileevents gitrepo home homelock hookstats ingest maintain memory publish query rescue restore session speccheck version view wiring",
}

const module = "github.com/carryover-go/carryover/modules/daemon"

func TestImports_FollowTheMap(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("list the packages: %v", err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		from := within(names[0])
		seen[from] = true
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("package %q is not in the map", from)
			continue
		}
		for _, name := range names[1:] {
			if !strings.HasPrefix(name, module) {
				continue
			}
			if to := within(name); !slices.Contains(strings.Fields(allowed), to) {
				t.Errorf("%q imports %q: the map in imports_test.go does not allow it", from, to)
			}
		}
	}
	for from := range maps.Keys(mayImport) {
		if !seen[from] {
			t.Errorf("package %q of the map is gone", from)
		}
	}
}

// within is a package's folder in this module, "." for its root.
func within(path string) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), ".")
}
