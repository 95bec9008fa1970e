package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// queries are asked of every ledger; none is taken from a transcript.
var queries = []string{
	"error", "test", "the file", "build failed", `"no such file"`, "func*", "TODO", "README", "migration schema index",
	"panic", "git commit", "config json", "retry timeout", "deprecated", "xyzzyplugh", "erorr", "ba be bi", "rename function",
}

// answers prints what a ledger answers, in an order that does not depend on how
// it was filled: two ledgers of the same transcripts print the same.
func answers(out io.Writer, p program) error {
	digest, _, err := p.do("ledger", "digest")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "digest %s", digest)
	for _, query := range queries {
		if err := hits(out, p, query); err != nil {
			return err
		}
	}
	sessions, err := sessionsOf(p)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		text, _, err := p.do("handoff", session)
		if err != nil {
			text = []byte(err.Error()) // one without a request has none: that is an answer too
		}
		fmt.Fprintf(out, "handoff %s %x\n", session, sha256.Sum256(text))
	}
	return nil
}

// hits prints where each hit of a query stands.
func hits(out io.Writer, p program, query string) error {
	text, _, err := p.do("search", "--json", "--limit", "50", query)
	if err != nil && len(text) == 0 { // a search that finds nothing prints so, and ends with 3
		return err
	}
	var result struct {
		Total      int    `json:"total"`
		Suggestion string `json:"suggestion"`
		Hits       []struct {
			Kind   string          `json:"kind"`
			Source json.RawMessage `json:"source"`
		} `json:"hits"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return err
	}
	fmt.Fprintf(out, "search %q total %d suggestion %q\n", query, result.Total, result.Suggestion)
	for _, hit := range result.Hits {
		var source bytes.Buffer
		if err := json.Compact(&source, hit.Source); err != nil {
			return err
		}
		fmt.Fprintf(out, "  %s %s\n", hit.Kind, &source)
	}
	return nil
}

// sessionsOf lists the ids of all sessions.
func sessionsOf(p program) ([]string, error) {
	text, _, err := p.do("export")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Type    string `json:"type"`
			Session struct {
				ID string `json:"session"`
			} `json:"session"`
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Type == "session" {
			seen[line.Session.ID] = true
		}
	}
	var sessions []string
	for session := range seen {
		sessions = append(sessions, session)
	}
	slices.Sort(sessions)
	return sessions, lines.Err()
}
