-- The file beside the journal's: what is found by other roads than the record's place. All of it follows from the journal,
-- so that nobody waits for it to be synced, and a file that is lost or of an older layout is made anew. `folded` says how
-- far it has come, `user_version` which layout it has.
DROP TABLE IF EXISTS lookup.folded;
DROP TABLE IF EXISTS lookup.commands;
DROP TABLE IF EXISTS lookup.streams;
DROP TABLE IF EXISTS lookup.accounts;
DROP TABLE IF EXISTS lookup.legs;
DROP TABLE IF EXISTS lookup.play_days;
PRAGMA lookup.user_version = 3;

CREATE TABLE lookup.folded (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL
) STRICT;
INSERT INTO lookup.folded (one, seq) VALUES (1, 0);

CREATE TABLE lookup.commands (
    first BLOB NOT NULL PRIMARY KEY,
    entries BLOB NOT NULL
) STRICT;

CREATE TABLE lookup.streams (
    stream INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    entries BLOB NOT NULL,
    PRIMARY KEY (stream, round, seq)
) WITHOUT ROWID, STRICT;

CREATE TABLE lookup.accounts (
    account INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    may_owe INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    CHECK (balance >= 0 OR may_owe = 1)
) STRICT;

CREATE TABLE lookup.legs (
    account INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    lines BLOB NOT NULL,
    PRIMARY KEY (account, seq)
) WITHOUT ROWID, STRICT;

CREATE TABLE lookup.play_days (
    person INTEGER NOT NULL,
    day INTEGER NOT NULL,
    wagered INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    played_ms INTEGER NOT NULL,
    last_wager INTEGER NOT NULL,
    PRIMARY KEY (person, day)
) WITHOUT ROWID, STRICT;
