-- The tables of the house, the same on both stores, in SQLite's words. `journal` is the only source; every other table is a
-- projection of it by `project.rs` and can be made anew (`cutcard rebuild`). Moments are milliseconds since 1970-01-01 UTC,
-- gaming days are days since then, amounts are cents. Projections that every action writes have no foreign keys: the checks
-- were half of PostgreSQL's time for a batch, and the audit compares every row with the journal anyway.

CREATE TABLE journal (
    seq INTEGER NOT NULL PRIMARY KEY CHECK (seq > 0),
    form INTEGER NOT NULL CHECK (form > 0),         -- how the hash is made
    at INTEGER NOT NULL,
    day INTEGER NOT NULL,
    table_no INTEGER NOT NULL CHECK (table_no >= 0), -- 0: the house itself
    round INTEGER NOT NULL CHECK (round >= 0),       -- 0: of no round
    kind TEXT NOT NULL,
    person INTEGER NOT NULL,                         -- who gave the command; 0: the house
    command TEXT NOT NULL,                           -- the id that the person gave it
    request BLOB NOT NULL CHECK (length(request) = 32),
    epoch INTEGER NOT NULL,                          -- of the table's owner
    event TEXT NOT NULL,
    legs TEXT NOT NULL,                              -- [["cash:player:7",-500,9500],…]: account, amount, balance after it
    changes TEXT NOT NULL,                           -- people, limits, settings, seals: what else it changed
    answer TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    UNIQUE (command, person)
) STRICT;

-- The journal's end: one row, locked by whoever appends.
CREATE TABLE head (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
    account INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    chips TEXT NOT NULL CHECK (chips IN ('cash', 'play')),
    holder TEXT NOT NULL,                            -- patrons, layouts, meters, bank, cashiers, outside, owed
    owner INTEGER NOT NULL,                          -- the person, table or meter; 0: none
    may_owe INTEGER NOT NULL CHECK (may_owe IN (0, 1)),
    balance INTEGER NOT NULL,
    CHECK (balance >= 0 OR may_owe = 1)
) STRICT;

-- A row a leg: legs of a record sum to zero for each kind of chips.
CREATE TABLE postings (
    seq INTEGER NOT NULL,
    n INTEGER NOT NULL CHECK (n >= 0),
    account INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    after INTEGER NOT NULL,
    PRIMARY KEY (seq, n)
) WITHOUT ROWID, STRICT;

CREATE TABLE rounds (
    table_no INTEGER NOT NULL,
    round INTEGER NOT NULL,
    day INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    records INTEGER NOT NULL CHECK (records > 0),
    PRIMARY KEY (table_no, round)
) WITHOUT ROWID, STRICT;

-- What a patron staked in a round, and what came back.
CREATE TABLE wagers (
    table_no INTEGER NOT NULL,
    round INTEGER NOT NULL,
    person INTEGER NOT NULL,
    chips TEXT NOT NULL CHECK (chips IN ('cash', 'play')),
    day INTEGER NOT NULL,
    staked INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_no, round, person, chips)
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
    measure TEXT NOT NULL CHECK (measure IN ('loss', 'wager', 'time')),
    span TEXT NOT NULL CHECK (span IN ('day', 'week', 'month')),
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
    table_no INTEGER NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL CHECK (epoch > 0)
) STRICT;

-- The record from which a restart carries a table's play out again.
CREATE TABLE checkpoints (
    table_no INTEGER NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL
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
    folded TEXT NOT NULL UNIQUE,                     -- the name in small letters: names that differ only in case are one
    role TEXT NOT NULL,
    secret TEXT NOT NULL,                            -- the password's hash; empty where there is no password
    guest INTEGER NOT NULL CHECK (guest IN (0, 1)),
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    created INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    locked_until INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    token BLOB NOT NULL PRIMARY KEY,                 -- the digest of the token that its holder has
    person INTEGER NOT NULL REFERENCES people (person),
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    ends INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
