-- Roads to the records are kept for many records at a time too. PostgreSQL has them beside the pages; they are made anew.
DROP TABLE streams;
CREATE TABLE streams (
    stream INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    entries BLOB NOT NULL,
    PRIMARY KEY (stream, round, seq)
) WITHOUT ROWID, STRICT;

DROP TABLE legs;
CREATE TABLE legs (
    account INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    lines BLOB NOT NULL,
    PRIMARY KEY (account, seq)
) WITHOUT ROWID, STRICT;

DELETE FROM commands;
DELETE FROM accounts;
DELETE FROM play_days;
UPDATE folded SET seq = 0;
