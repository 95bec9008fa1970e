-- Bodies of events, many to a compressed block (zstd): see sqlite/internal/bodies. The
-- column body of event has the number of the block, or the body itself where the views
-- read it. size is that of the block before it was packed.
CREATE TABLE block (
  id     INTEGER PRIMARY KEY,
  class  INTEGER NOT NULL,
  size   INTEGER NOT NULL,
  packed BLOB    NOT NULL
);

-- What the index numbers its documents by: the times of keys are too far apart, each
-- would take seven bytes in the list of every word. class is how much a hit is worth.
CREATE TABLE document (
  id    INTEGER PRIMARY KEY,
  event INTEGER NOT NULL,
  class INTEGER NOT NULL
);

-- The events with bodies in blocks; hash stands for tool and id in an index of a third
-- of the size, document is the number in the index, 0 for none. The store copies them.
DROP VIEW v_decisions;
DROP VIEW v_failures;
CREATE TABLE event_packed (
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
  body       NOT NULL,
  sum        INTEGER NOT NULL DEFAULT 0,
  hash       INTEGER NOT NULL,
  document   INTEGER NOT NULL DEFAULT 0
);

-- (step)
-- The copy takes the place of the table.
DROP TABLE event;
ALTER TABLE event_packed RENAME TO event;
CREATE INDEX event_hash ON event (hash);

-- Which sources hold events of a session: an index over every place says no more.
CREATE TABLE session_source (
  session INTEGER NOT NULL REFERENCES session (id),
  source  INTEGER NOT NULL REFERENCES source (id),
  PRIMARY KEY (session, source)
) WITHOUT ROWID;
INSERT INTO session_source SELECT DISTINCT session, source FROM occurrence;
DROP INDEX occurrence_session;

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
WHERE e.kind = 'result' AND typeof(e.body) = 'text' AND json_extract(e.body, '$.result.failed') AND NOT e.withdrawn;
