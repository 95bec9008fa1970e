package packaging

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"text/template"
)

//go:embed all:templates
var templates embed.FS

// file is one manifest: the template it is made of and where it goes.
type file struct{ template, path string }

// inTree are the manifests that name no archive.
var inTree = []file{
	{"goreleaser.yaml", ".goreleaser.yaml"},
	{"toolspecs-version.go.tmpl", "toolspecs/version.go"},
	{"specskey.go.tmpl", "modules/daemon/setup/specskey.go"},
	{"install.sh", "packaging/install.sh"},
	{"server.json", "server.json"},
	{"llms-install.md", "llms-install.md"},
	{"devcontainer-feature.json", "packaging/devcontainer/carryover/devcontainer-feature.json"},
	{"devcontainer-install.sh", "packaging/devcontainer/carryover/install.sh"},
	{"marketplace.json", ".claude-plugin/marketplace.json"},
	{"claude-plugin.json", "plugin/.claude-plugin/plugin.json"},
	{"claude-mcp.json", "plugin/.mcp.json"},
	{"agent-plugin.json", "plugin/plugin.json"},
	{"agent-mcp.json", "plugin/mcp.json"},
	{"gemini-extension.json", "plugin/gemini-extension.json"},
	{"plugin-README.md", "plugin/README.md"},
	{"plugin-hook.sh", "plugin/bin/hook"},
	{"plugin-mcp.sh", "plugin/bin/mcp"},
}

// inChannels are the manifests that name archives by their hash.
var inChannels = []file{
	{"homebrew.rb", "homebrew/carryover.rb"},
	{"scoop.json", "scoop/carryover.json"},
	{"winget-version.yaml", "winget/Carryover.Carryover.yaml"},
	{"winget-installer.yaml", "winget/Carryover.Carryover.installer.yaml"},
	{"winget-locale.yaml", "winget/Carryover.Carryover.locale.en-US.yaml"},
	{"PKGBUILD", "aur/PKGBUILD"},
	{"SRCINFO", "aur/.SRCINFO"},
}

// render fills a template in. Its marks are [[ and ]], as other programs read
// {{ and }} in some of these files.
func render(name string, data any) ([]byte, error) {
	text, err := templates.ReadFile("templates/" + name)
	if err != nil {
		return nil, err
	}
	made, err := template.New(name).Delims("[[", "]]").Option("missingkey=error").Funcs(template.FuncMap{
		"json": func(value any) (string, error) {
			encoded, err := json.Marshal(value)
			return string(encoded), err
		},
		"upper": strings.ToUpper,
	}).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := made.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b.Bytes(), nil
}

func renderAll(files []file, data any) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, f := range files {
		text, err := render(f.template, data)
		if err != nil {
			return nil, err
		}
		if path.Ext(f.path) == ".json" && !json.Valid(text) {
			return nil, fmt.Errorf("%s is not JSON:\n%s", f.path, text)
		}
		out[f.path] = text
	}
	return out, nil
}

// Executable reports whether a manifest is a program.
func Executable(name string) bool {
	return path.Ext(name) == ".sh" || strings.HasPrefix(name, "plugin/bin/") || strings.Contains(name, "/bin/")
}
