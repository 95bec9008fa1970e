// Code generated from the specs by go generate ./hookclient; DO NOT EDIT.

package hookclient

// awaited are, in lower case, the events that are worth keeping an agent waiting for.
var awaited = map[string]bool{"acpprompt": true, "aftertool": true, "before_agent_start": true, "beforeagent": true, "postcompaction": true, "posttooluse": true, "precompact": true, "precompress": true, "session_before_compact": true, "session_compact": true, "sessionstart": true, "subagentstart": true, "tool_result": true, "userpromptsubmit": true, "userpromptsubmitted": true}

// marks are the variables of the environment that are sent along: they say which tool is
// really calling, and whether anybody is there to answer.
var marks = []string{"CARRYOVER_PI_UI", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "COPILOT_CLI", "CURSOR_PROJECT_DIR", "DEVIN_PROJECT_DIR", "PWD"}

// headlessMarks are those that mark a run that nobody attends.
var headlessMarks = []headlessMark{
	{"CLAUDE_CODE_ENTRYPOINT", "", "sdk"},
	{"CLAUDE_CODE_SESSION_ATTENDED", "0", ""},
	{"CARRYOVER_PI_UI", "0", ""},
}

// commandLines are the tools whose command line alone says whether anybody attends them.
var commandLines = map[string]headlessFlags{
	"copilot-cli":  {"copilot", []string{"-p", "--prompt"}, true, []string{"--acp", "--server", "--headless", "--stdio", "--remote", "--environment-host"}},
	"cursor":       {"cursor-agent", []string{"-p", "--print"}, true, []string{"acp", "--acp"}},
	"devin":        {"devin", []string{"-p", "--print"}, true, []string{"acp", "--acp"}},
	"droid":        {"droid", []string{"exec"}, true, []string{}},
	"gemini-cli":   {"gemini", []string{"-p", "--prompt"}, true, []string{"--acp", "--experimental-acp"}},
	"kimi-code":    {"kimi", []string{"-p", "--prompt"}, true, []string{"acp", "--acp"}},
	"mistral-vibe": {"vibe", []string{"-p", "--prompt"}, false, []string{}},
	"openhands":    {"openhands", []string{"--headless"}, false, []string{}},
	"qwen-code":    {"qwen", []string{"-p", "--prompt"}, true, []string{"--acp", "--experimental-acp"}},
}

// firstLines are what a tool's transcript has in its first line when nobody attends the run.
var firstLines = map[string][]string{
	"codex": {`"originator":"codex_exec"`, `"source":"exec"`},
}

// keepsPayload are the tools without a transcript: what their hooks receive is their history.
var keepsPayload = map[string]bool{"windsurf": true}

// fields are the members of a payload that say what the client needs, whichever tool sends it.
var fields = map[string][]string{
	"session":     {"session_id", "sessionId", "conversation_id", "trajectory_id"},
	"transcript":  {"transcript_path", "transcriptPath"},
	"cwd":         {"cwd", "workspace_roots", "working_dir"},
	"tool_use_id": {"tool_use_id", "tool_call_id"},
	"source":      {"source"},
	"agent":       {"agent_id", "agentId"},
}

// ownFields are those that count first in the payloads of one tool.
var ownFields = map[string]map[string][]string{
	"copilot-cli": {"session": {"sessionId", "session_id"}, "transcript": {"transcriptPath", "transcript_path"}, "agent": {"agentId"}},
	"cursor":      {"session": {"conversation_id", "session_id"}, "cwd": {"workspace_roots"}},
	"openhands":   {"cwd": {"working_dir"}},
	"pi":          {"tool_use_id": {"tool_call_id"}},
	"qwen-code":   {"tool_use_id": {"tool_call_id"}},
	"windsurf":    {"session": {"trajectory_id"}},
}

// cwdMarks are the variables that say the directory where no member does.
var cwdMarks = []string{"CURSOR_PROJECT_DIR", "DEVIN_PROJECT_DIR"}
