package mockmodel

// dialect is how an agent that speaks chat completions names its tools.
type dialect struct {
	mark   string // a tool that only it offers
	speaks func(Call) (name string, arguments object)
}

// dialects are those of the agents, the first whose tool is offered holds.
var dialects = []dialect{
	{"run_shell_command", Call.qwen},
	{"webfetch", Call.openCode}, // and Kilo
	{"file_editor", Call.openHands},
	{"Execute", Call.droid},
	{"Bash", Call.kimi},
	{"write", Call.pi},
	{"", Call.copilot},
}

// spoken is a call as the agent of the request knows it.
func (r chatRequest) spoken(call Call) (name string, arguments object) {
	if call.Own != nil {
		return call.Own.Name, call.Own.Input
	}
	for _, known := range dialects {
		if known.mark == "" || r.has(known.mark) {
			return known.speaks(call)
		}
	}
	return "", nil
}

func (c Call) copilot() (name string, arguments object) {
	switch {
	case c.Write != nil:
		return "create", object{"path": c.Write.Path, "file_text": c.Write.Content}
	case c.Edit != nil:
		return "edit", object{"path": c.Edit.Path, "old_str": c.Edit.Old, "new_str": c.Edit.New}
	case c.Read != "":
		return "view", object{"path": c.Read}
	case c.Task != "":
		return "task", object{"name": "helper", "description": "a subagent", "prompt": c.Task, "agent_type": "general-purpose", "mode": "sync"}
	}
	return "bash", object{"command": c.Run, "description": "run a command"}
}

func (c Call) openCode() (name string, arguments object) {
	switch {
	case c.Write != nil:
		return "write", object{"filePath": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		return "edit", object{"filePath": c.Edit.Path, "oldString": c.Edit.Old, "newString": c.Edit.New}
	case c.Read != "":
		return "read", object{"filePath": c.Read}
	case c.Task != "":
		return "task", object{"description": "a subagent", "prompt": c.Task, "subagent_type": "general"}
	}
	return "bash", object{"command": c.Run, "description": "run a command"}
}

func (c Call) qwen() (name string, arguments object) {
	switch {
	case c.Write != nil:
		return "write_file", object{"file_path": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		return "edit", object{"file_path": c.Edit.Path, "old_string": c.Edit.Old, "new_string": c.Edit.New}
	case c.Read != "":
		return "read_file", object{"file_path": c.Read}
	case c.Task != "":
		return "agent", object{"description": "a subagent", "prompt": c.Task, "subagent_type": "general-purpose"}
	}
	return "run_shell_command", object{"command": c.Run, "is_background": false, "description": "run a command"}
}

func (c Call) pi() (name string, arguments object) {
	switch {
	case c.Write != nil:
		return "write", object{"path": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		return "edit", object{"path": c.Edit.Path, "edits": []object{{"oldText": c.Edit.Old, "newText": c.Edit.New}}}
	case c.Read != "":
		return "read", object{"path": c.Read}
	}
	return "bash", object{"command": c.Run}
}

func (c Call) kimi() (name string, arguments object) {
	switch {
	case c.Write != nil:
		return "Write", object{"path": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		return "Edit", object{"path": c.Edit.Path, "old_string": c.Edit.Old, "new_string": c.Edit.New}
	case c.Read != "":
		return "Read", object{"path": c.Read}
	case c.Task != "":
		return "Agent", object{"description": "a subagent", "prompt": c.Task, "subagent_type": "coder"}
	}
	return "Bash", object{"command": c.Run}
}

func (c Call) droid() (name string, arguments object) {
	switch {
	case c.Write != nil:
		return "Create", object{"file_path": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		return "Edit", object{"file_path": c.Edit.Path, "old_str": c.Edit.Old, "new_str": c.Edit.New}
	case c.Read != "":
		return "Read", object{"file_path": c.Read}
	case c.Task != "":
		return "Task", object{"description": "a subagent", "prompt": c.Task, "subagent_type": "worker"}
	}
	return "Execute", object{"command": c.Run, "summary": "Run a command", "riskLevel": "low", "riskLevelReason": "nothing is changed"}
}

func (c Call) openHands() (name string, arguments object) {
	switch {
	case c.Write != nil:
		return "file_editor", object{"command": "create", "path": c.Write.Path, "file_text": c.Write.Content, "summary": "write a file", "security_risk": "LOW"}
	case c.Edit != nil:
		return "file_editor", object{"command": "str_replace", "path": c.Edit.Path, "old_str": c.Edit.Old, "new_str": c.Edit.New, "summary": "edit a file", "security_risk": "LOW"}
	case c.Read != "":
		return "file_editor", object{"command": "view", "path": c.Read, "summary": "read a file", "security_risk": "LOW"}
	case c.Task != "":
		return "task", object{"description": "a subagent", "prompt": c.Task, "subagent_type": "general-purpose", "summary": "ask a subagent", "security_risk": "LOW"}
	}
	return "terminal", object{"command": c.Run, "summary": "run a command", "security_risk": "LOW"}
}
