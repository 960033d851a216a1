//! People, their sessions and the house's settings: how records change these rows, and how the rows are read.
//!
//! Passwords arrive here as hashes, and session tokens as digests.

use crate::db::{Columns, Db, DbResult, Found, Row, ask_one};
use crate::ids::{GamingDay, Moment, PersonId, RoundNo, Seq};
use crate::keys;
use crate::record::Digest;
use crate::row;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub id: PersonId,
    pub name: String,
    pub role: String,
    /// The password's hash in PHC form.
    ///
    /// The hash is empty for people who cannot sign in with a password.
    pub secret: String,
    pub guest: bool,
    pub disabled: bool,
    pub created: Moment,
    pub failures: i64,
    pub locked_until: Moment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The digest of the session's token. The token itself is known only to its holder.
    pub token: Digest,
    pub person: PersonId,
    pub created: Moment,
    pub seen: Moment,
    pub ends: Moment,
}

/// A change to people, sessions, settings, table owners, checkpoints or seals, as stored in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowChange {
    NewPerson(Person),
    /// A guest becomes a member, and keeps the person number, chips and history.
    Join {
        person: PersonId,
        name: String,
        secret: String,
    },
    Role {
        person: PersonId,
        role: String,
    },
    Secret {
        person: PersonId,
        secret: String,
    },
    Disabled {
        person: PersonId,
        disabled: bool,
    },
    Failures {
        person: PersonId,
        failures: i64,
        locked_until: Moment,
    },
    /// A sign-in attempt with a wrong password; it has no effect on an account locked at `now`.
    ///
    /// After `most` such attempts in a row, the account is locked until `locked_until`.
    #[serde(rename = "failed")]
    WrongPassword {
        person: PersonId,
        most: i64,
        now: Moment,
        locked_until: Moment,
    },
    /// A correct password, which resets the count of wrong passwords unless the account is locked at `now`.
    #[serde(rename = "fitted")]
    CorrectPassword {
        person: PersonId,
        now: Moment,
    },
    NewSession(Session),
    /// A new session, stored only if the account is neither disabled nor locked at the given moment.
    NewSessionIfOpen(Session, Moment),
    /// A new password, stored only if the account is not locked at `now`.
    SecretIfOpen {
        person: PersonId,
        secret: String,
        now: Moment,
    },
    /// Ends the person's sessions other than the session `token`, if `token` is one of the person's sessions.
    EndSessionsBut {
        person: PersonId,
        token: Digest,
    },
    /// Ends the person's sessions other than the session `token`, if the password's hash is still `secret`.
    EndSessionsButIf {
        person: PersonId,
        token: Digest,
        secret: String,
    },
    Seen {
        token: Digest,
        seen: Moment,
        ends: Moment,
    },
    EndSession(Digest),
    EndSessionsOf(PersonId),
    /// The removal of a guest: the name is deleted, and the person number stays in the journal.
    ///
    /// The guest's sessions must end first.
    Forget(PersonId),
    EndSessionsBefore(Moment),
    Setting {
        name: String,
        #[serde(serialize_with = "as_text", deserialize_with = "of_text")]
        value: Vec<u8>,
    },
    /// A change of a table's owner.
    Owner {
        table: i64,
        owner: String,
        epoch: i64,
    },
    /// The record from which a restart replays a table.
    Checkpoint {
        table: i64,
        seq: Seq,
        round: RoundNo,
    },
    Seal {
        day: GamingDay,
        seq: Seq,
        hash: Digest,
        at: Moment,
        signature: String,
    },
}

fn as_text<S: Serializer>(value: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(std::str::from_utf8(value).map_err(serde::ser::Error::custom)?)
}

fn of_text<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    String::deserialize(from).map(String::into_bytes)
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Digest, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = keys::from_hex(&text).and_then(|bytes| Digest::from_slice(&bytes));
        bytes.ok_or_else(|| serde::de::Error::custom("not a digest"))
    }
}

/// Returns a name in lowercase, because names that differ only in case count as the same name.
pub fn folded(name: &str) -> String {
    name.to_lowercase()
}

impl RowChange {
    /// Returns the name that the change gives to a person, in lowercase, or `None` if it gives nobody a name.
    pub(crate) fn new_name(&self) -> Option<String> {
        match self {
            RowChange::NewPerson(person) => Some(folded(&person.name)),
            RowChange::Join { name, .. } => Some(folded(name)),
            _ => None,
        }
    }

    pub(crate) fn statement(&self) -> (&'static str, Row<'_>) {
        match self {
            RowChange::NewPerson(p) => (
                "INSERT INTO people (person, name, folded, role, secret, guest, disabled, created, failures, \
                 locked_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                row![
                    p.id.0,
                    p.name.as_str(),
                    folded(&p.name),
                    p.role.as_str(),
                    p.secret.as_str(),
                    i64::from(p.guest),
                    i64::from(p.disabled),
                    p.created.0,
                    p.failures,
                    p.locked_until.0,
                ],
            ),
            RowChange::Join { person, name, secret } => (
                "UPDATE people SET name = $1, folded = $2, secret = $3, guest = 0 WHERE person = $4 AND guest = 1",
                row![name.as_str(), folded(name), secret.as_str(), person.0],
            ),
            RowChange::Role { person, role } => {
                ("UPDATE people SET role = $1 WHERE person = $2", row![role.as_str(), person.0])
            }
            RowChange::Secret { person, secret } => {
                ("UPDATE people SET secret = $1 WHERE person = $2", row![secret.as_str(), person.0])
            }
            RowChange::Disabled { person, disabled } => {
                ("UPDATE people SET disabled = $1 WHERE person = $2", row![i64::from(*disabled), person.0])
            }
            RowChange::Failures { person, failures, locked_until } => (
                "UPDATE people SET failures = $1, locked_until = $2 WHERE person = $3",
                row![*failures, locked_until.0, person.0],
            ),
            RowChange::WrongPassword { person, most, now, locked_until } => (
                "UPDATE people SET failures = CASE WHEN failures + 1 >= $1 THEN 0 ELSE failures + 1 END, \
                 locked_until = CASE WHEN failures + 1 >= $1 THEN $2 ELSE locked_until END \
                 WHERE person = $3 AND locked_until <= $4",
                row![*most, locked_until.0, person.0, now.0],
            ),
            RowChange::CorrectPassword { person, now } => (
                "UPDATE people SET failures = 0 WHERE person = $1 AND locked_until <= $2",
                row![person.0, now.0],
            ),
            // Parameters must appear in numbered order, because SQLite numbers them by first use.
            RowChange::NewSessionIfOpen(s, now) => (
                "INSERT INTO sessions (token, person, created, seen, ends) SELECT $1, person, $2, $3, $4 \
                 FROM people WHERE person = $5 AND disabled = 0 AND locked_until <= $6",
                row![&s.token.0[..], s.created.0, s.seen.0, s.ends.0, s.person.0, now.0],
            ),
            RowChange::SecretIfOpen { person, secret, now } => (
                "UPDATE people SET secret = $1, failures = 0 WHERE person = $2 AND locked_until <= $3",
                row![secret.as_str(), person.0, now.0],
            ),
            RowChange::EndSessionsBut { person, token } => (
                "DELETE FROM sessions WHERE person = $1 AND token <> $2 \
                 AND EXISTS (SELECT 1 FROM sessions WHERE token = $2 AND person = $1)",
                row![person.0, &token.0[..]],
            ),
            RowChange::EndSessionsButIf { person, token, secret } => (
                "DELETE FROM sessions WHERE person = $1 AND token <> $2 \
                 AND EXISTS (SELECT 1 FROM people WHERE person = $1 AND secret = $3)",
                row![person.0, &token.0[..], secret.as_str()],
            ),
            RowChange::NewSession(s) => (
                "INSERT INTO sessions (token, person, created, seen, ends) VALUES ($1, $2, $3, $4, $5)",
                row![&s.token.0[..], s.person.0, s.created.0, s.seen.0, s.ends.0],
            ),
            RowChange::Seen { token, seen, ends } => (
                "UPDATE sessions SET seen = $1, ends = $2 WHERE token = $3",
                row![seen.0, ends.0, &token.0[..]],
            ),
            RowChange::EndSession(token) => ("DELETE FROM sessions WHERE token = $1", row![&token.0[..]]),
            RowChange::EndSessionsOf(person) => ("DELETE FROM sessions WHERE person = $1", row![person.0]),
            RowChange::Forget(person) => {
                ("DELETE FROM people WHERE person = $1 AND guest = 1", row![person.0])
            }
            RowChange::EndSessionsBefore(moment) => ("DELETE FROM sessions WHERE ends <= $1", row![moment.0]),
            RowChange::Setting { name, value } => (
                "INSERT INTO settings (name, value) VALUES ($1, $2) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                row![name.as_str(), String::from_utf8_lossy(value).into_owned()],
            ),
            RowChange::Owner { table, owner, epoch } => (
                "INSERT INTO owners (table_no, owner, epoch) VALUES ($1, $2, $3) \
                 ON CONFLICT (table_no) DO UPDATE SET owner = excluded.owner, epoch = excluded.epoch",
                row![*table, owner.as_str(), *epoch],
            ),
            RowChange::Checkpoint { table, seq, round } => (
                "INSERT INTO checkpoints (table_no, seq, round) VALUES ($1, $2, $3) \
                 ON CONFLICT (table_no) DO UPDATE SET seq = excluded.seq, round = excluded.round",
                row![*table, seq.0, round.0],
            ),
            RowChange::Seal { day, seq, hash, at, signature } => (
                "INSERT INTO seals (day, seq, hash, at, signature) VALUES ($1, $2, $3, $4, $5)",
                row![day.0, seq.0, &hash.0[..], at.0, keys::from_hex(signature).unwrap_or_default()],
            ),
        }
    }
}

macro_rules! person_where {
    ($rest:literal) => {
        concat!(
            "SELECT person, name, role, secret, guest, disabled, created, failures, locked_until FROM people ",
            $rest
        )
    };
}

pub fn by_name(db: &mut dyn Db, name: &str) -> DbResult<Option<Person>> {
    one_person(ask_one(db, person_where!("WHERE folded = $1"), row![folded(name)])?)
}

pub fn by_id(db: &mut dyn Db, person: PersonId) -> DbResult<Option<Person>> {
    one_person(ask_one(db, person_where!("WHERE person = $1"), row![person.0])?)
}

/// Returns up to `most` people whose names come after `after`, sorted by name in lowercase.
pub fn list(db: &mut dyn Db, after: &str, most: i64) -> DbResult<Vec<Person>> {
    let rows =
        ask_one(db, person_where!("WHERE folded > $1 ORDER BY folded LIMIT $2"), row![folded(after), most])?;
    rows.into_iter().map(read_person).collect()
}

pub fn count_with_role(db: &mut dyn Db, role: &str) -> DbResult<i64> {
    let rows = ask_one(db, "SELECT COUNT(*) FROM people WHERE role = $1 AND disabled = 0", row![role])?;
    rows.into_iter().next().map_or(Ok(0), |row| Columns::of(row).int())
}

/// Returns up to `most` guests created before `before` who have no session, oldest first.
///
/// A guest without a session cannot return.
pub fn guests_gone(db: &mut dyn Db, before: Moment, most: i64) -> DbResult<Vec<PersonId>> {
    let sql = "SELECT person FROM people WHERE guest = 1 AND created < $1 AND NOT EXISTS \
               (SELECT 1 FROM sessions WHERE sessions.person = people.person) ORDER BY created, person LIMIT $2";
    numbers(ask_one(db, sql, row![before.0, most])?)
}

/// Returns up to `most` removed guests whose accounts still hold play chips.
///
/// The chips come from a bet that was on a table when the guest was removed.
pub fn chips_of_nobody(db: &mut dyn Db, most: i64) -> DbResult<Vec<PersonId>> {
    let sql = "SELECT owner FROM accounts WHERE chips = 'play' AND holder = 'patrons' AND balance > 0 \
               AND NOT EXISTS (SELECT 1 FROM people WHERE people.person = accounts.owner) ORDER BY owner LIMIT $1";
    numbers(ask_one(db, sql, row![most])?)
}

fn numbers(rows: Vec<Found>) -> DbResult<Vec<PersonId>> {
    rows.into_iter().map(|row| Columns::of(row).int().map(PersonId)).collect()
}

pub fn session(db: &mut dyn Db, token: Digest) -> DbResult<Option<Session>> {
    let sql = "SELECT person, created, seen, ends FROM sessions WHERE token = $1";
    let Some(row) = ask_one(db, sql, row![&token.0[..]])?.into_iter().next() else {
        return Ok(None);
    };
    let mut c = Columns::of(row);
    let (person, created) = (PersonId(c.int()?), Moment(c.int()?));
    Ok(Some(Session { token, person, created, seen: Moment(c.int()?), ends: Moment(c.int()?) }))
}

pub fn setting(db: &mut dyn Db, name: &str) -> DbResult<Option<Vec<u8>>> {
    let rows = ask_one(db, "SELECT value FROM settings WHERE name = $1", row![name])?;
    rows.into_iter().next().map(|row| Columns::of(row).text().map(String::into_bytes)).transpose()
}

/// Returns the settings whose names have the prefix `begins`, sorted by name.
///
/// Each entry is the name without the prefix, and the value.
pub fn settings(db: &mut dyn Db, begins: &str) -> DbResult<Vec<(String, Vec<u8>)>> {
    // An upper bound for all names with this prefix: no name contains this character.
    let end = format!("{begins}\u{10ffff}");
    let rows = ask_one(
        db,
        "SELECT name, value FROM settings WHERE name >= $1 AND name < $2 ORDER BY name",
        row![begins, end.as_str()],
    )?;
    let read = |row| {
        let mut columns = Columns::of(row);
        let name = columns.text()?;
        Ok((name.get(begins.len()..).unwrap_or_default().to_owned(), columns.text()?.into_bytes()))
    };
    rows.into_iter().map(read).collect()
}

fn one_person(rows: Vec<Found>) -> DbResult<Option<Person>> {
    rows.into_iter().next().map(read_person).transpose()
}

pub(crate) fn read_person(row: Found) -> DbResult<Person> {
    let mut c = Columns::of(row);
    Ok(Person {
        id: PersonId(c.int()?),
        name: c.text()?,
        role: c.text()?,
        secret: c.text()?,
        guest: c.int()? != 0,
        disabled: c.int()? != 0,
        created: Moment(c.int()?),
        failures: c.int()?,
        locked_until: Moment(c.int()?),
    })
}
