//! Computes the exact odds of every side bet, of insurance and of even money.
//!
//! The crate enumerates everything that the shoe can deal and classifies it with the rules engine itself
//! ([`rules::SideBet::line`]), so that no rule is written twice. Probabilities are ratios of counts; nothing is
//! sampled.
//!
//! Reading order: [`fraction`], [`shoe`], [`tally`]; the bets whose odds do not follow from a tally alone
//! ([`sevens`], [`progressive`], [`bonus`], [`twenty_point`], [`streak`] with [`rounds`]); [`mod@insurance`];
//! [`all`] for a whole table.
//!
//! ```
//! // Six decks: 77 of the 311 other cards have the suit of the first card.
//! let mut choices = rules::preset::preset("nj-blackjack").unwrap();
//! rules::file::set(&mut choices, "decks=6").unwrap();
//! rules::file::set(&mut choices, "side_wagers.same-suit=true").unwrap();
//! let same_suit = side::side_wagers(&choices).remove(0);
//! assert_eq!(same_suit.wager(), "same-suit");
//! assert!((same_suit.loses - 234.0 / 311.0).abs() < 1e-12);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod all;
pub mod bonus;
pub mod dealt;
pub mod fraction;
pub mod insurance;
mod joint;
mod prize;
pub mod progressive;
pub mod removal;
pub mod report;
pub mod round_nets;
pub mod rounds;
pub mod sevens;
pub mod shoe;
pub mod streak;
pub mod tally;
pub mod twenty_point;

pub use all::{MainGame, goes_by_values, side_wagers, side_wagers_from, side_wagers_with};
pub use dealt::Dealt;
pub use fraction::Fraction;
pub use insurance::{
    EvenMoneyReport, InsuranceReport, even_money, insurance, insurance_from, insurance_given,
};
pub use report::{BreakEven, SideOutcome, SideReport, Variant};
pub use shoe::Shoe;
pub use streak::Rounds;
