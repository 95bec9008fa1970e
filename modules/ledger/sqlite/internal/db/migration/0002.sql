-- What named agents leave: their ledger, their handoffs, and each learning of a
-- handoff (uid is the handoff's id and its number) as a row of its own, so that
-- it can be found. body is JSON, of a learning its text.
CREATE TABLE agent (
  id       INTEGER PRIMARY KEY,
  project  TEXT    NOT NULL, -- uid
  name     TEXT    NOT NULL,
  kind     TEXT    NOT NULL, -- ledger, handoff, learning
  uid      TEXT    NOT NULL, -- of the handoff; '' for a ledger
  time     INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  body     TEXT    NOT NULL,
  UNIQUE (project, name, kind, uid)
);
CREATE INDEX agent_uid ON agent (uid);

-- Contentless, as the index of events is and for the same reasons.
CREATE VIRTUAL TABLE agent_search USING fts5 (terms, content = '', columnsize = 0, tokenize = 'ascii');
INSERT INTO agent_search (agent_search, rank) VALUES ('secure-delete', 1);
