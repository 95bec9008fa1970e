package claudecode

import (
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// record is a line, with its large parts left as they stand.
type record struct {
	Type, UUID, Parent, Session                     string
	Cwd, Branch, Version, Entrypoint                string
	Time                                            time.Time
	Sidechain, Meta, CompactSummary, Error, Limited bool
	Planning                                        bool // a prompt in plan mode

	Agent                                    string // of a subagent, its id
	Origin, PromptSource, TurnOrigin, Denial string
	Operation, Content, Title, Leaf          string

	Message, Result, Attachment, Compact []byte // parts of the line
}

// parseRecord takes a line apart in one pass; nothing large is decoded.
func parseRecord(line []byte) (record, error) {
	var rec record
	walker := transcript.Walk(line)
	for {
		key, value, ok := walker.Next()
		if !ok {
			break
		}
		rec.set(string(key), value)
	}
	return rec, walker.Err()
}

func (r *record) set(key string, value []byte) {
	switch key {
	case "type":
		r.Type = transcript.Text(value)
	case "uuid":
		r.UUID = transcript.Text(value)
	case "parentUuid":
		r.Parent = transcript.Text(value)
	case "sessionId":
		r.Session = transcript.Text(value)
	case "cwd":
		r.Cwd = transcript.Text(value)
	case "gitBranch":
		r.Branch = transcript.Text(value)
	case "version":
		r.Version = transcript.Text(value)
	case "entrypoint":
		r.Entrypoint = transcript.Text(value)
	case "timestamp":
		r.Time = kit.Time(transcript.Text(value))
	case "agentId":
		r.Agent = transcript.Text(value)
	case "isSidechain":
		r.Sidechain = isTrue(value)
	case "isMeta", "isCompactSummary", "isApiErrorMessage":
		r.mark(key, isTrue(value))
	case "error", "apiError":
		r.Limited = r.Limited || limits[transcript.Text(value)]
	case "origin":
		kind, _ := transcript.Peek(value, "kind")
		r.Origin = string(kind)
	case "permissionMode":
		r.Planning = transcript.Text(value) == planMode
	case "promptSource":
		r.PromptSource = transcript.Text(value)
	case "turnOrigin":
		r.TurnOrigin = transcript.Text(value)
	case "toolDenialKind":
		r.Denial = transcript.Text(value)
	case "operation":
		r.Operation = transcript.Text(value)
	case "content":
		r.Content = transcript.Text(value)
	case "summary", "aiTitle", "customTitle":
		r.Title = strings.TrimSpace(transcript.Text(value))
	case "leafUuid":
		r.Leaf = transcript.Text(value)
	case "message":
		r.Message = value
	case "toolUseResult":
		r.Result = value
	case "attachment":
		r.Attachment = value
	case "compactMetadata":
		r.Compact = value
	}
}

// mark sets what a flag of the record says.
func (r *record) mark(flag string, on bool) {
	switch flag {
	case "isMeta":
		r.Meta = on
	case "isCompactSummary":
		r.CompactSummary = on
	case "isApiErrorMessage":
		r.Error = on
	}
}

// planMode is the permission mode in which Claude Code only plans (its own name for it, in
// transcripts and for the flag --permission-mode).
const planMode = "plan"

func isTrue(value []byte) bool { return string(value) == "true" }

// contentText is a content as prose: a string, or its blocks of text.
func contentText(content []byte) string {
	if text := transcript.Text(content); text != "" {
		return text
	}
	var parts []string
	for _, block := range transcript.Elements(content) {
		if text := transcript.Text(block); text != "" {
			parts = append(parts, text)
		} else if part := transcript.Members(block, "text"); part[0] != nil {
			parts = append(parts, transcript.Text(part[0]))
		}
	}
	return strings.Join(parts, "\n")
}
