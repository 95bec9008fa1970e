package dashboard

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// sessionFilter is what a list of sessions is narrowed to; empty fields narrow nothing.
type sessionFilter struct {
	Tool, Project      string
	Branch, Text       string // a part of it
	SinceDay, UntilDay string // days as 2006-01-02, both in it
}

// filterOf reads a filter off an address.
func filterOf(asked url.Values) sessionFilter {
	return sessionFilter{
		Tool: asked.Get("tool"), Project: asked.Get("project"), Branch: strings.TrimSpace(asked.Get("branch")), Text: strings.TrimSpace(asked.Get("q")),
		SinceDay: dayOf(asked.Get("since")), UntilDay: dayOf(asked.Get("until")),
	}
}

// dayOf is a day, "" for what is none.
func dayOf(text string) string {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return ""
	}
	return text
}

// Values are the filter as an address has it.
func (f sessionFilter) Values() url.Values {
	values := url.Values{}
	for name, value := range map[string]string{"tool": f.Tool, "project": f.Project, "branch": f.Branch, "q": f.Text, "since": f.SinceDay, "until": f.UntilDay} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}

// Narrows says whether anything is left out.
func (f sessionFilter) Narrows() bool { return len(f.Values()) > 0 }

// ledger is the part of the filter that the ledger applies.
func (f sessionFilter) ledger() ledger.SessionFilter {
	since, _ := time.ParseInLocation(time.DateOnly, f.SinceDay, time.Local)
	return ledger.SessionFilter{Tool: f.Tool, Project: f.Project, Since: since}
}

// passes is the rest of it. task is that of the session, as far as it is known.
func (f sessionFilter) passes(session ledger.Session, task string) bool {
	if until, err := time.ParseInLocation(time.DateOnly, f.UntilDay, time.Local); err == nil && !session.Last.Before(until.AddDate(0, 0, 1)) {
		return false
	}
	has := func(part string, texts ...string) bool {
		for _, text := range texts {
			if strings.Contains(strings.ToLower(text), strings.ToLower(part)) {
				return true
			}
		}
		return part == ""
	}
	return has(f.Branch, session.Branch) && has(f.Text, session.Title, task, session.ID, session.Project.Path, session.Cwd, session.Branch)
}

// filteredChunk is how many sessions are read at a time while most are left out.
const filteredChunk = 500

// filtered lists sessions behind a place, newest first, at most limit.
func (p sessionPages) filtered(ctx context.Context, by sessionFilter, after ledger.SessionMark, limit int) ([]ledger.Session, error) {
	filter := by.ledger()
	filter.After, filter.Limit = after, filteredChunk
	var passed []ledger.Session
	for {
		list, err := p.Ledger.Sessions(ctx, filter)
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			known, _ := p.digests.get(one.SessionKey)
			if by.passes(one, known.Task) {
				if passed = append(passed, one); len(passed) == limit {
					return passed, nil
				}
			}
			filter.After = one.Mark()
		}
		if len(list) < filter.Limit {
			return passed, nil
		}
	}
}
