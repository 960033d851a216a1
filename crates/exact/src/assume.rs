//! Assumed rules that no regulation in this project has, for calculations of hypothetical tables.
//!
//! The assumptions set what a blackjack pays, which totals may be doubled, early surrender, a dealer's
//! blackjack that takes every bet, drawing to split aces, and more hands of a split. They change only what a
//! table's judge tells the solver about the rules.

use crate::hands::Hand;
use crate::judge::{Ending, Finish, LegalActions, Net, Origin, Stake};
use crate::vocabulary::{ACE, TEN};
use std::fmt::{Display, Formatter};
use std::ops::RangeInclusive;

/// The highest number of split hands that may be assumed.
pub const MOST_HANDS: u8 = 8;

/// The assumed rules of a hypothetical table.
///
/// By default no rule is assumed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// The payout of a dealt blackjack, such as `(6, 5)` for 6 to 5, or `None` to keep the table's own payout.
    pub blackjack: Option<(i64, i64)>,
    /// The hard totals on which two-card hands may double, or `None` to keep the table's own rule.
    ///
    /// If it is set, other totals and soft hands may not be doubled.
    pub double: Option<RangeInclusive<u8>>,
    /// Whether the player may surrender two dealt cards before the dealer checks for blackjack, for half of the
    /// bet.
    pub early_surrender: bool,
    /// Whether a dealer's blackjack found after play also takes doubled and split bets.
    pub takes_all: bool,
    /// Whether hands of split aces may draw more than one card.
    pub draws_to_aces: bool,
    /// The maximum number of hands after splitting a pair, or `None` to keep the table's own maximum.
    pub split_hands: Option<u8>,
}

/// The accepted assumptions, as listed in the error message of [`Assumptions::set`].
pub const KEYS: &str = "blackjack=6:5, double=9-11, surrender=early, dealer_blackjack=takes-all, split_aces=draw, split_hands=2 to 8";

impl Assumptions {
    /// Adds one assumption, written as `key=value`, such as `blackjack=6:5`.
    ///
    /// Returns an error that lists the accepted assumptions if `text` is not one of them.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let unknown = || format!("unknown assumption `{text}`; expected one of: {KEYS}");
        let (key, value) = text.split_once('=').ok_or_else(unknown)?;
        match (key.trim(), value.trim()) {
            ("blackjack", odds) => self.blackjack = Some(ratio(odds).ok_or_else(unknown)?),
            ("double", totals) => self.double = Some(range(totals).ok_or_else(unknown)?),
            ("surrender", "early") => self.early_surrender = true,
            ("dealer_blackjack", "takes-all") => self.takes_all = true,
            ("split_aces", "draw") => self.draws_to_aces = true,
            ("split_hands", hands) => {
                let hands = hands.parse().ok().filter(|hands| (2..=MOST_HANDS).contains(hands));
                self.split_hands = Some(hands.ok_or_else(unknown)?);
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Returns whether no rule is assumed.
    pub fn is_empty(&self) -> bool {
        *self == Assumptions::default()
    }

    /// Returns the assumptions in the `key=value` form that [`Assumptions::set`] accepts.
    pub fn words(&self) -> Vec<String> {
        let flag = |yes: bool, word: &str| yes.then(|| word.to_string());
        let all = [
            self.blackjack.map(|(n, d)| format!("blackjack={n}:{d}")),
            self.double.as_ref().map(|totals| format!("double={}-{}", totals.start(), totals.end())),
            flag(self.early_surrender, "surrender=early"),
            flag(self.takes_all, "dealer_blackjack=takes-all"),
            flag(self.draws_to_aces, "split_aces=draw"),
            self.split_hands.map(|hands| format!("split_hands={hands}")),
        ];
        all.into_iter().flatten().collect()
    }

    /// Returns whether, under the assumptions, a dealer's blackjack is found only after the hands are played.
    ///
    /// Early surrender is decided before the dealer checks for blackjack. All later decisions are then worth as
    /// much as if the blackjack were found last and took only the original bet.
    pub(crate) fn found_last(&self) -> bool {
        self.early_surrender || self.takes_all
    }

    /// Returns the legal actions on a hand under the assumptions, given its legal actions `open` at the table.
    pub(crate) fn may(&self, hand: &Hand, origin: Origin, open: LegalActions) -> LegalActions {
        let two = hand.size == 2;
        let mut may = open;
        if self.draws_to_aces && origin == Origin::SplitAce && hand.points.total < 21 {
            may.hit = true;
        }
        if let Some(totals) = &self.double {
            may.double &= !hand.points.soft && totals.contains(&hand.points.total);
        }
        if self.early_surrender {
            may.surrender = two && origin == Origin::Dealt && hand.points.total < 21;
        }
        may
    }

    /// Returns the maximum number of hands after splitting a pair under the assumptions.
    ///
    /// `open` is the table's own maximum, and `again` tells whether the table allows splitting a pair of this
    /// value more than once.
    pub(crate) fn hands_of(&self, open: u8, again: bool) -> u8 {
        self.split_hands.filter(|_| open > 1 && again).unwrap_or(open)
    }

    /// Returns the net that the assumptions give a finished hand, or `None` if the table's own rules decide.
    ///
    /// `dealer_blackjack` tells whether the dealer has a blackjack.
    pub(crate) fn net(&self, finish: &Finish, dealer_blackjack: bool) -> Option<Net> {
        let natural = finish.hand.size == 2 && finish.hand.cards[ACE] == 1 && finish.hand.cards[TEN] == 1;
        let natural = natural && finish.origin == Origin::Dealt && finish.ending == Ending::Stood;
        if finish.ending == Ending::Surrendered && self.early_surrender {
            return Some(Net::Amount(-1, 2));
        }
        match (dealer_blackjack, self.blackjack) {
            (true, _) if !self.found_last() => None,
            (true, _) if natural => Some(Net::Amount(0, 1)),
            (true, _) if self.takes_all => {
                Some(Net::Amount(if finish.stake == Stake::Doubled { -2 } else { -1 }, 1))
            }
            (true, _) if matches!(finish.origin, Origin::Split | Origin::SplitAce) => Some(Net::Original),
            (true, _) => Some(Net::Amount(-1, 1)),
            (false, Some((n, d))) if natural => Some(Net::Amount(n, d)),
            _ => None,
        }
    }
}

impl Display for Assumptions {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words().join(", "))
    }
}

fn ratio(text: &str) -> Option<(i64, i64)> {
    let (n, d) = text.split_once(':').or_else(|| text.split_once('/')).unwrap_or((text, "1"));
    let number = |text: &str| text.trim().parse::<i64>().ok().filter(|n| (1..=1000).contains(n));
    Some((number(n)?, number(d)?))
}

fn range(text: &str) -> Option<RangeInclusive<u8>> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u8>().ok().filter(|n| (4..=20).contains(n));
    let (low, high) = (number(low)?, number(high)?);
    (low <= high).then_some(low..=high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Strategy, value_at};
    use crate::table::{Attacked, Table};
    use crate::tests::documented::{is_printed, page, quoted, rows};

    fn assumed(words: &[&str]) -> Assumptions {
        let mut all = Assumptions::default();
        words.iter().for_each(|word| all.set(word).unwrap());
        all
    }

    #[test]
    fn assumptions_are_written_as_they_are_read() {
        let words = [
            "blackjack=6:5",
            "double=10-11",
            "surrender=early",
            "dealer_blackjack=takes-all",
            "split_aces=draw",
            "split_hands=8",
        ];
        assert_eq!(assumed(&words).words(), words);
        assert!(assumed(&[]).is_empty());
        assert_eq!(assumed(&["blackjack=2"]).blackjack, Some((2, 1)));
        for wrong in
            ["", "blackjack", "blackjack=0", "blackjack=x", "double=11-9", "double=30", "surrender=late"]
        {
            assert!(Assumptions::default().set(wrong).is_err(), "{wrong}");
        }
        assert!(Assumptions::default().set("split_hands=9").is_err());
    }

    /// Returns the player's gain in percent from each set of assumptions.
    ///
    /// The table has `decks` decks and a hole card that the dealer checks for blackjack. The dealer stands on soft 17,
    /// and hands may be doubled after splits and split into up to four.
    fn gains(decks: u8, all: &[&[&str]]) -> Vec<f64> {
        let mut choices = rules::preset::preset("nj-blackjack-reader").unwrap();
        let sets = ["rulings.split_two_card_21=push", "split_hands=4", "resplit_aces=false"];
        sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
        choices.decks = decks;
        let value = |words: &[&str]| -> f64 {
            let table = Table::new(&choices, Attacked::No).assuming(assumed(words));
            100.0 * value_at(&table, &Strategy::CompositionDependent)
        };
        let plain = value(&[]);
        all.iter().map(|words| value(words) - plain).collect()
    }

    /// Compares the effects of assumed rules with published effects of eight-deck rules, in percent.
    ///
    /// Section 16 of docs/exact.md lists our effects and names the sources.
    #[test]
    fn published_effects_of_rules_are_reproduced() {
        let all: [(&[&str], f64, f64); 11] = [
            (&["blackjack=1:1"], -2.32, 0.06),
            (&["blackjack=6:5"], -1.36, 0.02),
            (&["blackjack=7:5"], -0.45, 0.01),
            (&["blackjack=2:1"], 2.27, 0.02),
            (&["double=9-11"], -0.09, 0.02),
            (&["double=10-11"], -0.18, 0.02),
            (&["double=11"], -0.64, 0.1),
            (&["surrender=early"], 0.63, 0.02),
            (&["dealer_blackjack=takes-all"], -0.11, 0.01),
            (&["split_aces=draw"], 0.19, 0.02),
            (&["split_hands=2"], -0.04, 0.02),
        ];
        let words: Vec<&[&str]> = all.iter().map(|row| row.0).collect();
        let documented = rows(16);
        for ((words, published, within), found) in all.iter().zip(gains(8, &words)) {
            let row = documented.iter().filter(|row| row.len() == 4).find(|row| quoted(&row[0]) == words[0]);
            is_printed(words[0], &row.unwrap_or_else(|| panic!("{words:?}"))[1], found);
            assert!((found - published).abs() < *within, "{words:?}: {found:.4}, published {published}");
        }
        let one_deck = gains(1, &[&["blackjack=1:1"]])[0];
        assert!((one_deck + 2.32).abs() < 0.005, "{one_deck}");
        assert!(page().contains(&format!("for one deck, where ours is {one_deck:.3}")), "{one_deck}");
    }

    /// Allowing more hands of a split is worth more, and the gain shrinks with every further hand.
    #[test]
    fn each_further_hand_of_a_split_adds_less() {
        let hands = ["split_hands=2", "split_hands=3", "split_hands=4", "split_hands=5", "split_hands=8"];
        let all: Vec<[&str; 1]> = hands.iter().map(|word| [*word]).collect();
        let all: Vec<&[&str]> = all.iter().map(|words| &words[..]).collect();
        let found = gains(8, &all);
        assert!(found[2].abs() < 1e-9, "four hands are the table's own: {found:?}");
        let page = page().split_whitespace().collect::<Vec<_>>().join(" ");
        let documented = format!(
            "three hands adds {:.4} percent, five hands {:.4} percent, six hands ",
            found[1], found[3]
        );
        assert!(page.contains(&documented), "{documented}");
        let documented = format!(" and eight hands {:.4} percent.", found[4]);
        assert!(page.contains(&documented), "{documented}");
        let steps: Vec<f64> = found.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(steps.iter().all(|step| *step > 0.0), "{found:?}");
        assert!(steps.windows(2).all(|two| two[1] < two[0]), "{found:?}");
    }

    /// A dealer's blackjack that takes all bets changes nothing where no hand is doubled, split or surrendered.
    #[test]
    fn a_blackjack_that_takes_all_bets_matters_to_raised_bets_alone() {
        let mut choices = rules::preset::preset("nj-blackjack-reader").unwrap();
        choices.split_hands = 1;
        let value = |words: &[&str]| -> f64 {
            let table = Table::new(&choices, Attacked::No).assuming(assumed(words));
            value_at(&table, &Strategy::CompositionDependent)
        };
        // no total of two cards is 4 without a pair of twos, and doubling it never pays
        let (before, after) = (value(&["double=4"]), value(&["double=4", "dealer_blackjack=takes-all"]));
        assert!((before - after).abs() < 1e-12, "{before} {after}");
    }
}
