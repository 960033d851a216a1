-- SQLite has one writer a file: what follows from the journal moves to a file of its own, where folding it in holds no
-- command up. It is made anew from the journal there.
DROP TABLE main.folded;
DROP TABLE main.commands;
DROP TABLE main.streams;
DROP TABLE main.accounts;
DROP TABLE main.legs;
DROP TABLE main.play_days;
