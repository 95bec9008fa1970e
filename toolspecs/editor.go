package toolspecs

import (
	"path"
	"slices"
	"strings"
)

// speaks lets what `carryover acp` wrote down of the tool's sessions be read, for as
// long as the tool's own history of them is not, and its hooks be known.
func (s *Spec) speaks(protocol *Spec) {
	s.editorHooks = protocol.Hooks
	for _, place := range protocol.Transcripts {
		roots := map[string][]string{}
		for system, folders := range place.Roots {
			for _, folder := range folders {
				roots[system] = append(roots[system], path.Join(path.Dir(folder), s.Tool))
			}
		}
		place.Roots, place.Session, place.Superseded, place.Protocol = roots, "{session}.jsonl", true, true
		s.Transcripts = append(slices.Clip(s.Transcripts), place)
	}
}

// EditorHooks are the hooks by which `carryover acp` calls on behalf of the tool; none
// of a tool that does not speak the protocol.
func (s *Spec) EditorHooks() []Hook { return s.editorHooks }

// ToolNamed is the tool that calls itself so in the Agent Client Protocol, or whose
// program a command line starts: "acp" stands for every other one.
func (t *Table) ToolNamed(agent string, command []string) string {
	for _, spec := range t.All() {
		if spec.Editor == nil {
			continue
		}
		if slices.ContainsFunc(spec.Editor.Names, func(name string) bool { return strings.EqualFold(name, agent) }) {
			return spec.Tool
		}
	}
	if len(command) == 0 || agent != "" {
		return protocolTool
	}
	program := strings.TrimSuffix(path.Base(strings.ReplaceAll(command[0], "\\", "/")), ".exe")
	for _, spec := range t.All() {
		if spec.Editor != nil && slices.Contains(spec.Detect.Binaries, program) {
			return spec.Tool
		}
	}
	return protocolTool
}

// IsProtocol says whether the spec stands for all agents that speak the protocol: there
// is no program to find and nothing to connect.
func (s *Spec) IsProtocol() bool { return s.Tool == protocolTool }
