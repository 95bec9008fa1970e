-- The ledger. Times are milliseconds since 1970 in UTC, NULL or 0 when unknown.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE tool (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- A repository, or a directory outside of any. uid is what others see.
CREATE TABLE project (
  id   INTEGER PRIMARY KEY,
  uid  TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL
);

-- Every git common directory and worktree a project was seen at.
CREATE TABLE project_path (
  path    TEXT PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project (id)
) WITHOUT ROWID;
CREATE INDEX project_path_project ON project_path (project);

-- What is known of a session. The columns ending in _mark say where the value
-- was read, so that the order of arrival does not matter.
CREATE TABLE session (
  id            INTEGER PRIMARY KEY,
  tool          INTEGER NOT NULL REFERENCES tool (id),
  name          TEXT    NOT NULL,
  project       INTEGER NOT NULL DEFAULT 0,
  worktree      TEXT    NOT NULL DEFAULT '',
  cwd           TEXT    NOT NULL DEFAULT '',
  cwd_mark      INTEGER NOT NULL DEFAULT 0,
  branch        TEXT    NOT NULL DEFAULT '',
  branch_mark   INTEGER NOT NULL DEFAULT 0,
  title         TEXT    NOT NULL DEFAULT '',
  title_mark    INTEGER NOT NULL DEFAULT 0,
  version       TEXT    NOT NULL DEFAULT '',
  version_mark  INTEGER NOT NULL DEFAULT 0,
  origin        TEXT    NOT NULL DEFAULT '', -- session this one came from
  how           TEXT    NOT NULL DEFAULT '',
  origin_mark   INTEGER NOT NULL DEFAULT 0,
  headless      INTEGER NOT NULL DEFAULT 0,
  headless_mark INTEGER NOT NULL DEFAULT 0,
  used          TEXT    NOT NULL DEFAULT '', -- the newest usage record, as JSON
  used_mark     INTEGER NOT NULL DEFAULT 0,
  own           INTEGER NOT NULL DEFAULT 0,  -- 1: has events that are no subagent's
  first         INTEGER NOT NULL DEFAULT 0,
  last          INTEGER NOT NULL DEFAULT 0,
  events        INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tool, name)
);
CREATE INDEX session_last ON session (last);

CREATE TABLE source (
  id       INTEGER PRIMARY KEY,
  tool     INTEGER NOT NULL REFERENCES tool (id),
  path     TEXT    NOT NULL,
  main     TEXT    NOT NULL DEFAULT '', -- name of the session the file belongs to
  hook     INTEGER NOT NULL DEFAULT 0,
  subagent INTEGER NOT NULL DEFAULT 0,
  rewrites INTEGER NOT NULL DEFAULT 0,
  device   INTEGER NOT NULL DEFAULT 0,
  inode    INTEGER NOT NULL DEFAULT 0,
  size     INTEGER NOT NULL DEFAULT 0,
  modified INTEGER NOT NULL DEFAULT 0,  -- nanoseconds
  head     TEXT    NOT NULL DEFAULT '',
  tail     TEXT    NOT NULL DEFAULT '',
  revision INTEGER NOT NULL DEFAULT 0,
  offset   INTEGER NOT NULL DEFAULT 0,
  line     INTEGER NOT NULL DEFAULT 0,
  state    TEXT    NOT NULL DEFAULT '',
  parked   TEXT    NOT NULL DEFAULT '',
  coverage TEXT    NOT NULL DEFAULT '', -- transcript.Coverage, as JSON
  latest   INTEGER NOT NULL DEFAULT 0,  -- last known time of an event in it
  UNIQUE (tool, path)
);
CREATE INDEX source_main ON source (tool, main);

-- An event, once, however many files hold it. The key is in time order:
-- milliseconds << 20, and below that a hash of tool and id.
CREATE TABLE event (
  key        INTEGER PRIMARY KEY,
  tool       INTEGER NOT NULL REFERENCES tool (id),
  id         TEXT    NOT NULL,
  kind       TEXT    NOT NULL,
  time       INTEGER,
  withdrawn  INTEGER NOT NULL DEFAULT 0,
  outside    INTEGER NOT NULL DEFAULT 0, -- from a hook or git: not in the digest
  revision   INTEGER NOT NULL DEFAULT 0, -- of the reader that made the body
  redact_rev INTEGER NOT NULL DEFAULT 0,
  project    INTEGER NOT NULL DEFAULT 0, -- the project it is indexed under
  body       TEXT    NOT NULL,
  UNIQUE (tool, id)
);

-- Where an event stands. A negative offset is a former place (-1 - offset):
-- the source was read again and the event has not been found there since.
CREATE TABLE occurrence (
  source   INTEGER NOT NULL REFERENCES source (id),
  offset   INTEGER NOT NULL,
  block    INTEGER NOT NULL,
  event    INTEGER NOT NULL REFERENCES event (key),
  session  INTEGER NOT NULL REFERENCES session (id),
  length   INTEGER NOT NULL,
  line     INTEGER NOT NULL,
  subagent INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (source, offset, block)
) WITHOUT ROWID;
CREATE INDEX occurrence_event ON occurrence (event, session);
CREATE INDEX occurrence_session ON occurrence (session);

-- Decisions of the restore gate.
CREATE TABLE restore (
  id        INTEGER PRIMARY KEY,
  tool      TEXT    NOT NULL,
  session   TEXT    NOT NULL,
  from_tool TEXT    NOT NULL DEFAULT '',
  from_id   TEXT    NOT NULL DEFAULT '',
  project   TEXT    NOT NULL DEFAULT '',
  event     TEXT    NOT NULL,
  source    TEXT    NOT NULL,
  decision  TEXT    NOT NULL,
  reason    TEXT    NOT NULL,
  lines     INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  sha256    TEXT    NOT NULL DEFAULT '',
  time      INTEGER NOT NULL
);
CREATE INDEX restore_session ON restore (tool, session, id);

-- What was forgotten, as keyed hashes, so that no import brings it back.
CREATE TABLE tombstone (
  hash TEXT    PRIMARY KEY,
  what TEXT    NOT NULL, -- event, session, project
  time INTEGER NOT NULL
) WITHOUT ROWID;

-- Contentless: the words are made in Go (ledger.SearchText) and are in no
-- other table. The tokenizer only has to split at the spaces between them.
-- secure-delete takes a forgotten word out of the file, not only out of reach;
-- contentless_delete would keep it until the next optimize. Hits are ranked in
-- Go, so no sizes of columns are kept. Segments are merged by eight and not by
-- four: an import writes half as much, and a search does not feel it.
CREATE VIRTUAL TABLE search USING fts5 (terms, content = '', columnsize = 0, tokenize = 'ascii');
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
INSERT INTO search (search, rank) VALUES ('automerge', 8);

CREATE VIEW v_sessions AS
SELECT t.name AS tool, s.name AS session, p.uid AS project, p.path AS project_path,
       s.cwd, s.worktree, s.branch, s.title, s.origin AS came_from, s.how, s.version,
       s.headless, s.own = 0 OR s.how = 'subagent' AS subagent, s.events,
       strftime('%Y-%m-%dT%H:%M:%fZ', NULLIF(s.first, 0) / 1000.0, 'unixepoch') AS first,
       strftime('%Y-%m-%dT%H:%M:%fZ', NULLIF(s.last, 0) / 1000.0, 'unixepoch') AS last
FROM session s
JOIN tool t ON t.id = s.tool
LEFT JOIN project p ON p.id = s.project
WHERE s.events > 0;

CREATE VIEW v_decisions AS
SELECT DISTINCT t.name AS tool, s.name AS session, e.id,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.time / 1000.0, 'unixepoch') AS time,
       json_extract(e.body, '$.decision.kind')      AS kind,
       json_extract(e.body, '$.decision.topic')     AS topic,
       json_extract(e.body, '$.decision.question')  AS question,
       json_extract(e.body, '$.decision.options')   AS options,
       json_extract(e.body, '$.decision.chosen')    AS chosen,
       json_extract(e.body, '$.decision.rationale') AS rationale,
       json_extract(e.body, '$.decision.tradeoffs') AS tradeoffs,
       json_extract(e.body, '$.decision.rejected')  AS rejected
FROM event e
JOIN occurrence o ON o.event = e.key
JOIN session s ON s.id = o.session
JOIN tool t ON t.id = e.tool
WHERE e.kind = 'decision' AND NOT e.withdrawn;

CREATE VIEW v_failures AS
SELECT DISTINCT t.name AS tool, s.name AS session, e.id,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.time / 1000.0, 'unixepoch') AS time,
       json_extract(e.body, '$.result.call_id')   AS call_id,
       json_extract(e.body, '$.result.exit_code') AS exit_code,
       json_extract(e.body, '$.result.text')      AS text
FROM event e
JOIN occurrence o ON o.event = e.key
JOIN session s ON s.id = o.session
JOIN tool t ON t.id = e.tool
WHERE e.kind = 'result' AND json_extract(e.body, '$.result.failed') AND NOT e.withdrawn;
