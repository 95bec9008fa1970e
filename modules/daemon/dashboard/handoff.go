package dashboard

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// handoff is the handoff of a session as a page shows it: what an agent would
// be given, with the place of each line.
type handoff struct {
	Session   ledger.Session
	Updated   string
	Lines     int
	Bytes     int
	Sections  []section
	Text      string // as an agent is given it
	Dismissed bool
}

// section is a heading with what stands below it.
type section struct {
	Title string
	Lines []line
}

// line is one line of a handoff.
type line struct {
	Item  bool // of a list
	Spans []words.Span
	Refs  []ref // where it was said, the first place first
}

// ref is a place in a transcript.
type ref struct {
	Text string // "line 37", "1a2b3c4d:37" in another session
	URL  string
}

// handoffOf is the handoff of a session, nil when there is none.
func (p *Page) handoffOf(ctx context.Context, session ledger.Session) (*handoff, error) {
	document, err := p.Service.Handoff(ctx, view.HandoffRequest{SessionSelector: view.SessionSelector{Session: session.ID}, Explain: true})
	if errors.Is(err, view.ErrNotFound) {
		return nil, nil //nolint:nilnil // a session without a handoff is no failure
	}
	if err != nil {
		return nil, err
	}
	given, err := p.Service.Handoff(ctx, view.HandoffRequest{SessionSelector: view.SessionSelector{Session: session.ID}})
	if err != nil {
		return nil, err
	}
	dismissed, err := p.Sessions.Dismissed(ctx, session)
	return &handoff{
		Session: session, Updated: document.Updated, Lines: given.Lines, Bytes: given.Bytes, Text: given.Text,
		Sections: sections(document, session), Dismissed: dismissed,
	}, err
}

// sourceMark is how a line of render.Handoff ends when it is explained.
var sourceMark = regexp.MustCompile(` ‹([^ ‹›]+) ([^ :‹›]+):(\d+)›$`)

// sections reads the text of a handoff: what is rendered for an agent is what
// is shown. Left out are the header, which is for the agent, and the last
// section, which names this program.
func sections(document render.Document, session ledger.Session) []section {
	var list []section
	for _, text := range strings.Split(strings.TrimSpace(document.Text), "\n") {
		if title, found := strings.CutPrefix(text, "## "); found {
			list = append(list, section{Title: title})
			continue
		}
		if len(list) == 0 || text == "" {
			continue
		}
		last := &list[len(list)-1]
		last.Lines = append(last.Lines, lineOf(text, session))
	}
	if n := len(list) - 1; n >= 0 && list[n].Title == "Full history" {
		list = list[:n]
	}
	return list
}

func lineOf(text string, session ledger.Session) line {
	var l line
	for at := sourceMark.FindStringSubmatch(text); at != nil; at = sourceMark.FindStringSubmatch(text) {
		text = strings.TrimSuffix(text, at[0])
		if one, ok := refOf(at[1], at[2], at[3], session); ok {
			l.Refs = append([]ref{one}, l.Refs...)
		}
	}
	text, l.Item = strings.CutPrefix(text, "- ")
	l.Spans = words.Spans(text)
	return l
}

// refOf is the place of a line in a session's transcript; id may be the beginning
// of the session's.
func refOf(tool, id, line string, session ledger.Session) (ref, bool) {
	number, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return ref{}, false
	}
	text := id + ":" + line
	if tool == session.Tool && strings.HasPrefix(session.ID, id) {
		id, text = session.ID, "line "+line
	}
	return ref{text, words.LineURL(tool, id, number, 0)}, true
}
