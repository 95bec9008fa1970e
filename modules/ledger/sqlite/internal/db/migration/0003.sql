-- What was forgotten is kept beside the ledger, so that it outlives it.
DROP TABLE tombstone;
