package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/toolspecs"
)

// homeChecks look at Carryover's own folder.
func homeChecks(_ context.Context, p checkContext) []Check {
	var checks []Check
	if info, err := os.Stat(string(p.home)); err != nil {
		return []Check{{"home", Warning, fmt.Sprintf("%s does not exist yet", p.home), "run `carryover install`"}}
	} else if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		checks = append(checks, Check{"home", Error, fmt.Sprintf("%s can be read by others (%s)", p.home, info.Mode().Perm()), fmt.Sprintf("run `chmod 700 %s`", p.home)})
	} else {
		checks = append(checks, ok("home", "%s, private", p.home))
	}
	for _, misplaced := range p.home.Misplaced() {
		checks = append(checks, Check{"home", Error, misplaced.Error(), misplaced.Fix() + ", then `carryover daemon start`"})
	}
	checks = append(checks, private("token", p.home.Token()))
	if _, err := config.Load(p.home); err != nil {
		checks = append(checks, Check{"config", Error, err.Error() + "; the defaults are used", "correct " + p.home.Config()})
	} else if _, err := os.Stat(p.home.Config()); err != nil {
		checks = append(checks, ok("config", "the defaults; %s does not exist", p.home.Config()))
	} else {
		checks = append(checks, ok("config", "%s", p.home.Config()))
	}
	_, failed := toolspecs.Load(os.DirFS(p.home.Toolspecs()))
	for _, err := range failed {
		checks = append(checks, Check{"toolspecs", Warning, err.Error(), "correct or remove the file in " + p.home.Toolspecs()})
	}
	choices, _ := config.Load(p.home)
	_, port, _ := strings.Cut(choices.Listen, ":")
	checks = append(checks, elsewhereChecks(string(p.home), port, os.Getenv, isThere)...)
	return append(checks, programsCheck(os.Getenv("PATH"))...)
}

func private(name, path string) Check {
	info, err := os.Stat(path)
	switch {
	case err != nil, !info.Mode().IsRegular(): // what stands there instead is told elsewhere
		return Check{name, Info, fmt.Sprintf("%s is created when the daemon first starts", path), ""}
	case runtime.GOOS != "windows" && info.Mode().Perm()&fs.FileMode(0o077) != 0:
		return Check{name, Error, fmt.Sprintf("%s can be read by others", path), fmt.Sprintf("run `chmod 600 %s`", path)}
	}
	return ok(name, "%s, private", path)
}
