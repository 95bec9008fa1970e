-- The raw records of transcripts, redacted and compressed (zstd), in pieces: the tools
-- delete their files. from_byte and length are counted in the transcript as it was; a
-- from_byte of -1 says that nothing of the source is to be kept. No other table has
-- this shape: a damaged ledger is read by shape.
CREATE TABLE original (
  id         INTEGER PRIMARY KEY,
  source     INTEGER NOT NULL REFERENCES source (id),
  from_byte  INTEGER NOT NULL,
  length     INTEGER NOT NULL,
  redact_rev INTEGER NOT NULL,
  packed     BLOB    NOT NULL
);
CREATE INDEX original_source ON original (source, from_byte, length);
