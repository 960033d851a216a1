//! Chip movements: legs that sum to zero for each kind of chips.
//! Whether the accounts can bear them is decided where balances are known, in `write.rs`.

use crate::account::{Account, Chips};
use crate::ids::Cents;

/// One side of a movement: the change of one account's balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    pub account: Account,
    pub amount: Cents,
}

/// A leg with the balance that it left behind, as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostedLeg {
    pub account: Account,
    pub amount: Cents,
    pub after: Cents,
}

/// Movements of one command. Built only of pairs, so it sums to zero by construction; checked again on write and read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Postings(Vec<Leg>);

impl Postings {
    pub fn none() -> Postings {
        Postings::default()
    }

    /// Moves `amount` from one account to another. Nothing is recorded for an amount of zero.
    pub fn transfer(mut self, from: Account, to: Account, amount: Cents) -> Postings {
        if amount != Cents::ZERO {
            self.0.push(Leg { account: from, amount: -amount });
            self.0.push(Leg { account: to, amount });
        }
        self
    }

    /// These movements, then others.
    pub fn and(mut self, others: Postings) -> Postings {
        self.0.extend(others.0);
        self
    }

    pub fn legs(&self) -> &[Leg] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Do these legs make or lose chips of either kind?
pub fn balanced<'a>(legs: impl Iterator<Item = (&'a Account, Cents)>) -> bool {
    let mut sums = [0i128; 2];
    for (account, amount) in legs {
        sums[usize::from(account.chips == Chips::Play)] += i128::from(amount.0);
    }
    sums == [0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Holder;
    use crate::ids::PersonId;

    #[test]
    fn chips_of_one_kind_cannot_pay_for_the_other() {
        let player = |chips| Account::player(chips, PersonId(1));
        let bank = |chips| Account::new(chips, Holder::Bank);
        let good = Postings::none().transfer(player(Chips::Cash), bank(Chips::Cash), Cents(5));
        assert!(balanced(good.legs().iter().map(|l| (&l.account, l.amount))));
        let mixed = Postings::none().transfer(player(Chips::Play), bank(Chips::Cash), Cents(5));
        assert!(!balanced(mixed.legs().iter().map(|l| (&l.account, l.amount))));
    }
}
