// Package readers names the reader of each tool.
package readers

import (
	"fmt"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/tools/aider"
	claudecode "github.com/carryover-go/carryover/toolspecs/tools/claude-code"
	"github.com/carryover-go/carryover/toolspecs/tools/codex"
	copilotcli "github.com/carryover-go/carryover/toolspecs/tools/copilot-cli"
	copilotvscode "github.com/carryover-go/carryover/toolspecs/tools/copilot-vscode"
	"github.com/carryover-go/carryover/toolspecs/tools/cursor"
	"github.com/carryover-go/carryover/toolspecs/tools/devin"
	geminicli "github.com/carryover-go/carryover/toolspecs/tools/gemini-cli"
	"github.com/carryover-go/carryover/toolspecs/tools/opencode"
	"github.com/carryover-go/carryover/toolspecs/tools/windsurf"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// For is the reader of the spec's tool, reading by that spec. A tool without a
// reader is toolspecs.ErrUnknown.
func For(spec *toolspecs.Spec) (transcript.Reader, error) {
	switch spec.Tool {
	case "aider":
		return aider.New(spec), nil
	case "cursor":
		return cursor.New(spec), nil
	case "claude-code":
		return claudecode.New(spec), nil
	case "copilot-vscode":
		return copilotvscode.New(spec), nil
	case "codex":
		return codex.New(spec), nil
	case "copilot-cli":
		return copilotcli.New(spec), nil
	case "devin":
		return devin.New(spec), nil
	case "gemini-cli":
		return geminicli.New(spec), nil
	case "opencode":
		return opencode.New(spec), nil
	case "windsurf":
		return windsurf.New(spec), nil
	}
	return nil, fmt.Errorf("read transcripts of %s: %w", spec.Name, toolspecs.ErrUnknown)
}
