//! The exact odds of every side wager, of insurance and of even money.
//!
//! Everything the shoe can deal is enumerated and classified by the rulebook itself ([`rules::SideBet::line`]), so no rule
//! is written here a second time. Chances are fractions of counts; nothing is sampled.
//!
//! Reading order: [`fraction`], [`shoe`], [`tally`]; the wagers that need more than a count ([`sevens`],
//! [`progressive`], [`bonus`], [`twenty_point`], [`streak`] with [`rounds`]); [`insurance`]; [`all`] for a whole table.
#![forbid(unsafe_code)]

pub mod all;
pub mod bonus;
pub mod dealt;
pub mod fraction;
pub mod insurance;
mod prize;
pub mod progressive;
pub mod removal;
pub mod report;
pub mod rounds;
pub mod sevens;
pub mod shoe;
pub mod streak;
pub mod tally;
mod together;
pub mod twenty_point;

pub use all::{MainGame, goes_by_values, side_wagers, side_wagers_beside, side_wagers_from};
pub use dealt::Dealt;
pub use fraction::Fraction;
pub use insurance::{
    EvenMoneyReport, InsuranceReport, even_money, insurance, insurance_from, insurance_given,
};
pub use report::{BreakEven, SideOutcome, SideReport, Variant};
pub use shoe::Shoe;
pub use streak::Rounds;
