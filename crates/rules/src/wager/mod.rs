//! The side bets: which ones exist, when they are settled, and which paytable line a hand reaches.
//!
//! Each side bet is a row ([`Side`]) of its regulation. The file of its family has the function that finds its
//! paytable line. Nothing here moves money.

use crate::card::Card;
use crate::choice::Choices;
use crate::clause::Clause;
use crate::odds::{Cents, Odds};
use crate::text::values::Requirement;

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

/// The moment at which a side bet is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The bet is decided on the initial cards, before any other card is dealt (2.17(d)-(e), 2.23(e), 2A.7(e)).
    Deal,
    /// The bet is decided after the face-down hole card is dealt, and before any other card (2.24(d)).
    AfterHoleCard,
    /// The bet is decided at the start of the player's turn, before any decision (36.7(f)).
    Turn,
    /// The bet is decided on the initial cards or, if they are two sevens, at the player's decision (2.17(e)).
    Decision,
    /// The bet is decided on the dealer's second or third card (2.25(e), 26.6(d)).
    DealerThirdCard,
    /// The bet is decided together with the main bet (2.19(h), 2.22(c)).
    End,
    /// The bet is decided after all other bets, with the bonus button (2.20(f)).
    Bonus,
}

/// A side bet as a regulation defines it.
#[derive(Clone, Copy)]
pub struct Side {
    /// The side bet that this row defines.
    pub wager: SideWager,
    /// The clause that lets the side bet be offered.
    pub by: Clause,
    /// The moment at which the side bet is decided.
    pub settles: Moment,
    /// The regulation's paytables for the side bet.
    pub paytables: &'static [PayTable],
    /// The function that returns, for a number of decks, the clause on the side bet's paytables.
    ///
    /// This clause rejects every paytable that the regulation does not list.
    pub no_table: fn(u8) -> Clause,
    /// The clause that states the odds as a minimum ("no less than"), so that the licensee may pay more.
    ///
    /// `None` if the regulation fixes the odds.
    pub at_least: Option<Clause>,
    /// The clause that allows the side bet only together with a main bet.
    pub beside_main: Clause,
    /// The legal limits on the amount of the side bet, apart from the posted limits.
    pub amounts: Amounts,
    /// The clause that requires the side bet to be placed with chips.
    pub chips: Clause,
    /// The clause that refuses an amount below the posted minimum.
    pub least: Clause,
    /// The clause that limits the side bet to the amount of the main bet, if there is one.
    pub within_main: Option<Clause>,
    /// The clause that refuses an amount above the posted maximum.
    pub most: Clause,
    /// The clause under which the side bet loses.
    pub lost: Clause,
    /// The clause on the side bet's area on the layout.
    pub area: Clause,
    /// The clause on the sign that posts the side bet's limits.
    pub sign: Clause,
    /// The clause under which only the highest line is paid and a sign must say so, if there is one.
    pub highest_line_only: Option<Clause>,
    /// The terms that only a few side bets have.
    pub extras: Extras,
}

/// The terms that only a few side bets have.
#[derive(Clone, Copy)]
pub struct Extras {
    /// The requirements that must be met before the side bet is offered.
    pub asks: &'static [Requirement],
    /// The cards that make the side bet lose under a clause of their own.
    pub lost_on: &'static [LostOn],
    /// The clause that permits a player only one of the side bet's several bets, if there is one.
    pub one_of: Option<Clause>,
    /// The clause that requires the dealer to announce "no more bets", if there is one.
    pub no_more_bets: Option<Clause>,
    /// The limit on the total payments for one paytable line, if there is one.
    pub cap: Option<Cap>,
    /// The clause that requires notice before the side bet is withdrawn, if there is one.
    pub withdrawn: Option<Clause>,
    /// The clause that requires notice before the paytable is changed, if there is one.
    pub changed: Option<Clause>,
    /// The definition of a [`SideWager::Own`] bet, or `None` for every other side bet.
    pub own: Option<OwnBet>,
    /// The clause that requires tables with the same number of decks to use the same paytable, if there is one.
    pub same_paytable: Option<Clause>,
    /// The clause that requires a supervisor's approval before a payment, if there is one.
    pub approved: Option<Clause>,
    /// The clauses on the dealer's steps for a progressive bet, or `None` for other side bets.
    pub meter: Option<MeterSteps>,
    /// The clauses on the dealer's steps for a bonus button bet, or `None` for other side bets.
    pub button: Option<ButtonSteps>,
}

/// The clauses on the dealer's steps for a progressive bet (2.19).
#[derive(Clone, Copy)]
pub struct MeterSteps {
    /// The clause on the light that shows a progressive bet.
    pub light_on: Clause,
    /// The clause that requires the dealer to compare the chips with the lights.
    pub counted: Clause,
    /// The clause that requires the bets to be added to the meter.
    pub raised: Clause,
    /// The clause that requires the dealer to verify the winning cards.
    pub cards: Clause,
    /// The clause that requires the dealer to verify the light of the winning bet.
    pub light: Clause,
    /// The clause on resetting the meter after a win.
    pub reset: Clause,
}

/// The clauses on the dealer's steps for a bet whose award a bonus button shows (2.20).
#[derive(Clone, Copy)]
pub struct ButtonSteps {
    /// The clause that requires the winning cards to be placed under the bet.
    pub cards_under_bet: Clause,
    /// The clause that requires the button to be placed in front of the player.
    pub placed: Clause,
    /// The clause under which the player presses the button, which shows the award.
    pub shown: Clause,
    /// The clause that lists the awards.
    pub listed: Clause,
    /// The clause that requires the dealer to verify the winning cards.
    pub cards: Clause,
    /// The clause that requires the dealer to verify the amount that the button shows.
    pub amount: Clause,
    /// The clause that requires the dealer to announce a small award.
    pub announced: Clause,
    /// The clause that requires the award to be paid.
    pub paid: Clause,
    /// The clause that requires the winning cards to be picked up after the payment.
    pub picked_up: Clause,
}

impl Extras {
    /// The terms of a side bet without special terms.
    pub const NONE: Extras = Extras {
        asks: &[],
        lost_on: &[],
        one_of: None,
        no_more_bets: None,
        cap: None,
        withdrawn: None,
        changed: None,
        own: None,
        same_paytable: None,
        approved: None,
        meter: None,
        button: None,
    };
}

/// The definition of a side bet that exists in only one regulation.
///
/// The player's first two cards and the dealer's upcard decide the bet.
#[derive(Clone, Copy)]
pub struct OwnBet {
    /// The side bet's name, as players read it.
    pub title: &'static str,
    /// The function that returns the best paytable line for the cards, or `None` for a loss.
    pub line: fn(&PayTable, &View<'_>) -> Option<PayLine>,
}

impl Side {
    /// Returns the side bet's name, as players read it.
    pub fn title(&self) -> &'static str {
        self.extras.own.map_or(self.wager.kind().title, |own| own.title)
    }
}

/// Cards that make a side bet lose under a clause of their own.
#[derive(Clone, Copy)]
pub struct LostOn {
    /// The function that returns whether the cards make the side bet lose.
    pub is: fn(&View<'_>) -> bool,
    /// The clause under which these cards make the side bet lose.
    pub by: Clause,
}

/// A limit on the total payments for one paytable line in a round (2.24(h)).
#[derive(Clone, Copy)]
pub struct Cap {
    /// The clause of the paytable line that is limited.
    pub line: Clause,
    /// The clause on the sign that posts the limit.
    pub sign: Clause,
    /// The clause that requires notice before the limit is decreased.
    pub decreased: Clause,
}

/// The amounts that a regulation allows for a side bet, apart from the table's posted limits.
#[derive(Clone, Copy)]
pub enum Amounts {
    /// Any amount is legal, because the regulation sets no limit.
    Any,
    /// The bet is exactly one dollar. The fields are the clause and the bet's name, for a refusal.
    OneDollar(Clause, &'static str),
    /// The bet is one dollar or more. The fields are the clause and the bet's name, for a refusal.
    FromOneDollar(Clause, &'static str),
}

/// A paytable of a side bet, for some or all numbers of decks.
#[derive(Clone, Copy, Debug)]
pub struct PayTable {
    /// The paytable's name in a table file.
    pub name: &'static str,
    /// The numbers of decks with which the paytable may be used, or empty for every number.
    pub decks: &'static [u8],
    /// The paytable's lines, with the best first.
    pub lines: &'static [PayLine],
}

/// What a winning line of a paytable pays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pays {
    /// The line pays these odds on the bet.
    Odds(Odds),
    /// The line pays a fixed amount for the one dollar bet (2.19(c)).
    Amount(Cents),
    /// The line pays the progressive meter (2.19(c)).
    Meter,
    /// The line pays the amount that the bonus button shows (2.20(f)).
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

/// A line of a paytable: a combination of cards and its payout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayLine {
    /// The combination of cards, in the words of the regulation.
    pub hand: &'static str,
    /// What the line pays.
    pub pays: Pays,
    /// The clause that sets what the line pays.
    pub by: Clause,
    /// The indices of the paytable lines whose odds this line adds up, or empty for a line with its own odds.
    ///
    /// 2.23(a)2, for example, pays for each matching card.
    pub sum: &'static [usize],
}

impl PayLine {
    /// Returns a paytable line that pays `pays` to 1 for the combination `hand`.
    pub const fn odds(hand: &'static str, pays: u32, by: Clause) -> PayLine {
        PayLine { hand, pays: Pays::Odds(Odds::to_1(pays)), by, sum: &[] }
    }
}

/// The cards on the table that decide a side bet.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The player's cards that count for side bets, in dealing order.
    ///
    /// These are the initial two, or in Switch the first cards of both hands and then their second cards, followed
    /// by the cards drawn to the unsplit hand.
    pub cards: &'a [Card],
    /// The dealer's cards in dealing order, the upcard first.
    pub dealer: &'a [Card],
}

impl View<'_> {
    /// Returns the player's first two cards, or `None` if there are fewer.
    pub fn first_two(&self) -> Option<[Card; 2]> {
        self.cards.first_chunk().copied()
    }

    /// Returns the dealer's upcard, or `None` if it has not been dealt.
    pub fn up(&self) -> Option<Card> {
        self.dealer.first().copied()
    }
}

/// Returns the paytable that the table uses for a side bet.
///
/// The paytable is the one that the offer names, or else the first for the table's number of decks. Returns `None`
/// if the bet is not offered or has no such paytable.
pub fn paytable(choices: &Choices, wager: SideWager) -> Option<&'static PayTable> {
    let offer = choices.offer(wager)?;
    let fits = |table: &&PayTable| table.decks.is_empty() || table.decks.contains(&choices.decks);
    let mut fitting = choices.text().side(wager)?.paytables.iter().filter(fits);
    match &offer.paytable {
        Some(name) => fitting.find(|table| table.name == name),
        None => fitting.next(),
    }
}
