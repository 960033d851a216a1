-- Indexes that a store of this version may lack; made when it is opened. A program before need not know of them.
CREATE INDEX IF NOT EXISTS journal_person ON journal (person, seq);
CREATE INDEX IF NOT EXISTS journal_significant ON journal (seq) WHERE kind = 'significant';
