//! Chip movements: legs that sum to zero for each kind of chips.
//!
//! `write.rs`, which knows the balances, checks whether the accounts can pay.

use crate::account::{Account, Chips, Holder};
use crate::ids::{Cents, PersonId};

/// One side of a chip movement: the change of one account's balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    pub account: Account,
    pub amount: Cents,
    pub bound: Bound,
}

/// What limits the amount of a transfer when the transfer is stored.
///
/// Most limits depend on balances that are known only at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The whole amount, or nothing.
    Exact,
    /// Up to the balance of the paying account.
    AsFarAsHeld,
    /// Up to the amount that raises the receiving account to this balance.
    UpTo(Cents),
    /// Up to the balance of the paying account, and no more than the debt of the receiving account.
    HeldAndOwed,
    /// The amount less what the pair of legs before this pair moved.
    Rest,
}

/// A leg as stored in the journal, with the account's new balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostedLeg {
    pub account: Account,
    pub amount: Cents,
    pub after: Cents,
}

/// The chip movements of one command, built from pairs of legs that sum to zero.
///
/// The sum is checked again when the movements are written and read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Postings(Vec<Leg>);

impl Postings {
    pub fn none() -> Postings {
        Postings::default()
    }

    /// Moves `amount` from one account to another.
    ///
    /// An amount of zero is not recorded.
    pub fn transfer(mut self, from: Account, to: Account, amount: Cents) -> Postings {
        self.pair((from, to), amount, Bound::Exact);
        self
    }

    /// Moves a withdrawn bet from the layout back to the patron's account, as if the bet had never been placed.
    ///
    /// The patron's account is the first leg of this pair. In a settlement that returns a bet, the layout is the
    /// first leg, which tells the two movements apart.
    pub fn take_back(mut self, purse: Account, layout: Account, amount: Cents) -> Postings {
        self.pair((purse, layout), -amount, Bound::Exact);
        self
    }

    /// Moves chips from `from` to `to` until the balance of `to` is `balance`, but at most `amount`.
    pub fn fill_up(mut self, from: Account, to: Account, (balance, amount): (Cents, Cents)) -> Postings {
        self.pair((from, to), amount, Bound::UpTo(balance));
        self
    }

    /// Moves `amount` out of `from`: first to the debt account `owed`, up to the debt, and the rest to `to`.
    pub fn pay_debt_first(
        mut self,
        from: Account,
        (owed, to): (Account, Account),
        amount: Cents,
    ) -> Postings {
        self.pair((from, owed), amount, Bound::UpTo(Cents::ZERO));
        self.pair((from, to), amount, Bound::Rest);
        self
    }

    /// Moves `amount` from one account to another, or as much as `from` holds if that is less.
    pub fn transfer_as_far_as_held(mut self, from: Account, to: Account, amount: Cents) -> Postings {
        self.pair((from, to), amount, Bound::AsFarAsHeld);
        self
    }

    /// Pays the debt of the account `owed` from the balance of `from`, as far as the balance allows.
    pub fn pay_what_is_owed(mut self, from: Account, owed: Account) -> Postings {
        self.pair((from, owed), Cents(i64::MAX), Bound::HeldAndOwed);
        self
    }

    /// Claims `amount` back from a patron, and pays it to the account `to`.
    ///
    /// The patron's chips pay as much as their balance allows; the rest stays as the patron's debt.
    pub fn claim(self, purse: Account, person: PersonId, to: Account, amount: Cents) -> Postings {
        let owed = Account::new(purse.chips, Holder::Owed(person));
        self.transfer(owed, to, amount).transfer_as_far_as_held(purse, owed, amount)
    }

    fn pair(&mut self, (from, to): (Account, Account), amount: Cents, bound: Bound) {
        if amount != Cents::ZERO {
            self.0.push(Leg { account: from, amount: -amount, bound });
            self.0.push(Leg { account: to, amount, bound });
        }
    }

    /// Returns whether the stored legs `recorded` can result from these movements, whatever the balances were.
    pub fn fits(&self, recorded: &[PostedLeg]) -> bool {
        let mut rest = recorded.iter();
        for pair in self.0.chunks_exact(2) {
            let [from, to] = pair else { return false };
            let mut ahead = rest.clone();
            let found = (ahead.next(), ahead.next());
            let same = |leg: &Leg, found: &PostedLeg| found.account == leg.account;
            match found {
                (Some(a), Some(b)) if same(from, a) && same(to, b) => {
                    let less = from.bound != Bound::Exact && b.amount.0 > 0 && b.amount < to.amount;
                    if (a.amount, b.amount) != (from.amount, to.amount) && !(less && -a.amount == b.amount) {
                        return false;
                    }
                    rest = ahead;
                }
                // A bounded pair may have moved nothing.
                _ if from.bound != Bound::Exact => {}
                _ => return false,
            }
        }
        rest.next().is_none()
    }

    /// Appends the movements of `others` to these movements.
    pub fn with(mut self, others: Postings) -> Postings {
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

/// Returns whether `legs` sum to zero for every kind of chips.
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

    #[test]
    fn chips_of_one_kind_cannot_pay_for_the_other() {
        let player = |chips| Account::player(chips, PersonId(1));
        let bank = |chips| Account::new(chips, Holder::Bank);
        let good = Postings::none().transfer(player(Chips::Cash), bank(Chips::Cash), Cents(5));
        assert!(balanced(good.legs().iter().map(|l| (&l.account, l.amount))));
        let mixed = Postings::none().transfer(player(Chips::Play), bank(Chips::Cash), Cents(5));
        assert!(!balanced(mixed.legs().iter().map(|l| (&l.account, l.amount))));
    }

    #[test]
    fn a_claim_fits_what_could_be_paid() {
        let (purse, owed) = (Account::player(Chips::Cash, PersonId(1)), Holder::Owed(PersonId(1)));
        let (owed, bank) = (Account::new(Chips::Cash, owed), Account::new(Chips::Cash, Holder::Bank));
        let claim =
            Postings::none().claim(purse, PersonId(1), bank, Cents(10)).transfer(bank, purse, Cents(2));
        let legs = |paid: i64| {
            let mut legs = vec![(owed, -10), (bank, 10)];
            if paid != 0 {
                legs.extend([(purse, -paid), (owed, paid)]);
            }
            legs.extend([(bank, -2), (purse, 2)]);
            let posted = |(account, cents)| PostedLeg { account, amount: Cents(cents), after: Cents(0) };
            legs.into_iter().map(posted).collect::<Vec<_>>()
        };
        for (paid, fits) in [(0, true), (1, true), (10, true), (11, false), (-1, false)] {
            assert_eq!(claim.fits(&legs(paid)), fits, "{paid}");
        }
        assert!(!claim.fits(&legs(3)[..4]) && !Postings::none().fits(&legs(3)));
    }
}
