//! The house's accounts, and their encoding as a single number.
//!
//! `posting.rs` has the movements of chips between accounts.

use crate::ids::{Cents, PersonId, TableId};
use std::fmt;

/// The kind of chips: cash chips are bought at the cage (`Cash`), play chips are given to guests for free
/// (`Play`).
///
/// Chips of the two kinds never mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chips {
    Cash,
    Play,
}

/// Who or what holds the chips of an [`Account`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// The world outside the house: patrons' payments in less their payments out, and the owners' capital.
    ///
    /// The balance may be negative, because it is the counterpart of all chips in existence.
    Outside,
    /// The house's own chips: losing bets go in, payouts come out.
    Bank,
    /// A cashier's drawer: cash taken at buy-in less cash paid at cash-out.
    ///
    /// Its balance is the counterpart of patrons' chips.
    Cashier(PersonId),
    /// A patron's chips that are not bet.
    Player(PersonId),
    /// Bets on the layout of a table.
    Layout(TableId),
    /// The money of a progressive meter, by the meter's number.
    Meter(u32),
    /// A patron's debt to the house, as a negative balance.
    ///
    /// The debt arises when a round is voided after the patron has spent the payout.
    Owed(PersonId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    pub chips: Chips,
    pub holder: Holder,
}

const OWNER_BITS: u32 = 48;
const OWNER_MASK: i64 = (1 << OWNER_BITS) - 1;

impl Account {
    pub fn new(chips: Chips, holder: Holder) -> Account {
        Account { chips, holder }
    }

    pub fn player(chips: Chips, person: PersonId) -> Account {
        Account::new(chips, Holder::Player(person))
    }

    /// Returns whether this account's balance may be negative.
    ///
    /// Only debts, and accounts whose counterpart is outside the house, may have a negative balance.
    pub fn may_owe(self) -> bool {
        matches!(self.holder, Holder::Outside | Holder::Cashier(_) | Holder::Owed(_))
    }

    /// Returns whether this account may hold `balance`.
    ///
    /// A debt's balance may not go above zero, so that the debt cannot be paid twice.
    pub fn may_hold(self, balance: Cents) -> bool {
        match self.holder {
            Holder::Owed(_) => balance <= Cents::ZERO,
            _ => balance >= Cents::ZERO || self.may_owe(),
        }
    }

    /// Returns the patron if the account holds a patron's chips, or `None` for any other account.
    pub fn person(self) -> Option<PersonId> {
        match self.holder {
            Holder::Player(person) => Some(person),
            _ => None,
        }
    }

    /// Returns the person whose chips, debt or drawer the account holds, or `None` if it belongs to no person.
    pub fn belongs_to(self) -> Option<PersonId> {
        match self.holder {
            Holder::Player(person) | Holder::Owed(person) | Holder::Cashier(person) => Some(person),
            Holder::Outside | Holder::Bank | Holder::Layout(_) | Holder::Meter(_) => None,
        }
    }

    /// Returns every account that `person` can have.
    pub fn all_of(person: PersonId) -> Vec<Account> {
        let holders = [Holder::Player(person), Holder::Owed(person), Holder::Cashier(person)];
        let both = |holder| [Chips::Cash, Chips::Play].map(|chips| Account { chips, holder });
        holders.into_iter().flat_map(both).collect()
    }

    /// Returns the account's number, its key in the store.
    ///
    /// Account rows are locked in the order of their numbers.
    pub fn number(self) -> i64 {
        let chips = match self.chips {
            Chips::Cash => 0,
            Chips::Play => 1,
        };
        let (class, owner) = match self.holder {
            Holder::Outside => (1, 0),
            Holder::Bank => (2, 0),
            Holder::Cashier(PersonId(id)) => (3, id),
            Holder::Player(PersonId(id)) => (4, id),
            Holder::Layout(TableId(id)) => (5, i64::from(id)),
            Holder::Meter(id) => (6, i64::from(id)),
            Holder::Owed(PersonId(id)) => (7, id),
        };
        (chips << (OWNER_BITS + 8)) | (class << OWNER_BITS) | (owner & OWNER_MASK)
    }

    /// Returns the number of the account's person, table or meter, or 0 if the account has none of the three.
    pub fn owner(self) -> i64 {
        self.number() & OWNER_MASK
    }

    /// Parses an account's name as `Display` writes it, such as `cash:player:7`. Returns `None` for any other
    /// text.
    pub fn from_name(name: &str) -> Option<Account> {
        let (chips, rest) = name.split_once(':')?;
        let chips = Chips::from_name(chips)?;
        let holder = match rest.split_once(':') {
            None if rest == "outside" => Holder::Outside,
            None if rest == "bank" => Holder::Bank,
            Some(("cashier", id)) => Holder::Cashier(PersonId(id.parse().ok()?)),
            Some(("player", id)) => Holder::Player(PersonId(id.parse().ok()?)),
            Some(("layout", id)) => Holder::Layout(TableId(id.parse().ok()?)),
            Some(("meter", id)) => Holder::Meter(id.parse().ok()?),
            Some(("owed", id)) => Holder::Owed(PersonId(id.parse().ok()?)),
            _ => return None,
        };
        Some(Account { chips, holder })
    }
}

impl Chips {
    pub fn name(self) -> &'static str {
        match self {
            Chips::Cash => "cash",
            Chips::Play => "play",
        }
    }

    pub fn from_name(name: &str) -> Option<Chips> {
        [Chips::Cash, Chips::Play].into_iter().find(|chips| chips.name() == name)
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.chips)?;
        match self.holder {
            Holder::Outside => write!(f, "outside"),
            Holder::Bank => write!(f, "bank"),
            Holder::Cashier(PersonId(id)) => write!(f, "cashier:{id}"),
            Holder::Player(PersonId(id)) => write!(f, "player:{id}"),
            Holder::Layout(TableId(id)) => write!(f, "layout:{id}"),
            Holder::Meter(id) => write!(f, "meter:{id}"),
            Holder::Owed(PersonId(id)) => write!(f, "owed:{id}"),
        }
    }
}

/// The largest person id that fits into an account number.
///
/// Person ids are drawn from this range.
pub const LARGEST_PERSON: i64 = OWNER_MASK;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_account_has_a_number_and_a_name_of_its_own() {
        let mut numbers = std::collections::BTreeSet::new();
        for chips in [Chips::Cash, Chips::Play] {
            for holder in [
                Holder::Outside,
                Holder::Bank,
                Holder::Cashier(PersonId(7)),
                Holder::Player(PersonId(LARGEST_PERSON)),
                Holder::Layout(TableId(u32::MAX)),
                Holder::Meter(3),
                Holder::Owed(PersonId(8)),
            ] {
                let account = Account::new(chips, holder);
                assert!(numbers.insert(account.number()), "{account}");
                assert_eq!(Account::from_name(&account.to_string()), Some(account));
            }
        }
        for stray in ["", "cash", "cash:", "gold:bank", "cash:player", "cash:player:x", "cash:bank:1"] {
            assert_eq!(Account::from_name(stray), None, "{stray}");
        }
    }
}
