package daemon

import (
	"context"
	"fmt"
)

// SecretsReport says where the transcripts that the ledger knows hold secrets.
// It never holds a secret.
type SecretsReport struct {
	Schema      int                `json:"schema"`
	Transcripts int                `json:"transcripts"` // read
	Unread      int                `json:"unread"`      // gone or unreadable since they were captured
	Secrets     []SecretOccurrence `json:"secrets"`
}

// SecretOccurrence is a secret in a transcript.
type SecretOccurrence struct {
	Kind        string `json:"kind"`
	Tool        string `json:"tool"`
	Session     string `json:"session"`
	Line        int64  `json:"line"`
	Path        string `json:"path"`
	Fingerprint string `json:"fingerprint"` // the same for the same secret
	Count       int    `json:"count"`       // how often the line holds it
}

// Secrets reads the transcripts again and lists what redaction finds in them.
func (p *Services) Secrets(ctx context.Context, session string) (report SecretsReport, err error) {
	report.Schema, report.Secrets = 1, []SecretOccurrence{}
	sources, err := p.Store.Sources(ctx, "")
	if err != nil {
		return report, fmt.Errorf("secrets: %w", err)
	}
	for _, source := range sources {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		found, err := p.ingest.FileSecrets(source.Path, source.Tool)
		if err != nil {
			report.Unread++
			continue
		}
		report.Transcripts++
		at := map[SecretOccurrence]int{}
		for _, one := range found {
			occurrence := SecretOccurrence{
				Kind: one.Kind, Tool: source.Tool, Session: one.Session, Line: one.Line, Path: source.Path, Fingerprint: one.Fingerprint,
			}
			if session != "" && (len(occurrence.Session) < len(session) || occurrence.Session[:len(session)] != session) {
				continue
			}
			n, known := at[occurrence]
			if !known {
				n = len(report.Secrets)
				at[occurrence] = n
				report.Secrets = append(report.Secrets, occurrence)
			}
			report.Secrets[n].Count++
		}
	}
	return report, nil
}
