package copilotcli

import (
	"encoding/json"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// readWorkDir reads where the session works: recorded at its start, when it is resumed,
// and when directory or branch change.
func (s *session) readWorkDir() {
	var data struct {
		Session  string `json:"sessionId"`
		Version  string `json:"copilotVersion"`
		Producer string `json:"producer"`
		Model    string `json:"selectedModel"`
		Context  *where `json:"context"`
		where
	}
	if json.Unmarshal(s.record.Data, &data) != nil {
		return
	}
	if data.Session != "" {
		s.state.Session = data.Session
	}
	if data.Version != "" {
		s.state.Version = data.Version
	}
	if data.Context == nil {
		data.Context = &data.where
	}
	event := transcript.Event{
		Kind:    transcript.Session,
		WorkDir: &transcript.WorkDir{Cwd: data.Context.Cwd, Branch: data.Context.Branch, Head: data.Context.Head},
	}
	if data.Version != "" || data.Model != "" {
		event.Start = &transcript.Start{Version: s.state.Version, Originator: data.Producer, Model: data.Model, EndsTurns: true}
	}
	s.emit("0", event)
}

// where is a directory with its state of git.
type where struct {
	Cwd    string `json:"cwd"`
	Branch string `json:"branch"`
	Head   string `json:"headCommit"`
}

// turnEnd ends a turn. The record of this name ends one round of the model;
// only one whose message asked for no tool is the last of the turn.
func (s *session) turnEnd() {
	if s.record.Agent != "" || !s.state.Answered {
		return
	}
	s.state.Answered = false
	s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
}

// broken ends a turn that the user or an error has stopped.
func (s *session) broken(name string) {
	if s.record.Agent != "" {
		return
	}
	s.state.Answered = false
	if name == "abort" {
		s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnInterrupted})
		return
	}
	s.emit("turn", transcript.Event{
		Kind: transcript.Turn, Text: transcript.TurnFailed,
		Result: &transcript.ResultInfo{Failed: true, Text: transcript.Text(transcript.Member(s.record.Data, "message"))},
	})
}

// usage reads how full the context was. The tokens read from the cache are
// among the input tokens.
func (s *session) usage() {
	var data struct {
		Usage struct {
			Model     string `json:"model"`
			Input     int64  `json:"inputTokens"`
			Output    int64  `json:"outputTokens"`
			MaxPrompt int64  `json:"maxPromptTokens"`
		} `json:"usage"`
	}
	if json.Unmarshal(s.record.Data, &data) != nil || data.Usage.Input+data.Usage.Output == 0 {
		return
	}
	window := data.Usage.MaxPrompt
	if window == 0 {
		window = s.Spec.Window(data.Usage.Model)
	}
	s.emit("usage", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
		Context: data.Usage.Input + data.Usage.Output, Window: window, Model: data.Usage.Model,
	}})
}

// compacted reads a compaction. The new history quotes all earlier prompts and the
// summary; no message is kept as it was.
func (s *session) compacted() {
	var data struct {
		Success bool   `json:"success"`
		Summary string `json:"summaryContent"`
		Trigger string `json:"trigger"`
		Pre     int64  `json:"preCompactionTokens"`
		Post    int64  `json:"postCompactionTokens"`
	}
	if json.Unmarshal(s.record.Data, &data) != nil || !data.Success || s.record.Agent != "" {
		return
	}
	if data.Trigger != "manual" { // the tool also calls it threshold
		data.Trigger = "auto"
	}
	s.emit("0", transcript.Event{
		Kind: transcript.Compacted, Text: data.Summary,
		Compaction: &transcript.CompactionInfo{Trigger: data.Trigger, PreTokens: data.Pre, PostTokens: data.Post},
	})
}
