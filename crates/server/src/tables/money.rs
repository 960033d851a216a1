//! What an event moves: chips between purses, the layout, the bank and the meter. Stakes are read from the machine's state
//! before and after, so that no rule about amounts is written here a second time.

use super::seats::Seats;
use ledger::{Account, Cents, Chips, Holder, Postings, TableId};
use std::collections::BTreeMap;
use table::{Event, Fact, Person, Settlement, Table};

/// The accounts on the house's side of a table.
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

    /// A progressive meter is fed and paid in chips that were bought.
    fn meter(self) -> Account {
        Account::new(Chips::Cash, Holder::Meter(self.table.0))
    }

    /// Funds the meter that a table opens with.
    pub fn seed_meter(self, amount: Cents) -> Postings {
        Postings::none().transfer(Till::bank(Chips::Cash), self.meter(), amount)
    }

    /// Adds what one event moves.
    pub fn post(
        self,
        so_far: Postings,
        (before, after): (Before, &Table),
        event: &Event,
        seats: &Seats,
    ) -> Postings {
        match event.fact {
            Fact::Settled(settlement) => self.settle(so_far, &settlement, seats),
            Fact::Reversed(settlement) => self.reverse(so_far, &settlement, seats),
            Fact::MeterRaised { .. } | Fact::MeterReset(_) => {
                let raised = Cents(after.memory().meter.0 - before.meter.0);
                so_far.transfer(Till::bank(Chips::Cash), self.meter(), raised)
            }
            _ => match before.staked {
                Some(before) => self.stake(so_far, (before, staked(after)), seats),
                None => so_far,
            },
        }
    }

    /// Puts on the layout, or takes back from it, what the event changed about each person's stakes.
    fn stake(self, mut so_far: Postings, (old, new): (Staked, Staked), seats: &Seats) -> Postings {
        for person in old.keys().chain(new.keys().filter(|p| !old.contains_key(p))) {
            let put = new.get(person).map_or(0, |c| c.0) - old.get(person).map_or(0, |c| c.0);
            if let Some(seat) = seats.seat(*person) {
                so_far = so_far.transfer(seat.purse(), self.layout(seat.chips), Cents(put));
            }
        }
        so_far
    }

    /// The stake leaves the layout, and the bank takes or pays the difference.
    fn settle(self, so_far: Postings, settlement: &Settlement, seats: &Seats) -> Postings {
        let Some(seat) = seats.seat(settlement.person) else {
            return so_far;
        };
        let (purse, layout, bank) = (seat.purse(), self.layout(seat.chips), Till::bank(seat.chips));
        let (staked, net) = (settlement.staked, settlement.net);
        if net < Cents::ZERO {
            so_far.transfer(layout, bank, -net).transfer(layout, purse, staked + net)
        } else {
            so_far.transfer(layout, purse, staked).transfer(bank, purse, net)
        }
    }

    /// A settlement undone: the difference goes back where it came from.
    fn reverse(self, so_far: Postings, settlement: &Settlement, seats: &Seats) -> Postings {
        let Some(seat) = seats.seat(settlement.person) else {
            return so_far;
        };
        let (purse, bank) = (seat.purse(), Till::bank(seat.chips));
        match settlement.net > Cents::ZERO {
            // The winnings may have been spent: what is missing is owed, and the round is void all the same.
            true => so_far.claim(purse, seat.person, bank, settlement.net),
            false => so_far.transfer(bank, purse, -settlement.net),
        }
    }
}

type Staked = BTreeMap<Person, Cents>;

/// What must be known of the table before an event, to tell what the event moves.
pub struct Before {
    meter: Cents,
    /// Only where the event changes somebody's stakes.
    staked: Option<Staked>,
}

impl Before {
    pub fn of(table: &Table, event: &Event) -> Before {
        let stakes_change = matches!(
            event.fact,
            Fact::Wagered { .. }
                | Fact::SideWagered { .. }
                | Fact::Withdrawn { .. }
                | Fact::Attacked { .. }
                | Fact::Insured { .. }
                | Fact::Doubled { .. }
                | Fact::Split { .. }
                | Fact::Covered { .. }
        );
        Before { meter: table.memory().meter, staked: stakes_change.then(|| staked(table)) }
    }
}

/// Everything each person has put on the layout in this round, and on streaks that are pending.
pub fn staked(table: &Table) -> Staked {
    let mut staked: Staked = BTreeMap::new();
    let mut add = |person, cents: Cents| *staked.entry(person).or_default() += cents;
    for play in &table.round().boxes {
        for (at, bettor) in play.bettors.iter().enumerate() {
            if play.hands.is_empty() {
                let hands = table.rules().hands_per_box() as i64;
                bettor.main.iter().for_each(|c| add(bettor.person, Cents(c.0 * hands)));
            }
            for hand in &play.hands {
                let stakes = &hand.stakes[at];
                let all = stakes.base.iter().chain(&stakes.attack).chain(&stakes.double);
                all.for_each(|c| add(bettor.person, *c));
            }
            bettor.side.iter().for_each(|c| add(bettor.person, *c));
            bettor.insurance.iter().flatten().for_each(|c| add(bettor.person, *c));
        }
    }
    for streak in &table.memory().streaks {
        streak.bets.iter().for_each(|c| add(streak.person, *c));
    }
    staked
}
