-- A command writes its record and the journal's end, and nothing else: what is found by other roads than the record's place
-- is folded in from the journal a moment later, many records at a time. `folded` says how far that has come.
CREATE TABLE folded (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL
) STRICT;
INSERT INTO folded (one, seq) SELECT 1, seq FROM head;

CREATE TABLE commands (
    command TEXT NOT NULL,
    person INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (command, person)
) WITHOUT ROWID, STRICT;
INSERT INTO commands (command, person, seq) SELECT command, person, seq FROM journal;

CREATE TABLE streams (
    stream INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (stream, round, seq)
) WITHOUT ROWID, STRICT;
INSERT INTO streams (stream, round, seq, kind) SELECT stream, round, seq, kind FROM journal;

DROP INDEX journal_command;
DROP INDEX journal_stream;
