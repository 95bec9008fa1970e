package ingest

import (
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Secret is a secret in a transcript. What it is stays there.
type Secret struct {
	Session string
	Line    int64 // of the transcript, from 1; 0 for a database
	redact.Finding
}

// FileSecrets lists what redaction finds in the events of one transcript, in
// order, before anything of it is replaced.
func (s *Service) FileSecrets(path, tool string) (secrets []Secret, err error) {
	reading, err := s.open(path, tool)
	if err != nil {
		return nil, err
	}
	var found []redact.Finding
	reading.raw = func(event *transcript.Event) {
		seen := *event
		ledger.ScrubEvent(&seen, func(text string) string {
			found = append(found, redact.Find(text)...)
			return text
		})
	}
	for event := range reading.events() {
		for _, one := range found {
			secrets = append(secrets, Secret{Session: event.Session, Line: event.Ref.Line, Finding: one})
		}
		found = found[:0]
	}
	return secrets, reading.err
}
