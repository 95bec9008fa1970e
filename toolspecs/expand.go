package toolspecs

import "strings"

// Expand turns a place of a spec into a path: a leading ~ is home, $NAME and
// ${NAME} are environment variables. ok is false when a variable it names is
// not set, so that the next candidate holds. On Windows the result has
// backslashes.
func Expand(template, goos string, env func(string) string, home string) (path string, ok bool) {
	rest := template
	if after, found := strings.CutPrefix(rest, "~"); found && (after == "" || after[0] == '/') {
		path, rest = home, after
	}
	for {
		before, after, found := strings.Cut(rest, "$")
		path += before
		if !found {
			break
		}
		name, tail := variable(after)
		value := env(name)
		if value == "" {
			return "", false
		}
		path, rest = path+strings.TrimRight(value, `/\`), tail
	}
	if goos == "windows" {
		path = strings.ReplaceAll(path, "/", `\`)
	}
	return path, true
}

// variable splits a variable's name off the text after its dollar sign.
func variable(text string) (name, rest string) {
	if inner, found := strings.CutPrefix(text, "{"); found {
		name, rest, _ = strings.Cut(inner, "}")
		return name, rest
	}
	end := strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}

// ExpandAll expands the candidates for an operating system, else the default
// ones, leaving out those whose variables are not set. A place that a variable
// moves comes before the usual one, and the usual one is then not used by the
// tool: for writing settings take the first.
func ExpandAll(roots map[string][]string, goos string, env func(string) string, home string) []string {
	candidates, ok := roots[goos]
	if !ok {
		candidates = roots["default"]
	}
	var paths []string
	for _, candidate := range candidates {
		if path, ok := Expand(candidate, goos, env, home); ok {
			paths = append(paths, path)
		}
	}
	return paths
}
