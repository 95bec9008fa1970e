package codex

import (
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// record is a line, with its payload left as it stands.
type record struct {
	Time    time.Time
	Payload []byte
}

func parseRecord(line []byte) (record, error) {
	var rec record
	walker := transcript.Walk(line)
	for {
		key, value, ok := walker.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "timestamp":
			rec.Time = kit.Time(transcript.Text(value))
		case "payload":
			rec.Payload = value
		}
	}
	return rec, walker.Err()
}

// text finds one member that is a string.
func text(object []byte, name string) string { return transcript.Text(transcript.Member(object, name)) }

// partTexts are the texts of a content: a string, or parts that have a text.
func partTexts(content []byte) []string {
	if whole := transcript.Text(content); whole != "" {
		return []string{whole}
	}
	var texts []string
	for _, part := range transcript.Elements(content) {
		if value := transcript.Member(part, "text"); value != nil {
			texts = append(texts, transcript.Text(value))
		}
	}
	return texts
}

// present is false for a member that is missing or null.
func present(raw []byte) bool { return raw != nil && string(raw) != "null" }
