//! The side bets: which exist, when they are settled, and which paytable line a hand reaches.
//!
//! Each side bet is a row ([`Side`]) of its text and a `line` function in the file of its family; nothing here moves
//! money.

use crate::card::Card;
use crate::choice::Choices;
use crate::clause::Clause;
use crate::odds::{Cents, Odds};
use crate::text::values::Asks;

pub mod aces;
pub mod bonus;
pub mod dealer_bust;
pub mod kinds;
pub mod own;
pub mod pairs;
pub mod sevens;
pub mod streak;
pub mod suits;
pub mod totals;
pub mod twenty;

pub use kinds::{Bet, Kind, Prize, Sees, SideBet, SideWager};

/// When a side bet is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Decided on the initial cards, before any other card: 2.17(d)-(e), 2.23(e), 2A.7(e).
    Deal,
    /// Decided after the dealer's face-down hole card and before any other card: 2.24(d).
    AfterHoleCard,
    /// Decided before each player's own decisions: 36.7(f).
    Turn,
    /// Decided at the decision of a player with two sevens, otherwise on the initial cards: 2.17(e).
    Decision,
    /// Decided on the dealer's second or third card: 2.25(e), 26.6(d).
    DealerThirdCard,
    /// Decided with the main bet: 2.19(h), 2.22(c).
    End,
    /// Decided after all other bets, with the bonus button: 2.20(f).
    Bonus,
}

/// A side bet as a text defines it.
#[derive(Clone, Copy)]
pub struct Side {
    /// The side bet.
    pub wager: SideWager,
    /// The clause that lets the side bet be offered.
    pub by: Clause,
    /// The moment at which the side bet is decided.
    pub settles: Moment,
    /// The paytables that the text has for the side bet.
    pub paytables: &'static [PayTable],
    /// Returns the clause that allows no other paytable at this number of decks.
    pub no_table: fn(u8) -> Clause,
    /// The clause that states the odds as a minimum, with the words "no less than"; the licensee may pay more.
    pub at_least: Option<Clause>,
    /// The clause that allows the side bet only together with a main bet.
    pub beside_main: Clause,
    /// The legal limits on the side bet's amount.
    pub amounts: Amounts,
    /// The clause by which the side bet is placed with chips.
    pub chips: Clause,
    /// The clause that refuses an amount below the posted minimum.
    pub least: Clause,
    /// The clause that caps the side bet at the main bet, if the text has one.
    pub within_main: Option<Clause>,
    /// The clause that refuses an amount above the posted maximum.
    pub most: Clause,
    /// The clause under which the side bet loses.
    pub lost: Clause,
    /// The clause on the side bet's area on the layout.
    pub area: Clause,
    /// The clause on the sign with the side bet's limits.
    pub sign: Clause,
    /// The clause that pays only the highest of several results, with a sign that says so.
    pub once: Option<Clause>,
    /// The terms that few side bets have.
    pub extras: Extras,
}

/// The terms of a text that only few side bets have.
#[derive(Clone, Copy)]
pub struct Extras {
    /// What must be done before the side bet is offered.
    pub asks: &'static [Asks],
    /// Cards on which the side bet loses by a clause of its own.
    pub lost_on: &'static [LostOn],
    /// The clause by which a player makes only one of the bets of this side bet.
    pub one_of: Option<Clause>,
    /// The clause by which the dealer announces "no more bets".
    pub no_more_bets: Option<Clause>,
    /// The limit on what all winners of one line win together.
    pub cap: Option<Cap>,
    /// The clause that requires notice before the side bet is withdrawn.
    pub withdrawn: Option<Clause>,
    /// The clause that requires notice before the paytable is changed.
    pub changed: Option<Clause>,
    /// What the side bet is, for [`SideWager::Own`].
    pub own: Option<OwnBet>,
    /// The clause that requires one paytable at all tables of a house with the same number of decks.
    pub alike: Option<Clause>,
    /// The clause by which somebody approves a payment before it is made.
    pub approved: Option<Clause>,
    /// What the dealer does for a progressive bet.
    pub meter: Option<MeterSteps>,
    /// What the dealer does for a bet whose button shows the award.
    pub button: Option<ButtonSteps>,
}

/// The clauses of what is done for a progressive bet: 2.19.
#[derive(Clone, Copy)]
pub struct MeterSteps {
    /// The clause by which the light of the betting area comes on.
    pub light_on: Clause,
    /// The clause by which the chips are counted against the lights.
    pub counted: Clause,
    /// The clause by which the bets are added to the meter.
    pub raised: Clause,
    /// The clause by which the dealer verifies the cards.
    pub cards: Clause,
    /// The clause by which the dealer verifies the light.
    pub light: Clause,
    /// The clause by which the meter is reset.
    pub reset: Clause,
}

/// The clauses of what is done for a bet whose button shows the award: 2.20.
#[derive(Clone, Copy)]
pub struct ButtonSteps {
    /// The clause by which the cards are placed under the bet.
    pub tucked: Clause,
    /// The clause by which the button is placed before the player.
    pub placed: Clause,
    /// The clause by which the player presses the button, which shows the award.
    pub shown: Clause,
    /// The clause that lists the awards.
    pub listed: Clause,
    /// The clause by which the dealer verifies the cards.
    pub cards: Clause,
    /// The clause by which the dealer verifies the amount.
    pub amount: Clause,
    /// The clause by which the dealer announces a small award.
    pub announced: Clause,
    /// The clause by which the award is paid.
    pub paid: Clause,
    /// The clause by which the cards are picked up afterwards.
    pub picked_up: Clause,
}

impl Extras {
    /// A side bet of which the text says nothing else.
    pub const NONE: Extras = Extras {
        asks: &[],
        lost_on: &[],
        one_of: None,
        no_more_bets: None,
        cap: None,
        withdrawn: None,
        changed: None,
        own: None,
        alike: None,
        approved: None,
        meter: None,
        button: None,
    };
}

/// A side bet that only its text knows, on the player's first two cards and the dealer's upcard.
#[derive(Clone, Copy)]
pub struct OwnBet {
    /// The name as a player reads it.
    pub title: &'static str,
    /// Returns the best line of the paytable that the cards reach; `None` if the bet loses.
    pub line: fn(&PayTable, &View<'_>) -> Option<PayLine>,
}

impl Side {
    /// Returns the name of the side bet as a player reads it.
    pub fn title(&self) -> &'static str {
        self.extras.own.map_or(self.wager.kind().title, |own| own.title)
    }
}

/// Cards on which a side bet loses by a clause of its own.
#[derive(Clone, Copy)]
pub struct LostOn {
    /// Whether these are the cards.
    pub is: fn(&View<'_>) -> bool,
    /// The clause under which the side bet then loses.
    pub by: Clause,
}

/// A limit on what all winners of one line win together in a round: 2.24(h).
#[derive(Clone, Copy)]
pub struct Cap {
    /// The clause of the line that is limited.
    pub line: Clause,
    /// The clause on the sign with the limit.
    pub sign: Clause,
    /// The clause that requires notice before the limit is decreased.
    pub decreased: Clause,
}

/// The legal amounts of a side bet, beyond the table's posted limits.
#[derive(Clone, Copy)]
pub enum Amounts {
    /// The law sets no amount.
    Any,
    /// The bet is one dollar: the clause, and its words for a refusal.
    OneDollar(Clause, &'static str),
    /// The bet is one dollar or more: the clause, and its words for a refusal.
    FromOneDollar(Clause, &'static str),
}

/// A paytable: a name, the deck counts that it is for (all if empty), and its lines, best first.
#[derive(Clone, Copy, Debug)]
pub struct PayTable {
    /// The paytable's name in a table file.
    pub name: &'static str,
    /// The numbers of decks that the paytable is for; all if empty.
    pub decks: &'static [u8],
    /// The paytable's lines, best first.
    pub lines: &'static [PayLine],
}

/// What a winning line pays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pays {
    /// The line pays these odds on the bet.
    Odds(Odds),
    /// The line pays a fixed amount for the one dollar bet, 2.19(c).
    Amount(Cents),
    /// The progressive meter, 2.19(c).
    Meter,
    /// The line pays the amount that the bonus button shows, 2.20(f).
    Award,
}

impl std::fmt::Display for Pays {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pays::Odds(odds) => write!(f, "{odds}"),
            Pays::Amount(amount) => write!(f, "${amount}"),
            Pays::Meter => f.write_str("the progressive meter"),
            Pays::Award => f.write_str("the amount the button shows"),
        }
    }
}

/// One line of a paytable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayLine {
    /// The combination, in the words of the text.
    pub hand: &'static str,
    /// What the line pays.
    pub pays: Pays,
    /// The clause that sets the pay of the line.
    pub by: Clause,
    /// The paytable lines whose odds this line adds up, as 2.23(a)2 pays each matching card.
    pub sum: &'static [usize],
}

impl PayLine {
    /// Returns a line that pays `pays` to 1.
    pub const fn odds(hand: &'static str, pays: u32, by: Clause) -> PayLine {
        PayLine { hand, pays: Pays::Odds(Odds::to_1(pays)), by, sum: &[] }
    }
}

/// The cards that decide a side bet.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The player's cards in dealing order, as far as they belong to one series: the initial two (in Switch both hands'
    /// four: first cards of both hands, then second cards), then those drawn to the unsplit hand.
    pub cards: &'a [Card],
    /// The dealer's cards in dealing order, the upcard first.
    pub dealer: &'a [Card],
}

impl View<'_> {
    /// Returns the player's first two cards.
    pub fn first_two(&self) -> Option<[Card; 2]> {
        self.cards.first_chunk().copied()
    }

    /// Returns the dealer's upcard.
    pub fn up(&self) -> Option<Card> {
        self.dealer.first().copied()
    }
}

/// Returns the paytable in use: the one named, among those for the deck count; the first of these if none is named.
pub fn paytable(choices: &Choices, wager: SideWager) -> Option<&'static PayTable> {
    let offer = choices.offer(wager)?;
    let fits = |table: &&PayTable| table.decks.is_empty() || table.decks.contains(&choices.decks);
    let mut fitting = choices.text().side(wager)?.paytables.iter().filter(fits);
    match &offer.paytable {
        Some(name) => fitting.find(|table| table.name == name),
        None => fitting.next(),
    }
}
