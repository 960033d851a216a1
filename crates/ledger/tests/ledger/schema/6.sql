-- Commands are found in drawers of many. PostgreSQL has them beside the pages; what follows from the journal is made anew.
DROP TABLE commands;
CREATE TABLE commands (
    first BLOB NOT NULL PRIMARY KEY,
    entries BLOB NOT NULL
) STRICT;

DELETE FROM streams;
DELETE FROM legs;
DELETE FROM accounts;
DELETE FROM play_days;
UPDATE folded SET seq = 0;
