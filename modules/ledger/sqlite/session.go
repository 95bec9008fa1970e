package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/counts"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

type sessionRow struct {
	ID           int64
	Tool         int64
	Name         string
	Project      int64
	Worktree     string
	Cwd          string
	CwdMark      int64
	Branch       string
	BranchMark   int64
	Title        string
	TitleMark    int64
	Version      string
	VersionMark  int64
	Origin       string
	How          string
	OriginMark   int64
	Headless     bool
	HeadlessMark int64
	Used         string
	UsedMark     int64
	Own          bool
	First        int64
	Last         int64
	Events       int

	isNew bool // not stored yet
}

func (sessionRow) TableName() string { return "session" }

// Marks say where a value of a session was read, so that the right one stays
// whatever is read first: of two values the one with the greater mark. A
// session's main source outranks every other one.
const (
	mainRank  = 1 << 61
	maxOffset = 1 << 60
)

// mark of a value by which the last one in the source counts.
func (a *appending) lastMark(at occurrence) int64 {
	return a.rank(at) + at.ref.Offset + 1
}

// mark of a value by which the first one in the source counts.
func (a *appending) firstMark(at occurrence) int64 {
	return a.rank(at) + maxOffset - at.ref.Offset
}

func (a *appending) rank(at occurrence) int64 {
	if at.session == a.batch.Source.Main && !a.batch.Source.Subagent && !a.batch.Hook {
		return mainRank
	}
	return 0
}

// openSessions loads or makes the sessions of the batch and learns what its
// events say about them. It comes before the events are stored, because they
// are indexed under their session's project.
func (a *appending) openSessions(ctx context.Context) error {
	a.sessions = map[string]*sessionRow{}
	started := map[string]string{} // where each session was started, as known before
	for _, at := range a.occurrences {
		session, err := a.session(ctx, at.session)
		if err != nil {
			return err
		}
		if _, noted := started[at.session]; !noted {
			started[at.session] = session.Cwd
		}
		if err := a.learn(session, at); err != nil {
			return err
		}
	}
	for name, session := range a.sessions {
		if session.Project != 0 && session.Cwd == started[name] {
			continue
		}
		if err := a.findProject(ctx, session); err != nil {
			return err
		}
	}
	return nil
}

func (a *appending) session(ctx context.Context, name string) (*sessionRow, error) {
	if session, open := a.sessions[name]; open {
		return session, nil
	}
	session := &sessionRow{}
	err := a.rows.Where("tool = ? AND name = ?", a.tool, name).Take(session).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		*session = sessionRow{Tool: a.tool, Name: name, isNew: true}
		session.ID, err = a.nextID(ctx, "session")
	}
	if err != nil {
		return nil, err
	}
	a.sessions[name] = session
	return session, nil
}

// learn takes from one event what it says about its session.
func (a *appending) learn(session *sessionRow, at occurrence) error {
	event := at.event.event
	session.Own = session.Own || !at.subagent
	if ms := counts.Captured(at.event.time, a.batch.Source.ModTime, time.Now()); ms != 0 {
		session.Last = max(session.Last, ms)
		if session.First == 0 || ms < session.First {
			session.First = ms
		}
	}
	first, last := a.firstMark(at), a.lastMark(at)
	if workDir := event.WorkDir; workDir != nil {
		if workDir.Cwd != "" && first > session.CwdMark {
			session.Cwd, session.CwdMark = workDir.Cwd, first
		}
		if workDir.Branch != "" && last >= session.BranchMark {
			session.Branch, session.BranchMark = workDir.Branch, last
		}
	}
	// A subagent within the session says nothing about the session itself.
	if start := event.Start; start != nil && (start.Agent == "" || start.From != "") {
		session.learnStart(start, first, last)
	}
	if event.Kind == transcript.Title && last >= session.TitleMark {
		session.Title, session.TitleMark = event.Text, last
	}
	if event.Usage != nil && last >= session.UsedMark {
		used, err := json.Marshal(event.Usage)
		if err != nil {
			return err
		}
		session.Used, session.UsedMark = string(used), last
	}
	return nil
}

func (r *sessionRow) learnStart(start *transcript.Start, first, last int64) {
	if start.Version != "" && last >= r.VersionMark {
		r.Version, r.VersionMark = start.Version, last
	}
	if (start.From != "" || start.How != "") && first > r.OriginMark {
		r.Origin, r.How, r.OriginMark = start.From, start.How, first
	}
	// Whether anybody can answer is a matter of the latest run.
	if last >= r.HeadlessMark {
		r.Headless, r.HeadlessMark = start.Headless, last
	}
}

// forgetSession makes the session of a source that is read again be
// learnt again.
func (a *appending) forgetSession(ctx context.Context) error {
	_, err := a.tx.ExecContext(ctx, `UPDATE session SET cwd_mark = 0, branch_mark = 0, title_mark = 0,
		version_mark = 0, origin_mark = 0, headless_mark = 0, used_mark = 0 WHERE tool = ? AND name = ?`,
		a.tool, a.batch.Source.Main)
	return err
}

// findProject puts a session into the project of the directory it was started
// in. Events indexed before that was known are moved.
func (a *appending) findProject(ctx context.Context, session *sessionRow) error {
	if session.Cwd == "" {
		return nil
	}
	identity, ok := a.log.identify(session.Cwd)
	if !ok {
		return nil
	}
	project, err := a.project(identity)
	if err != nil {
		return err
	}
	former := session.Project
	session.Project, session.Worktree = project.ID, identity.Worktree
	if former == project.ID || session.Events == 0 {
		return nil // nothing of it is indexed
	}
	return a.moveToProject(ctx, session, former)
}

// moveToProject indexes the events of a session again that were indexed under its
// former project, or under none.
func (a *appending) moveToProject(ctx context.Context, session *sessionRow, former int64) error {
	moved, err := a.records(ctx, "project = ?2 AND key IN (SELECT event FROM occurrence WHERE "+ofSession+")", session.ID, former)
	if err != nil {
		return err
	}
	for _, r := range moved {
		if err := a.moveEvent(ctx, r, session.Project); err != nil {
			return err
		}
	}
	return nil
}

// moveEvent indexes an event under another project.
func (t *transaction) moveEvent(ctx context.Context, r toolRecord, project int64) error {
	t.index.Remove(r.indexed(r.tool))
	r.project = project
	if err := t.reindex(ctx, r.record, r.tool); err != nil {
		return err
	}
	_, err := t.tx.ExecContext(ctx, "UPDATE event SET project = ?, document = ? WHERE key = ?", project, r.document, r.key)
	return err
}

func (a *appending) saveSessions(context.Context) error {
	for _, session := range a.sessions {
		save := a.rows.Save
		if session.isNew {
			save = a.rows.Create
		}
		if err := save(session).Error; err != nil {
			return err
		}
	}
	return nil
}

// sessionQuery joins what Session needs; path is of the main source. The
// planner would sort all sessions to find the newest: where it goes by time, the
// index is named.
const sessionQuery = `SELECT t.name AS tool_name, p.uid AS project_uid, p.path AS project_path,
	(SELECT path FROM source WHERE tool = s.tool AND main = s.name AND NOT hook ORDER BY subagent, path LIMIT 1) AS source_path,
	s.* FROM session s %s JOIN tool t ON t.id = s.tool LEFT JOIN project p ON p.id = s.project
	WHERE s.events > 0`

// Sessions lists sessions, newest last event first.
func (l *Store) Sessions(ctx context.Context, filter ledger.SessionFilter) ([]ledger.Session, error) {
	query, args := filtered(l.file, filter)
	query += " ORDER BY s.last DESC, t.name, s.name"
	if filter.Limit > 0 {
		query += " LIMIT ?"
		args = append(args, filter.Limit)
	}
	sessions, err := l.sessions(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return sessions, nil
}

// Session finds one session by key.
func (l *Store) Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error) {
	sessions, err := l.sessions(ctx, fmt.Sprintf(sessionQuery, "")+" AND t.name = ? AND s.name = ?", key.Tool, key.ID)
	if err != nil {
		return ledger.Session{}, false, fmt.Errorf("session %s: %w", key.ID, err)
	}
	if len(sessions) == 0 {
		return ledger.Session{}, false, nil
	}
	return sessions[0], true, nil
}

// filtered is sessionQuery with the conditions of a filter.
func filtered(file *db.File, filter ledger.SessionFilter) (query string, args []any) {
	var where strings.Builder
	index := "session_last"
	switch {
	case filter.Project != "":
		index = "session_project_last"
	case filter.Tool != "":
		index = "session_tool_last"
	}
	fmt.Fprintf(&where, sessionQuery, file.IndexedBy(index))
	add := func(condition string, values ...any) {
		where.WriteString(" AND " + condition)
		args = append(args, values...)
	}
	if filter.Tool != "" {
		add("s.tool = (SELECT id FROM tool WHERE name = ?)", filter.Tool)
	}
	if filter.Project != "" {
		add("s.project = (SELECT id FROM project WHERE uid = ?)", filter.Project)
	}
	if filter.Worktree != "" {
		add("s.worktree = ?", filter.Worktree)
	}
	if !filter.Since.IsZero() {
		add("s.last >= ?", filter.Since.UnixMilli())
	}
	if after := filter.After; after.ID != "" {
		last := db.Milliseconds(after.Last)
		add("s.last <= ? AND (s.last < ? OR (t.name, s.name) > (?, ?))", last, last, after.Tool, after.ID)
	}
	if filter.IDPrefix != "" {
		add("substr(s.name, 1, ?) = ?", len(filter.IDPrefix), filter.IDPrefix)
	}
	if !filter.Subagents {
		where.WriteString(" AND s.own AND s.how <> 'subagent'")
	}
	return where.String(), args
}

func (l *Store) sessions(ctx context.Context, query string, args ...any) ([]ledger.Session, error) {
	var rows []struct {
		Row         sessionRow `gorm:"embedded"`
		ToolName    string
		ProjectUID  string `gorm:"column:project_uid"`
		ProjectPath string
		SourcePath  string
	}
	if err := l.file.Rows(ctx).Raw(query, args...).Scan(&rows).Error; err != nil {
		return nil, db.Damaged(err)
	}
	sessions := make([]ledger.Session, len(rows))
	for i := range rows {
		row := &rows[i]
		session, err := row.Row.session()
		if err != nil {
			return nil, err
		}
		session.Tool, session.Path = row.ToolName, row.SourcePath
		session.Project = ledger.Project{ID: row.ProjectUID, Path: row.ProjectPath}
		sessions[i] = session
	}
	return sessions, nil
}

func (r *sessionRow) session() (ledger.Session, error) {
	session := ledger.Session{
		SessionKey: ledger.SessionKey{ID: r.Name},
		Cwd:        r.Cwd, Worktree: r.Worktree, Branch: r.Branch, Title: r.Title,
		From: r.Origin, How: r.How, Version: r.Version, Headless: r.Headless,
		Subagent: !r.Own || r.How == "subagent",
		First:    db.Time(r.First), Last: db.Time(r.Last),
		Events: r.Events,
	}
	if r.Used != "" {
		session.Usage = &transcript.UsageInfo{}
		if err := json.Unmarshal([]byte(r.Used), session.Usage); err != nil {
			return session, fmt.Errorf("usage of session %s: %w", r.Name, err)
		}
	}
	return session, nil
}
