package setup

import (
	"os"
	"path/filepath"
	"strings"
)

// packages is where `go install` finds the three programs.
const packages = "github.com/carryover-go/carryover/cmd/...@latest"

// Upgrade is what brings a newer Carryover, for a program at this path (links
// resolved): the command of the channel it was installed by, or a sentence
// where there is none.
func Upgrade(executable string) string {
	path := filepath.ToSlash(executable)
	dir := filepath.Dir(executable)
	switch {
	case strings.Contains(path, "/Cellar/"), strings.Contains(path, "/homebrew/"), strings.Contains(path, "/.linuxbrew/"):
		return "`brew upgrade carryover`"
	case strings.Contains(path, "/node_modules/"):
		return "`npm install -g " + npmPackage(path) + "@latest`"
	case strings.HasPrefix(path, "/nix/store/"):
		return "`nix profile upgrade carryover`"
	case dir == goBin():
		return "`go install " + packages + "`"
	case exists(filepath.Join(filepath.Dir(dir), "go.work")):
		return "`git pull && make build` in " + filepath.Dir(dir)
	}
	return "unpack the newest release over " + dir
}

// npmPackage is the outermost package that a path lies in: the one that was
// asked for, whatever it brought along.
func npmPackage(path string) string {
	_, inside, _ := strings.Cut(path, "/node_modules/")
	parts := strings.SplitN(inside, "/", 3)
	if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// goBin is where `go install` puts programs.
func goBin() string {
	if bin := os.Getenv("GOBIN"); bin != "" {
		return filepath.Clean(bin)
	}
	if first := filepath.SplitList(os.Getenv("GOPATH")); len(first) > 0 && first[0] != "" {
		return filepath.Join(first[0], "bin")
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(user, "go", "bin")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
