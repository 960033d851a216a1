//! Snapshots of a table between two rounds, from which the table can resume without its log.
//!
//! A snapshot is one line of integers: the state that the table keeps from round to round, and the places of its
//! cards. `Table::snapshot` writes the line, and `Table::from_snapshot` reads it. A field that the lists below
//! leave out is a compile error.

use crate::ids::{BoxId, CardPlace, HandNumber, Person, Side};
use crate::round::Round;
use crate::shoe::{Custody, Occasion, Procedure};
use crate::table::{Awaiting, Memory, Next, Streak, Table};
use rules::script::script;
use rules::{Card, Cents, Deck, Rules};
use std::sync::Arc;

/// The format version, which is the first number of every snapshot line.
const FORM: i64 = 1;

impl Table {
    /// Returns the table as a snapshot line.
    ///
    /// Returns `None` while a round is in play or bets are placed.
    pub fn snapshot(&self) -> Option<String> {
        if !self.is_idle() {
            return None;
        }
        let mut out = vec![FORM];
        self.custody.write(&mut out);
        self.memory.write(&mut out);
        Some(out.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
    }

    /// Restores a table from a snapshot line, or returns `None` if the line is not a valid snapshot.
    ///
    /// `rules` are the rules that were in force when the snapshot was taken.
    pub fn from_snapshot(rules: Arc<Rules>, line: &str) -> Option<Table> {
        let numbers = line.split(' ').map(|word| word.parse().ok()).collect::<Option<Vec<i64>>>()?;
        let mut from = Numbers(numbers.into_iter());
        if from.next()? != FORM {
            return None;
        }
        let (custody, memory) = (Custody::read(&mut from)?, Memory::read(&mut from)?);
        if from.0.next().is_some() || !custody.is_whole() {
            return None;
        }
        let next = Next::Await(Awaiting::Wagers);
        let mut table =
            Table { script: script(&rules), round: Round::default(), custody, memory, next, rules };
        table.advance();
        Some(table)
    }
}

/// The unread numbers of a snapshot line.
pub(crate) struct Numbers(std::vec::IntoIter<i64>);

impl Numbers {
    fn next(&mut self) -> Option<i64> {
        self.0.next()
    }
}

/// A value that a snapshot stores as a series of integers.
pub(crate) trait SnapshotCodec: Sized {
    fn write(&self, out: &mut Vec<i64>);
    fn read(from: &mut Numbers) -> Option<Self>;
}

/// Implements `SnapshotCodec` for a struct, by writing its fields in order.
macro_rules! kept {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::snapshot::SnapshotCodec for $name {
            fn write(&self, out: &mut Vec<i64>) {
                let $name { $($field),+ } = self;
                $($crate::snapshot::SnapshotCodec::write($field, out);)+
            }

            fn read(from: &mut $crate::snapshot::Numbers) -> Option<Self> {
                Some($name { $($field: $crate::snapshot::SnapshotCodec::read(from)?),+ })
            }
        }
    };
}
pub(crate) use kept;

macro_rules! numbers {
    ($($type:ty),+) => { $(
        impl SnapshotCodec for $type {
            fn write(&self, out: &mut Vec<i64>) {
                // No count or amount of a table comes near this bound.
                out.push(i64::try_from(*self).unwrap_or(i64::MAX));
            }

            fn read(from: &mut Numbers) -> Option<Self> {
                from.next()?.try_into().ok()
            }
        }
    )+ };
}

macro_rules! wrapped {
    ($($type:ident),+) => { $(
        impl SnapshotCodec for $type {
            fn write(&self, out: &mut Vec<i64>) {
                self.0.write(out);
            }

            fn read(from: &mut Numbers) -> Option<Self> {
                SnapshotCodec::read(from).map($type)
            }
        }
    )+ };
}

/// Implements `SnapshotCodec` for an enum, by writing the variant's number and then its contents.
///
/// A missing variant does not compile.
macro_rules! listed {
    ($($type:ident [$(
        $number:literal = $value:ident $(($($part:ident),+))? $({ $($field:ident),+ })?
    ),+ $(,)?])+) => { $(
        impl SnapshotCodec for $type {
            fn write(&self, out: &mut Vec<i64>) {
                match self { $(
                    $type::$value $(($($part),+))? $({ $($field),+ })? => {
                        out.push($number);
                        $($($part.write(out);)+)?
                        $($($field.write(out);)+)?
                    }
                )+ }
            }

            fn read(from: &mut Numbers) -> Option<Self> {
                Some(match from.next()? {
                    $($number => {
                        $($(let $part = SnapshotCodec::read(from)?;)+)?
                        $($(let $field = SnapshotCodec::read(from)?;)+)?
                        $type::$value $(($($part),+))? $({ $($field),+ })?
                    })+
                    _ => return None,
                })
            }
        }
    )+ };
}

numbers!(u8, u16, u32, u64, usize, i64);
wrapped!(BoxId, HandNumber, Person, Cents);
listed! {
    Side [0 = Red, 1 = Black]
    Occasion [0 = Opening, 1 = CutCard, 2 = LicenseeOrders, 3 = Idle, 4 = OutOfCards, 5 = Requested, 6 = ShufflerFailed]
    CardPlace [0 = Hand(box_id, hand), 1 = Dealer, 2 = HoleDown, 3 = Determinant]
    Procedure [
        0 = Inspect,
        1 = RemoveTens,
        2 = DestroyTens,
        3 = Spread,
        4 = TurnUp,
        5 = TurnDown,
        6 = Wash,
        7 = Stack,
        8 = EmptyShoe,
        9 = Shuffle,
        10 = Plug,
        11 = Riffle,
        12 = Turn,
        13 = Strip,
        14 = SwapBatches,
        15 = CoverBottom,
        16 = Load,
        17 = TakeInHand,
        18 = Burn,
        19 = InsertThreeStacks,
        20 = ReturnToShuffler,
        21 = ReshuffleDiscards,
        100 = VerifyTens(person),
        101 = Cut { by, at },
        102 = PlaceCutCard { behind },
    ]
}

/// Writes a known deck as a fixed number, and every other deck as its ranks.
impl SnapshotCodec for Deck {
    fn write(&self, out: &mut Vec<i64>) {
        let known = DECKS.iter().position(|deck| deck == self);
        known.map_or(self.ranks(), |at| at as u16).write(out);
    }

    fn read(from: &mut Numbers) -> Option<Deck> {
        let number = u16::read(from)?;
        DECKS.get(usize::from(number)).copied().or_else(|| Deck::of_ranks(number))
    }
}

const DECKS: [Deck; 2] = [Deck::FIFTY_TWO, Deck::FORTY_EIGHT];

impl SnapshotCodec for bool {
    fn write(&self, out: &mut Vec<i64>) {
        out.push(i64::from(*self));
    }

    fn read(from: &mut Numbers) -> Option<bool> {
        match from.next()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl SnapshotCodec for Card {
    fn write(&self, out: &mut Vec<i64>) {
        self.index().write(out);
    }

    fn read(from: &mut Numbers) -> Option<Card> {
        u8::read(from).and_then(Card::from_index)
    }
}

impl<T: SnapshotCodec> SnapshotCodec for Option<T> {
    fn write(&self, out: &mut Vec<i64>) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(from: &mut Numbers) -> Option<Option<T>> {
        if bool::read(from)? { T::read(from).map(Some) } else { Some(None) }
    }
}

impl<T: SnapshotCodec> SnapshotCodec for Box<T> {
    fn write(&self, out: &mut Vec<i64>) {
        self.as_ref().write(out);
    }

    fn read(from: &mut Numbers) -> Option<Box<T>> {
        T::read(from).map(Box::new)
    }
}

impl<T: SnapshotCodec> SnapshotCodec for Vec<T> {
    fn write(&self, out: &mut Vec<i64>) {
        self.len().write(out);
        self.iter().for_each(|value| value.write(out));
    }

    fn read(from: &mut Numbers) -> Option<Vec<T>> {
        let many = usize::read(from)?;
        (0..many).map(|_| T::read(from)).collect()
    }
}

impl<T: SnapshotCodec, const N: usize> SnapshotCodec for [T; N] {
    fn write(&self, out: &mut Vec<i64>) {
        self.iter().for_each(|value| value.write(out));
    }

    fn read(from: &mut Numbers) -> Option<[T; N]> {
        let values = (0..N).map(|_| T::read(from)).collect::<Option<Vec<T>>>()?;
        values.try_into().ok()
    }
}

kept!(Streak { person, box_id, bets, wins, placed });
kept!(Memory {
    round_number,
    meter,
    streaks,
    reader_failed,
    lights_out,
    wagered_last,
    rounds_since_shuffle,
    admitted,
    first_player,
    wagered_boxes,
});

#[cfg(test)]
mod tests {
    use crate::command::Command;
    use crate::ids::{BoxId, Person};
    use crate::irregular::Irregularity;
    use crate::random::{Chance, Driver, Style, tables};
    use crate::table::Table;
    use rules::{Cents, SideBet};
    use std::sync::Arc;

    /// A table resumed from its snapshot equals the original.
    #[test]
    fn a_resumed_table_is_the_table_that_was_kept() {
        let mut resumed = 0;
        for seed in 0..600 {
            let mut chance = Chance::seeded(seed << 20);
            let style = Style::random(&mut chance);
            let mut driver = Driver::new(tables::lawful(&mut chance), style);
            for _ in 0..400 {
                let event = driver.next(&mut chance);
                driver.apply(&event, &mut chance);
                let mut past = driver.table.clone();
                let Some(line) = past.snapshot() else { continue };
                past.round.spare.clear();
                let again = Table::from_snapshot(Arc::clone(&past.rules), &line).expect("a line of our own");
                assert_eq!(again, past, "seed {seed}: {line}");
                resumed += 1;
            }
        }
        assert!(resumed > 10_000, "{resumed}");
    }

    /// A withdrawn bet, or a report between two rounds, is not part of a round.
    #[test]
    fn what_happens_between_two_rounds_leaves_no_round_behind() {
        let mut choices = rules::preset::preset("nj-blackjack").expect("a preset");
        rules::file::set(&mut choices, "side_wagers.progressive.meter=10000").expect("a setting");
        let mut table = Table::prepared(Arc::new(rules::Rules::new(choices).expect("lawful")));
        let (box_id, person) = (BoxId(1), Person(1));
        let amounts = [Cents::dollars(10), Cents::ZERO, Cents::ZERO];
        for command in [
            Command::Report(Irregularity::LightFailed(BoxId(2))),
            Command::Wager { box_id, person, seated: true, amounts },
            Command::SideWager { box_id, person, bet: SideBet::Progressive, amount: Cents::dollars(1) },
            Command::Withdraw { box_id, person },
        ] {
            let event = table.decide(command).expect("accepted");
            table.apply(&event);
        }
        table.round.spare.clear();
        let line = table.snapshot().expect("idle");
        assert_eq!(Table::from_snapshot(Arc::clone(&table.rules), &line), Some(table));
    }

    #[test]
    fn a_spoilt_line_is_not_a_table() {
        let rules = tables::of_preset("nj-blackjack").expect("a preset");
        let line = Table::prepared(Arc::clone(&rules)).snapshot().expect("idle");
        assert!(Table::from_snapshot(Arc::clone(&rules), &line).is_some());
        let cut_short = line.rsplit_once(' ').expect("many numbers").0;
        for bad in ["", "2", cut_short, &format!("{line} 0"), &line.replacen("1 ", "9 ", 1), "1 x"] {
            assert!(Table::from_snapshot(Arc::clone(&rules), bad).is_none(), "{bad}");
        }
    }
}
