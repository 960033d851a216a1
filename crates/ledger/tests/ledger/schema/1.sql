-- The end of the journal: one row, locked by whoever appends.
CREATE TABLE head (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT;
INSERT INTO head (one, seq, hash, at)
VALUES (1, 0, CAST('00000000000000000000000000000000' AS BLOB), 0);

CREATE TABLE journal (
    seq INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    day INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    round INTEGER NOT NULL,
    kind TEXT NOT NULL,
    person INTEGER NOT NULL,
    command TEXT NOT NULL,
    body BLOB NOT NULL,
    event BLOB NOT NULL,
    legs BLOB NOT NULL,
    effects BLOB NOT NULL,
    answer BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
-- The gate that makes a repeated command harmless. The id comes first: ids that grow with time, as UUIDs of version 7 do,
-- then lie side by side, and a batch touches few pages.
CREATE UNIQUE INDEX journal_command ON journal (command, person);
CREATE INDEX journal_stream ON journal (stream, round, seq);

CREATE TABLE accounts (
    account INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    may_owe INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    CHECK (balance >= 0 OR may_owe = 1)
) STRICT;

CREATE TABLE legs (
    account INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    n INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    after INTEGER NOT NULL,
    PRIMARY KEY (account, seq, n)
) WITHOUT ROWID, STRICT;

CREATE TABLE play_days (
    person INTEGER NOT NULL,
    day INTEGER NOT NULL,
    wagered INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    played_ms INTEGER NOT NULL,
    last_wager INTEGER NOT NULL,
    PRIMARY KEY (person, day)
) WITHOUT ROWID, STRICT;

CREATE TABLE limits (
    person INTEGER NOT NULL,
    measure INTEGER NOT NULL,
    span INTEGER NOT NULL,
    most INTEGER,
    later_most INTEGER,
    later_at INTEGER,
    PRIMARY KEY (person, measure, span)
) WITHOUT ROWID, STRICT;

CREATE TABLE exclusions (
    person INTEGER NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT;

-- Who may write a table's events. A server that takes a table over raises the epoch, and the one before is fenced off.
CREATE TABLE owners (
    stream INTEGER NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL
) STRICT;

CREATE TABLE checkpoints (
    stream INTEGER NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL,
    state BLOB NOT NULL
) STRICT;

CREATE TABLE seals (
    day INTEGER NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    at INTEGER NOT NULL,
    signature BLOB NOT NULL
) STRICT;

CREATE TABLE people (
    person INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    secret TEXT NOT NULL,
    guest INTEGER NOT NULL,
    disabled INTEGER NOT NULL,
    created INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    locked_until INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    token BLOB NOT NULL PRIMARY KEY,
    person INTEGER NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    ends INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_person ON sessions (person);

CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;
