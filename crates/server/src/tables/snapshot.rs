//! Snapshots of a live table between two rounds.
//!
//! With a snapshot, a restart replays a few records instead of the table's whole past. A snapshot is a line in the
//! journal; a replay that passes the line compares the snapshot with the state that it has reached.

use super::live::{Live, Step, TableFault, rules_text};
use super::seats::{Seat, Seats};
use super::shoe::{Cut, Shoes, VirtualShoe, sides};
use crate::fair::{Mixed, Share, ShoeId, Vault, bytes_of};
use ledger::{Chips, Digest, PersonId, TableId};
use std::sync::Arc;
use table::{Side, Table};

/// The number of rounds between snapshots, which limits how many rounds a restart replays.
const ROUNDS: u64 = 32;

impl Live {
    /// Returns whether a snapshot of the table is due.
    ///
    /// A snapshot is due between two rounds, once `ROUNDS` rounds have passed since the last reopening or
    /// snapshot.
    pub fn wants_snapshot(&self) -> bool {
        self.is_open()
            && self.table.is_idle()
            && self.last_card.is_none()
            // Shares that wait for their nonces are only in the earlier records.
            && self.shares.is_empty()
            && self.rounds_to_replay() >= ROUNDS
    }

    /// Adds a snapshot of the table to the journal lines of a step.
    ///
    /// Returns an error if a round is in play, or if the vault cannot encrypt the shoe.
    pub fn take_snapshot(&mut self, vault: &Vault, step: &mut Step) -> Result<(), TableFault> {
        let busy = || TableFault::Journal("cannot save a snapshot of the table".into());
        let table = self.table.snapshot().ok_or_else(busy)?.replace(' ', ",");
        let shoe: Result<Vec<String>, TableFault> =
            sides(&self.table).iter().map(|side| shoe_text(self.shoes.of(*side), vault)).collect();
        let shoe = shoe?.join("/");
        let (rounds, shoes) = self.before();
        let rules = serde_json::Value::from(rules_text(self.table.rules()));
        let line = format!("kept {rounds} {shoes} {} {shoe} {table} {rules}", seats_text(&self.seats));
        self.note_snapshot();
        step.checkpoint = Some(line.clone());
        step.lines.push(line);
        self.write_returns(step);
        Ok(())
    }

    /// Restores the table from a snapshot's journal line, or compares an open table with the line.
    ///
    /// Returns an error if the line cannot be parsed, or if the open table differs from the snapshot.
    pub fn resume(&mut self, line: &str, vault: &Vault) -> Result<(), TableFault> {
        let wrong = || TableFault::Journal("cannot parse the stored snapshot of the table".into());
        let restored = self.parse_snapshot(line, vault).ok_or_else(wrong)?;
        if self.is_open() && !restored.is_like(self) {
            let what = "the stored snapshot of the table does not match its events";
            return Err(TableFault::Journal(what.into()));
        }
        let (names, returns) = (Arc::clone(&self.names), self.returns.take());
        *self = restored;
        (self.names, self.returns) = (names, returns);
        Ok(())
    }

    fn parse_snapshot(&self, line: &str, vault: &Vault) -> Option<Live> {
        let mut words = line.strip_prefix("kept ")?.splitn(6, ' ');
        let rounds = words.next()?.parse().ok()?;
        let shoes = words.next()?.parse().ok()?;
        let seats = seats_of(words.next()?)?;
        let mut restored = Shoes::default();
        for (side, text) in [Side::Red, Side::Black].into_iter().zip(words.next()?.split('/')) {
            if text != "-" {
                *restored.of_mut(side) = Some(shoe_of(text, self.fixed.id, vault)?);
            }
        }
        let table = words.next()?.replace(',', " ");
        let rules = self.rules_of(&serde_json::from_str::<String>(words.next()?).ok()?)?;
        let table = Table::from_snapshot(Arc::clone(&rules), &table)?;
        Some(Live::resumed(self.fixed.clone(), (table, seats, restored), (rounds, shoes)))
    }

    pub(super) fn is_like(&self, other: &Live) -> bool {
        let (mine, others) = (self.table.snapshot(), other.table.snapshot());
        mine.is_some()
            && mine == others
            && self.seats == other.seats
            && self.shoes == other.shoes
            && self.before() == other.before()
            && rules_text(self.table.rules()) == rules_text(other.table.rules())
    }
}

/// Formats a shoe for a snapshot, as words separated by colons, or as a dash if there is no shoe.
///
/// The order of the cards is encrypted.
fn shoe_text(shoe: Option<&VirtualShoe>, vault: &Vault) -> Result<String, TableFault> {
    let Some(shoe) = shoe else {
        return Ok("-".into());
    };
    let locked = vault.lock(shoe.committed()).map_err(|e| TableFault::Shoe(e.to_string()))?;
    let Cut { at, by } = shoe.cut_at();
    let by = by.map_or(String::new(), |by| by.to_string());
    let list = shoe.list().map_or("-".to_owned(), |list| format!("={list}"));
    let mixed = shoe.mixed().map_or("-".to_owned(), mixed_text);
    let rounds: Vec<String> = shoe.rounds().iter().map(|(round, gone)| format!("{round}.{gone}")).collect();
    let (number, locked, signature) = (shoe.id.number, ledger::keys::hex(&locked), &shoe.signature);
    Ok(format!("{number}:{locked}:{signature}:{at}:{by}:{list}:{mixed}:{}", rounds.join(";")))
}

/// Formats the shares mixed into a shoe: the number of cards gone before the mix, then each hash with its nonce.
fn mixed_text(mixed: &Mixed) -> String {
    let share = |share: &Share| {
        format!(".{}{}", share.hash, share.nonce.map_or(String::new(), |nonce| ledger::keys::hex(&nonce)))
    };
    format!("{}{}", mixed.after, mixed.shares.iter().map(share).collect::<String>())
}

fn mixed_of(text: &str) -> Option<Mixed> {
    let mut words = text.split('.');
    let after = words.next()?.parse().ok()?;
    let share = |word: &str| {
        let (hash, nonce) = word.split_at_checked(64)?;
        let nonce = if nonce.is_empty() { None } else { Some(bytes_of(nonce)?) };
        Some(Share { hash: Digest(bytes_of(hash)?), nonce })
    };
    Some(Mixed { after, shares: words.map(share).collect::<Option<Vec<Share>>>()? })
}

/// Parses a shoe as [`shoe_text`] writes it, or returns `None` if it cannot be parsed.
fn shoe_of(text: &str, table: TableId, vault: &Vault) -> Option<VirtualShoe> {
    let parts: Vec<&str> = text.split(':').collect();
    let [number, locked, signature, at, by, list, mixed, rounds] = parts[..] else { return None };
    let id = ShoeId { table, number: number.parse().ok()? };
    let mut shoe = VirtualShoe::restored(vault.unlock(id, &ledger::keys::from_hex(locked)?).ok()?)?;
    shoe.signature = signature.to_owned();
    let by = if by.is_empty() { None } else { Some(by.parse().ok()?) };
    shoe.cut(Cut { at: at.parse().ok()?, by });
    if list != "-" {
        shoe.close(list.strip_prefix('=')?.to_owned());
    }
    if mixed != "-" {
        shoe.mix(mixed_of(mixed)?);
    }
    let round = |text: &str| {
        let (round, gone) = text.split_once('.')?;
        Some((round.parse().ok()?, gone.parse().ok()?))
    };
    shoe.set_rounds(rounds.split(';').filter(|text| !text.is_empty()).map(round).collect::<Option<_>>()?);
    Some(shoe)
}

/// Formats the people at a table for a snapshot, each with a letter for the kind of chips, such as `c57,p58`.
fn seats_text(seats: &Seats) -> String {
    let texts: Vec<String> = seats.iter().map(seat_text).collect();
    if texts.is_empty() { "-".into() } else { texts.join(",") }
}

pub fn seat_text(seat: Seat) -> String {
    match seat.chips {
        Chips::Cash => format!("c{}", seat.person.0),
        Chips::Play => format!("p{}", seat.person.0),
    }
}

pub fn seat_of(text: &str) -> Option<Seat> {
    let (chips, number) = match text.split_at_checked(1)? {
        ("c", number) => (Chips::Cash, number),
        ("p", number) => (Chips::Play, number),
        _ => return None,
    };
    Some(Seat { person: PersonId(number.parse().ok()?), chips })
}

fn seats_of(text: &str) -> Option<Seats> {
    let mut seats = Seats::default();
    if text != "-" {
        for word in text.split(',') {
            seats.meet(seat_of(word)?);
        }
    }
    Some(seats)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::house_file::{Dealing, HouseFile};
    use crate::tables::entry::body;
    use crate::tables::live::{By, Fixed};
    use ledger::{CommandId, Digest, GamingDay, Moment, PostedLeg, Record, Seq, Stream, TableId};
    use rules::Cents;
    use table::{Awaiting, BoxId, Command};

    /// Plays a round with players at `boxes` boxes, who decide by the rule for absent players.
    ///
    /// Each decision or group of decisions makes one step in `steps`, with the number of its round.
    pub fn round(live: &mut Live, vault: &Vault, boxes: u8, steps: &mut Vec<(i64, Step)>) {
        let mut wager = |n: u8| Command::Wager {
            box_id: BoxId(n),
            person: live.seats.meet(Seat { person: PersonId(6 + i64::from(n)), chips: Chips::Play }),
            seated: true,
            amounts: [Cents(1000), Cents(0), Cents(0)],
        };
        let mut commands: Vec<Command> = (1..=boxes).map(&mut wager).collect();
        let number = live.round_no();
        while live.round_no() == number || matches!(live.table.awaiting(), Some(Awaiting::Cut(_))) {
            let (round, mut step) = (live.round_no().0, Step::default());
            for command in std::mem::take(&mut commands) {
                live.perform(By::Absent, command, &mut step).expect("accepted");
            }
            live.carry_on(vault, &mut step).expect("goes on");
            steps.push((round, step));
            commands = live.absent();
        }
    }

    pub fn record(seq: usize, (round, step): &(i64, Step)) -> Record {
        let legs = step.postings.legs().iter();
        Record {
            seq: Seq(seq as i64 + 1),
            at: Moment(0),
            day: GamingDay(0),
            stream: Stream::Table(TableId(1)),
            round: ledger::RoundNo(*round),
            kind: "table".into(),
            person: PersonId::HOUSE,
            command: CommandId::new("x").expect("lawful"),
            body: Digest::default(),
            epoch: ledger::Epoch(1),
            event: body(step).expect("entropy"),
            legs: legs.map(|l| PostedLeg { account: l.account, amount: l.amount, after: l.amount }).collect(),
            effects: Vec::new(),
            row_changes: Vec::new(),
            answer: Vec::new(),
            hash: Digest::default(),
        }
    }

    #[test]
    fn a_table_goes_on_from_where_it_was_written_down() {
        let keys = tempfile::tempdir().expect("a directory");
        let vault = Vault::open(keys.path()).expect("opens");
        let house = HouseFile::standard().expect("a house");
        let setup =
            house.tables.iter().find(|t| t.dealing == Dealing::Automatic).expect("an automatic table");
        let fixed = Fixed { id: TableId(1), ..Fixed::of(setup) };
        let mut live = Live::new(fixed.clone());
        let mut steps = vec![(1, Step::default())];
        live.reopen(&mut steps[0].1);
        live.carry_on(&vault, &mut steps[0].1).expect("opens");
        for _ in 0..3 {
            round(&mut live, &vault, 1, &mut steps);
        }
        assert!(live.shoes.of(Side::Red).is_some() && live.table.is_idle(), "in the middle of a shoe");
        let mut step = Step::default();
        live.take_snapshot(&vault, &mut step).expect("idle");
        let (from, line) = (steps.len(), step.lines[0].clone());
        steps.push((live.round_no().0, step));
        for _ in 0..2 {
            round(&mut live, &vault, 1, &mut steps);
        }
        let records: Vec<Record> = steps.iter().enumerate().map(|(n, step)| record(n, step)).collect();
        let again = |records: &[Record]| {
            let mut live = Live::new(fixed.clone());
            records.iter().try_for_each(|r| live.replay(r, &vault).map(|_| ())).map(|()| live)
        };
        let (whole, short) = (again(&records).expect("fits"), again(&records[from..]).expect("fits"));
        assert!(whole.is_like(&live) && short.is_like(&live));
        assert_eq!(short.rounds_to_replay(), 2);
        // A replay detects a line that was altered.
        let mut spoilt = records.clone();
        let other = line.replacen("kept 0", "kept 1", 1);
        spoilt[from].event = other.into_bytes();
        assert!(again(&spoilt).is_err());
        spoilt[from].event = line.replacen(" p7 ", " c7 ", 1).into_bytes();
        assert!(again(&spoilt).is_err());
    }
}
