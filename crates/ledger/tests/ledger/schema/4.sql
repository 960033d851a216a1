-- Records that become durable together are stored together: a row for many records, of the very bytes that their hashes are
-- over. The program moves the records of the journal into pages (`pages_of_journal`), then the journal's table goes.
CREATE TABLE pages (
    seq INTEGER NOT NULL PRIMARY KEY,
    records BLOB NOT NULL
) STRICT;
