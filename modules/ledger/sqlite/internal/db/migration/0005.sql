-- What a transaction adds to the index is gathered in memory up to this size, in
-- bytes, before it becomes a segment: an import writes and merges fewer of them.
INSERT INTO search (search, rank) VALUES ('hashsize', 8388608);

-- Whether a source has a prompt, and how many openings of sessions: Coverage would
-- otherwise look at every event of every source.
ALTER TABLE source ADD COLUMN prompted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN openings INTEGER NOT NULL DEFAULT 0;
UPDATE source SET
  prompted = EXISTS (SELECT 1 FROM occurrence o JOIN event e ON e.key = o.event WHERE o.source = source.id AND e.kind = 'prompt'),
  openings = (SELECT COUNT(*) FROM occurrence o JOIN event e ON e.key = o.event WHERE o.source = source.id AND e.kind = 'session');
-- The second column gives their records a shape that no other index has: a
-- damaged ledger is read by shape.
CREATE INDEX source_unprompted ON source (tool, hook, path) WHERE NOT prompted;
CREATE INDEX source_parked ON source (tool, hook, path) WHERE parked <> '';

-- The newest sessions of a tool or a project, without a look at the others.
CREATE INDEX session_tool_last ON session (tool, last);
CREATE INDEX session_project_last ON session (project, last);
-- How many sessions and events there are.
CREATE INDEX session_size ON session (own, how, events);
