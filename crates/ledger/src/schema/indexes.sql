-- How rows are found by other columns than their keys, and a view of the journal by its unique key.
CREATE INDEX journal_round ON journal (table_no, round, seq);
CREATE INDEX journal_day ON journal (day, seq);
CREATE INDEX postings_account ON postings (account, seq, n);
CREATE INDEX wagers_person ON wagers (person, chips, last_seq);
CREATE INDEX sessions_person ON sessions (person);
CREATE VIEW commands AS SELECT person, command, request, seq, at, kind, answer FROM journal;
CREATE INDEX journal_person ON journal (person, seq);
CREATE INDEX journal_significant ON journal (seq) WHERE kind = 'significant';
