// Package image has the container image of each live agent: one Dockerfile a tool,
// written from one table. The versions and hashes of what they install are those of
// the lock files in integration/agents.
package image

import (
	_ "embed"
	"strings"
	"text/template"
)

// Bases are the images that the Dockerfiles build on: the name of the build argument,
// and the image with the digest of its index for all platforms.
var Bases = map[string]string{
	"NODE_IMAGE":   "node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c",
	"PYTHON_IMAGE": "python:3.12-slim-bookworm@sha256:782412e85d0f0984994c290652577d4018aff08145c85b262bb63dc0c7522254",
	"RUN_IMAGE":    "debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716",
}

// Image is how one agent comes into an image.
type Image struct {
	Tool         string
	Package      string // of npm; "" for a program of Python's
	Requirements string // the file with its packages and hashes, for a program of Python's
	Binary       string
	Setup        string // what puts the program in place, where its install script was held back
}

// Images is the table.
var Images = []Image{
	{Tool: "aider", Requirements: "requirements.txt", Binary: "aider"},
	{Tool: "claude-code", Package: "@anthropic-ai/claude-code", Binary: "claude", Setup: "node node_modules/@anthropic-ai/claude-code/install.cjs"},
	{Tool: "codex", Package: "@openai/codex", Binary: "codex"},
	// It unpacks itself at its first start.
	{Tool: "copilot-cli", Package: "@github/copilot", Binary: "copilot", Setup: "HOME=/opt/agents COPILOT_AUTO_UPDATE=false copilot --version"},
	{Tool: "droid", Package: "droid", Binary: "droid"},
	{Tool: "gemini-cli", Package: "@google/gemini-cli", Binary: "gemini"},
	{Tool: "kilo", Package: "@kilocode/cli", Binary: "kilo"},
	{Tool: "kimi-code", Package: "@moonshot-ai/kimi-code", Binary: "kimi"},
	{Tool: "opencode", Package: "opencode-ai", Binary: "opencode", Setup: "cd node_modules/opencode-ai && node postinstall.mjs"},
	{Tool: "openhands", Requirements: "openhands.txt", Binary: "openhands"},
	{Tool: "pi", Package: "@earendil-works/pi-coding-agent", Binary: "pi"},
	{Tool: "qwen-code", Package: "@qwen-code/qwen-code", Binary: "qwen"},
}

//go:embed npm.tmpl
var ofNode string

//go:embed python.tmpl
var ofPython string

// Dockerfile is the text of an image's Dockerfile.
func (i Image) Dockerfile() (string, error) {
	text := ofNode
	if i.Requirements != "" {
		text = ofPython
	}
	parsed, err := template.New(i.Tool).Parse(text)
	if err != nil {
		return "", err
	}
	var written strings.Builder
	err = parsed.Execute(&written, struct {
		Image
		Bases map[string]string
	}{i, Bases})
	return written.String(), err
}
