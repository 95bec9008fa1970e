-- A checksum of each row that only the ledger may have: damage that SQLite
-- does not see is found by it. 0 is unknown.
ALTER TABLE event ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
