package shell

import (
	"path"
	"strings"
)

// Program is the name of the program a command starts.
func Program(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	prog := path.Base(strings.ReplaceAll(argv[0], `\`, "/"))
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		prog = strings.TrimSuffix(prog, ext)
	}
	return prog
}

// Unwrap takes the programs off that only start another one.
func Unwrap(argv []string) []string {
	for range 8 {
		inner := unwrapOnce(argv)
		if len(inner) == 0 || len(inner) == len(argv) {
			return argv
		}
		argv = inner
	}
	return argv
}

// valued are the flags of wrappers that have a value of their own.
var valued = map[string]map[string]bool{
	"sudo":    setOf("-u -g -h -p -C --user --group"),
	"env":     setOf("-u -C -S --unset --chdir"),
	"nice":    setOf("-n"),
	"timeout": setOf("-s -k --signal --kill-after"),
	"docker":  setOf("-e -u -w -f -p -v -l --env --env-file --user --workdir --file --project-name --name --network --volume --mount --platform --entrypoint --publish --profile"),
	"kubectl": setOf("-n -c --namespace --container --context"),
	"ssh":     setOf("-p -i -o -l -F -J -L -R -D -b -c -E -m -S -W"),
	"uv":      setOf("--with --python -p --group --extra --directory --project --package --env-file --with-requirements --from"),
	"npx":     setOf("-p --package -c --call"),
	"pnpm":    setOf("-C --dir --filter -F"),
	"yarn":    setOf("--cwd"),
	"npm":     setOf("-w --workspace --prefix -C"),
	"mise":    setOf("-C --cd -E --env -j --jobs"),
	"nix":     setOf("--inputs-from -I --option"),
	"xvfb":    setOf("-n -s -e -f -p"),
}

// SkipFlags drops leading flags and assignments; flags that the set names take
// their value along.
func SkipFlags(argv []string, withValue map[string]bool) []string {
	for len(argv) > 0 && (strings.HasPrefix(argv[0], "-") || assignment(argv[0])) {
		if argv[0] == "--" {
			return argv[1:]
		}
		if withValue[argv[0]] && len(argv) > 1 {
			argv = argv[1:]
		}
		argv = argv[1:]
	}
	return argv
}

func unwrapOnce(argv []string) []string {
	if len(argv) < 2 {
		return argv
	}
	switch prog := Program(argv); prog {
	case "command":
		if strings.HasPrefix(argv[1], "-") {
			return argv // command -v only looks for it
		}
		return argv[1:]
	case "time", "nohup", "exec", "stdbuf", "cross-env", "dotenv", "winpty", "caffeinate", "setsid", "unbuffer", "rtk", "op", "doppler", "xvfb-run", "chronic", "builtin":
		rest := SkipFlags(argv[1:], valued["xvfb"])
		if len(rest) > 1 && (rest[0] == "run" || prog == "rtk" && rest[0] == "proxy") {
			rest = SkipFlags(rest[1:], nil)
		}
		return rest
	case "sudo", "doas", "env", "nice", "ionice":
		return SkipFlags(argv[1:], valued[prog])
	case "npx", "bunx", "pnpx", "uvx", "pipx":
		rest := SkipFlags(argv[1:], valued["npx"])
		if prog == "pipx" && len(rest) > 1 && rest[0] == "run" {
			rest = rest[1:]
		}
		return versionless(rest)
	case "timeout", "gtimeout":
		return behindFirst(SkipFlags(argv[1:], valued["timeout"]))
	case "docker", "podman", "docker-compose", "nerdctl":
		return container(argv)
	case "kubectl", "nix", "nix-shell", "devbox", "flox", "asdf", "rtx", "devenv", "direnv", "rbenv", "pixi", "conda", "mamba", "micromamba", "fnm", "volta":
		return environment(argv)
	case "mise":
		if argv[1] != "exec" && argv[1] != "x" {
			return argv
		}
		return environment(argv)
	default:
		return managed(prog, argv)
	}
}

// scripts are the managers whose `run X` is a script of the project, not a
// program.
var scripts = setOf("npm pnpm yarn bun composer deno")

// managed looks through the managers of packages: `uv run pytest`, `bundle
// exec rspec`, `pnpm exec tsc`.
func managed(prog string, argv []string) []string {
	switch prog {
	case "uv", "poetry", "pipenv", "pdm", "rye", "hatch", "bundle", "pnpm", "yarn", "npm", "bun", "rush", "luarocks", "opam", "composer":
	default:
		return argv
	}
	rest := SkipFlags(argv[1:], valued[prog])
	if len(rest) < 2 {
		return argv
	}
	switch verb := rest[0]; {
	case verb == "exec", verb == "x" && prog == "bun", verb == "dlx":
	case verb == "run" && !scripts[prog]:
	case prog == "uv" && verb == "tool" && rest[1] == "run":
		rest = rest[1:]
	default:
		return argv
	}
	return versionless(SkipFlags(rest[1:], valued[prog]))
}

// versionless takes the version off the program of `npx eslint@9`.
func versionless(argv []string) []string {
	if len(argv) == 0 {
		return argv
	}
	if i := strings.LastIndexByte(argv[0], '@'); i > 0 {
		return append([]string{argv[0][:i]}, argv[1:]...)
	}
	return argv
}

// behindFirst are the words after the first one.
func behindFirst(argv []string) []string {
	if len(argv) < 2 {
		return nil
	}
	return argv[1:]
}

// container looks into `docker exec NAME cmd`, `docker compose run SERVICE cmd`
// and `docker run IMAGE cmd`.
func container(argv []string) []string {
	rest := SkipFlags(argv[1:], valued["docker"])
	if len(rest) > 0 && (rest[0] == "compose" || rest[0] == "container") {
		rest = SkipFlags(rest[1:], valued["docker"])
	}
	if len(rest) < 3 || rest[0] != "exec" && rest[0] != "run" {
		return argv
	}
	inner := behindFirst(SkipFlags(rest[1:], valued["docker"]))
	if len(inner) == 0 || strings.HasPrefix(inner[0], "-") {
		return argv
	}
	return inner
}

// environment is what follows --command, -c or -- of a wrapper, or its exec.
func environment(argv []string) []string {
	for i, w := range argv {
		if (w == "--command" || w == "-c" || w == "--") && i+1 < len(argv) {
			return argv[i+1:]
		}
	}
	rest := SkipFlags(argv[1:], valued[Program(argv)])
	if len(rest) < 2 || rest[0] != "exec" && rest[0] != "run" && rest[0] != "x" {
		return argv
	}
	rest = SkipFlags(rest[1:], setOf("-n --name -p --prefix"))
	if Program(argv) == "direnv" { // direnv exec DIR cmd
		rest = behindFirst(rest)
	}
	for len(rest) > 1 && strings.Contains(rest[0], "@") && !strings.HasPrefix(rest[0], "@") { // mise x node@22 cmd
		rest = rest[1:]
	}
	if len(rest) == 0 || Program(argv) == "kubectl" {
		return argv
	}
	return rest
}

// script finds the shell text that a command gives to another shell: `bash -lc
// "…"`, `ssh host '…'`, `nix-shell --run '…'`.
func script(argv []string) (string, bool) {
	argv = Unwrap(argv)
	if len(argv) < 2 {
		return "", false
	}
	switch Program(argv) {
	case "bash", "sh", "zsh", "dash", "ash", "fish", "pwsh", "powershell", "su":
		for i, w := range argv[1 : len(argv)-1] {
			if w == "-c" || w == "-Command" || len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.HasSuffix(w, "c") {
				return argv[i+2], true
			}
		}
	case "ssh":
		if rest := behindFirst(SkipFlags(argv[1:], valued["ssh"])); len(rest) > 0 {
			return strings.Join(rest, " "), true
		}
	case "nix-shell":
		for i, w := range argv[:len(argv)-1] {
			if w == "--run" || w == "--command" {
				return argv[i+1], true
			}
		}
	case "npx":
		if (argv[1] == "-c" || argv[1] == "--call") && len(argv) > 2 {
			return argv[2], true
		}
	}
	return "", false
}
