//! Counts what players bet and won with each bet of a table since its first opening, for comparison with the exact
//! figures.
//!
//! The module counts from events alone, so that an auditor's replay gives the same totals.

use ledger::Cents;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use table::ids::Wager;
use table::{Event, Fact, Table};

/// The name under which the bets of the main game are counted.
///
/// The net win of these bets includes doubles, splits and attack bets; their stakes are the initial bets.
pub const MAIN: &str = "main";
const INSURANCE: &str = "insurance";

/// The totals of one kind of bet over all rounds of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BetTotals {
    pub wagers: u64,
    /// The sum of the amounts bet, in cents; for the main game, of the initial bets.
    pub staked: i64,
    /// The sum of squares of the total staked in each round, or of each settled insurance bet, in cents squared.
    ///
    /// Players at one table win and lose together, so all stakes of a round count as one bet; otherwise the
    /// scatter of the results would be understated.
    pub squares: u128,
    /// The players' net win, in cents.
    pub net: i64,
}

/// Returns the name under which a bet is counted: `main`, `insurance`, or the key of a side bet.
fn named(wager: Wager) -> &'static str {
    match wager {
        Wager::Insurance => INSURANCE,
        Wager::Stake(_) | Wager::EvenMoney => MAIN,
        Wager::Side(bet) => bet.name(),
    }
}

/// A table's totals of bets and payouts, by the name of the bet: `main`, `insurance`, or the key of a side bet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BetTotalsByName {
    wagers: BTreeMap<String, BetTotals>,
}

impl BetTotalsByName {
    pub fn wagers(&self) -> impl Iterator<Item = (&str, &BetTotals)> {
        self.wagers.iter().map(|(name, taken)| (name.as_str(), taken))
    }

    /// Adds the effect of an event to the totals.
    ///
    /// `table` is the table's state after the event.
    pub fn count(&mut self, event: &Event, table: &Table) {
        match event.fact {
            Fact::WagersClosed => self.close(table),
            Fact::Settled(settled) => {
                if settled.wager == Wager::Insurance {
                    self.stake(INSURANCE, &[settled.staked]);
                }
                self.totals_of(named(settled.wager)).net += settled.net.0;
            }
            // a round that a clause declares void undoes its settlements
            Fact::Reversed(settled) => self.totals_of(named(settled.wager)).net -= settled.net.0,
            _ => {}
        }
    }

    /// Counts all bets on the layout, when betting closes.
    fn close(&mut self, table: &Table) {
        let hands = table.rules().text().wagers.hands as i64;
        let mut staked: BTreeMap<&'static str, Vec<Cents>> = BTreeMap::new();
        for bettor in table.round().boxes.iter().flat_map(|play| &play.bettors) {
            let main = bettor.main.iter().map(|amount| amount.0 * hands).sum();
            staked.entry(MAIN).or_default().push(Cents(main));
            for bet in rules::SideBet::ALL {
                let amount = bettor.side(bet);
                if amount > Cents::ZERO {
                    staked.entry(bet.name()).or_default().push(amount);
                }
            }
        }
        staked.into_iter().for_each(|(name, amounts)| self.stake(name, &amounts));
    }

    fn stake(&mut self, name: &str, amounts: &[Cents]) {
        let total: i64 = amounts.iter().map(|amount| amount.0).sum();
        let taken = self.totals_of(name);
        taken.wagers += amounts.len() as u64;
        taken.staked += total;
        taken.squares += u128::from(total.unsigned_abs()) * u128::from(total.unsigned_abs());
    }

    fn totals_of(&mut self, name: &str) -> &mut BetTotals {
        self.wagers.entry(name.to_owned()).or_default()
    }

    /// Formats the totals for the journal, such as ` main=3,3000,9000000,-500`.
    ///
    /// The four numbers are the bets made, the sum staked, the sum of squares, and the players' net win.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, BetTotals { wagers, staked, squares, net }) in self.wagers() {
            let _ = write!(text, " {name}={wagers},{staked},{squares},{net}");
        }
        text
    }

    pub fn read(text: &str) -> Option<BetTotalsByName> {
        let mut returns = BetTotalsByName::default();
        for word in text.split_whitespace() {
            let (name, numbers) = word.split_once('=')?;
            let mut numbers = numbers.split(',');
            let taken = BetTotals {
                wagers: numbers.next()?.parse().ok()?,
                staked: numbers.next()?.parse().ok()?,
                squares: numbers.next()?.parse().ok()?,
                net: numbers.next()?.parse().ok()?,
            };
            returns.wagers.insert(name.to_owned(), taken);
        }
        Some(returns)
    }

    /// Returns whether `other` has the same totals for every bet.
    pub fn same(&self, other: &BetTotalsByName) -> bool {
        self.wagers == other.wagers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read_again() {
        let mut returns = BetTotalsByName::default();
        returns.stake(MAIN, &[Cents(1000), Cents(500)]);
        returns.stake(MAIN, &[Cents(i64::from(u32::MAX))]);
        returns.totals_of("match").net = -500;
        let text = returns.text();
        assert_eq!(text, " main=3,4294968795,18446744065121867025,0 match=0,0,0,-500");
        assert!(BetTotalsByName::read(&text).expect("read").same(&returns));
        for bad in ["main", "main=1", "main=1,2,3", "main=a,2,3,4", "main=1,2,-3,4"] {
            assert_eq!(BetTotalsByName::read(bad), None, "{bad}");
        }
    }
}
