//! The rulebook of regulated blackjack, with every rule under the clause that states it.
//!
//! The crate covers New Jersey blackjack (19:47-2), Blackjack Switch (19:47-2A and Massachusetts), Double Attack
//! (19:47-26) and Triple Attack (19:47-36).
//!
//! Everything that decides legality or money is written here once, as data or a pure function under its clause. The
//! crate does no I/O, has no clock and draws no cards.
//!
//! Reading order: [`card`], [`hand`], [`odds`], [`mod@clause`]; the choices of a table ([`choice`], [`mod@file`],
//! [`preset`]) and the check that they are legal ([`lawful`]); what is allowed during a round ([`play`],
//! [`script`]); how bets are settled ([`settle`]); the side bets ([`wager`]).
//!
//! ```
//! use rules::card::{Card, Rank, Suit};
//! use rules::hand::Hand;
//! use rules::settle::{self, Outcome, Stake};
//! use rules::{Rules, file, preset};
//!
//! // The licensee's choices describe a table; only legal ones become rules, and every violation names its clause.
//! let mut choices = preset::preset("nj-blackjack").unwrap();
//! file::set(&mut choices, "decks=6").unwrap();
//! let rules = Rules::new(choices.clone()).expect("a legal table");
//!
//! // The outcome of a bet, and the clause that decides it.
//! let card = |rank| Card::new(rank, Suit::Spades);
//! let player = Hand::dealt(&[card(Rank::Ace), card(Rank::King)]);
//! let dealer = Hand::dealt(&[card(Rank::Nine), card(Rank::Queen)]);
//! let verdict = settle::compare(rules.choices(), &player, &dealer, Stake::Main);
//! assert!(matches!(verdict.outcome, Outcome::Win(odds) if odds.to_string() == "3 to 2"));
//! assert_eq!(verdict.by.id(), "19:47-2.7(a)");
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod card;
pub mod hand;
pub mod odds;
#[macro_use]
pub mod clause;
#[macro_use]
pub mod message;
pub mod choice;
pub mod file;
pub mod lawful;
pub mod layout;
pub mod limit;
pub mod play;
pub mod preset;
pub mod ruling;
pub mod script;
pub mod settle;
pub mod suggest;
pub mod text;
pub mod wager;
pub mod words;

pub use card::{Card, Deck, Rank, Suit};
pub use choice::{
    AttackAmount, Choices, CutBy, DoubleCard, HoleCard, Offered, Shoe, Shuffle, Soft17, Variation,
};
pub use clause::Clause;
pub use hand::{Hand, Origin, Total};
pub use lawful::{Finding, Rules};
pub use message::Message;
pub use odds::{Cents, Odds};
pub use play::{Action, Refusal};
pub use ruling::Rulings;
pub use settle::{Outcome, Verdict};
pub use text::Text;
pub use wager::{SideBet, SideWager};
