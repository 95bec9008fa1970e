package doctor

import (
	"os"
	"path/filepath"
)

// elsewhereChecks say what to add where sessions run in more than one place: in a dev
// container, in WSL, on a machine reached by SSH.
func elsewhereChecks(home, port string, getenv func(string) string, exists func(string) bool) []Check {
	var checks []Check
	container := exists("/.dockerenv") || exists("/run/.containerenv")
	for _, name := range []string{"REMOTE_CONTAINERS", "CODESPACES", "DEVCONTAINER"} {
		container = container || getenv(name) != ""
	}
	if container {
		checks = append(checks, Check{
			"container", Info, "this is a container: what is captured here goes with it",
			`add to devcontainer.json: "mounts": ["source=carryover,target=` + filepath.ToSlash(home) + `,type=volume"]; to take a project out: carryover export --bundle FILE here, carryover import FILE --yes outside`,
		})
	}
	if distribution := getenv("WSL_DISTRO_NAME"); distribution != "" {
		checks = append(checks, Check{
			"wsl", Info, "this is WSL (" + distribution + "): agents on the Windows side keep their sessions there, and are not watched",
			`run carryover import --root "$(wslpath "$(cmd.exe /c 'echo %USERPROFILE%' 2>/dev/null | tr -d '\r')")/.claude/projects" for those of Claude Code; install Carryover on the Windows side too for hooks there`,
		})
	}
	if getenv("SSH_CONNECTION") != "" && !container {
		checks = append(checks, Check{
			"ssh", Info, "this machine is reached by SSH: its sessions stay here, and so does the dashboard",
			"run ssh -L " + port + ":127.0.0.1:" + port + " HOST on your machine, then carryover dashboard --print here; to take a project along: carryover export --bundle FILE",
		})
	}
	return checks
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
