//! The postings of an event: chips moved between players, the layout, the bank and the meter.
//!
//! The module reads stakes from the table's state before and after the event, so that no rule about amounts is
//! repeated here.

use super::live::TableFault;
use super::seats::{Seat, Seats};
use ledger::{Account, Cents, Chips, Holder, Postings, TableId};
use std::collections::BTreeMap;
use table::{Event, Fact, Person, Settlement, Table};

/// The house's accounts for a table: its layout, the bank and the meter.
#[derive(Clone, Copy, Debug)]
pub struct Till {
    pub table: TableId,
}

impl Till {
    fn layout(self, chips: Chips) -> Account {
        Account::new(chips, Holder::Layout(self.table))
    }

    fn bank(chips: Chips) -> Account {
        Account::new(chips, Holder::Bank)
    }

    /// Returns the account of the progressive meter, which takes and pays cage chips only.
    fn meter(self) -> Account {
        Account::new(Chips::Cash, Holder::Meter(self.table.0))
    }

    /// Returns the postings that move the meter's starting amount from the bank to the meter at a table's first
    /// opening.
    pub fn seed_meter(self, amount: Cents) -> Postings {
        Postings::none().transfer(Till::bank(Chips::Cash), self.meter(), amount)
    }

    /// Returns the postings for one event, given the stakes on the table before and after the event.
    ///
    /// Returns an error if the house does not know a person whose chips move.
    pub fn postings(
        self,
        event: &Event,
        (before, after): (&Stakes, &Stakes),
        seats: &Seats,
    ) -> Result<Postings, TableFault> {
        match event.fact {
            Fact::Settled(settlement) => Ok(self.settle(&settlement, seat(seats, settlement.person)?)),
            Fact::Reversed(settlement) => Ok(Till::reverse(&settlement, seat(seats, settlement.person)?)),
            // The round is over: everything on the layout has been settled.
            Fact::PickedUp => Ok(Postings::none()),
            _ => {
                let raised = Cents(after.meter.0 - before.meter.0);
                let meter = Postings::none().transfer(Till::bank(Chips::Cash), self.meter(), raised);
                self.stake(meter, (before, after), seats)
            }
        }
    }

    /// Adds the postings for each person whose stake on the layout has changed: chips put down or taken back.
    fn stake(
        self,
        mut so_far: Postings,
        (before, after): (&Stakes, &Stakes),
        seats: &Seats,
    ) -> Result<Postings, TableFault> {
        if before.staked == after.staked {
            return Ok(so_far);
        }
        let people = before.staked.keys().chain(after.staked.keys().filter(|p| before.of(**p).is_none()));
        for person in people {
            let put = after.of(*person).unwrap_or_default().0 - before.of(*person).unwrap_or_default().0;
            if put != 0 {
                let seat = seat(seats, *person)?;
                let (purse, layout) = (seat.purse(), self.layout(seat.chips));
                so_far = match put > 0 {
                    true => so_far.transfer(purse, layout, Cents(put)),
                    false => so_far.take_back(purse, layout, Cents(-put)),
                };
            }
        }
        Ok(so_far)
    }

    /// Returns the postings of a settlement: the stake leaves the layout, and the bank takes or pays the net win.
    fn settle(self, settlement: &Settlement, seat: Seat) -> Postings {
        let (purse, layout, bank) = (seat.purse(), self.layout(seat.chips), Till::bank(seat.chips));
        let (staked, net) = (settlement.staked, settlement.net);
        if net < Cents::ZERO {
            Postings::none().transfer(layout, bank, -net).transfer(layout, purse, staked + net)
        } else {
            Postings::none().transfer(layout, purse, staked).transfer(bank, purse, net)
        }
    }

    /// Returns the postings that undo a settlement: the bank gets back what it paid, or gives back what it took.
    fn reverse(settlement: &Settlement, seat: Seat) -> Postings {
        let (purse, bank) = (seat.purse(), Till::bank(seat.chips));
        match settlement.net > Cents::ZERO {
            // The winnings may have been spent: the missing part is owed, and the round is void all the same.
            true => Postings::none().claim(purse, seat.person, bank, settlement.net),
            false => Postings::none().transfer(bank, purse, -settlement.net),
        }
    }
}

/// Returns the seat of a person at the table, or an error if the house does not know the person.
fn seat(seats: &Seats, person: Person) -> Result<Seat, TableFault> {
    seats.seat(person).ok_or(TableFault::Stranger(person.0))
}

/// Each player's money on the layout, pending streak bets included, and the amount on the progressive meter.
pub struct Stakes {
    meter: Cents,
    staked: BTreeMap<Person, Cents>,
}

impl Stakes {
    fn of(&self, person: Person) -> Option<Cents> {
        self.staked.get(&person).copied()
    }

    pub fn at(table: &Table) -> Stakes {
        let mut staked = BTreeMap::new();
        let mut add = |person: Person, cents: Cents| *staked.entry(person).or_default() += cents;
        for play in &table.round().boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                let hands = play.hands.iter().map(|hand| &hand.stakes[at]);
                let on_hands = hands.flat_map(|s| s.base.iter().chain(&s.attack).chain(&s.double)).copied();
                let main = match play.hands.is_empty() {
                    true => {
                        Cents(bettor.main.into_iter().sum::<Cents>().0 * table.rules().hands_per_box() as i64)
                    }
                    false => on_hands.sum(),
                };
                let beside = bettor.side.iter().chain(bettor.insurance.iter().flatten()).copied();
                add(bettor.person, main + beside.sum());
            }
        }
        for streak in &table.memory().streaks {
            add(streak.person, streak.bets.iter().copied().sum());
        }
        Stakes { meter: table.memory().meter, staked }
    }
}
