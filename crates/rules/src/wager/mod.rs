//! The side wagers: which there are, when they are settled, and which line of which pay table a hand reaches.
//!
//! Each wager is a row ([`Side`]) of the text that has it and a `line` function in the file of its family; nothing here
//! moves money.

use crate::card::Card;
use crate::choice::{Choices, words};
use crate::clause::Clause;
use crate::odds::{Cents, Odds};

pub mod aces;
pub mod bonus;
pub mod dealer_bust;
pub mod own;
pub mod pairs;
pub mod sevens;
pub mod streak;
pub mod suits;
pub mod totals;
pub mod twenty;

words! {
    /// The side wagers by the name they have in a table file.
    SideWager {
        /// 2.17(a)1: the first two cards total more, or less, than 13.
        OverUnder13 = "over-under-13",
        /// 2.17(a)2: the first two cards are of one suit.
        SameSuit = "same-suit",
        /// 2.17(a)3: sevens among the first three cards.
        Sevens = "sevens",
        /// 2.19: a series of aces, for amounts or the meter.
        Progressive = "progressive",
        /// 2.20: a blackjack, for what the bonus button shows.
        BlackjackBonus = "blackjack-bonus",
        /// 2.22: two to five rounds won in a row.
        Streak = "streak",
        /// 2.23: the first two cards match the dealer's up card.
        MatchTheDealer = "match-the-dealer",
        /// 2.24: the first two cards count twenty.
        TwentyPoint = "twenty-point",
        /// 2.25, 26.6: the dealer goes over 21 with exactly three cards.
        DealerBust = "dealer-bust",
        /// 2A.6: cards of one rank among the four first cards of Switch.
        Match = "match",
        /// 36.6(a)1: the first two cards are royals of one suit, as its lines say.
        SuitedRoyals = "suited-royals",
        /// 36.6(a)2: the player's two first cards and the dealer's up card match.
        TripleMatch = "triple-match",
    }
}

/// When a side wager is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// On the initial cards, before any other card: 2.17(d)-(e), 2.23(e), 2A.7(e).
    Deal,
    /// After the dealer's face-down hole card and before any other card: 2.24(d).
    AfterHoleCard,
    /// Each player's before that player's decision: 36.7(f).
    Turn,
    /// At the decision of a player with two sevens, otherwise on the initial cards: 2.17(e).
    Decision,
    /// On the dealer's second or third card: 2.25(e), 26.6(d).
    DealerThirdCard,
    /// With the main wager: 2.19(h), 2.22(c).
    End,
    /// After all other wagers, by the bonus button: 2.20(f).
    Bonus,
}

/// A side wager as a text defines it.
#[derive(Clone, Copy)]
pub struct Side {
    /// The side wager that the clauses are about.
    pub wager: SideWager,
    /// The clause that lets the side wager be offered.
    pub by: Clause,
    /// The moment at which the side wager is decided.
    pub settles: Moment,
    /// The pay tables that the text has for the side wager.
    pub paytables: &'static [PayTable],
    /// Finds the clause that allows no other pay table at this number of decks.
    pub no_table: fn(u8) -> Clause,
    /// The clause that states the odds as a minimum, with the words "no less than"; the licensee may pay more.
    pub at_least: Option<Clause>,
    /// The clause that allows the side wager only beside a main wager.
    pub beside_main: Clause,
    /// The legal limits on the side wager's amount.
    pub amounts: Amounts,
    /// The clause that has the side wager placed with chips.
    pub chips: Clause,
    /// The clause that refuses an amount below the posted minimum.
    pub least: Clause,
    /// The clause that caps the side wager at the main wager, where the text says so.
    pub within_main: Option<Clause>,
    /// The clause that refuses an amount above the posted maximum.
    pub most: Clause,
    /// The clause under which the side wager loses.
    pub lost: Clause,
    /// The clause under which the side wager loses on the dealer's first two cards, where the text has a separate
    /// one.
    pub lost_on_two: Option<Clause>,
    /// The clause on the side wager's area on the layout.
    pub area: Clause,
    /// The clause on the sign with the side wager's limits.
    pub sign: Clause,
    /// The clause that pays only the highest of several results, with a sign that says so.
    pub once: Option<Clause>,
}

/// What the law says of the amounts of a side wager, beyond the limits that the table posts.
#[derive(Clone, Copy)]
pub enum Amounts {
    /// The law sets no amount.
    Any,
    /// The wager is one dollar: the clause, and its words for a refusal.
    OneDollar(Clause, &'static str),
    /// The wager is one dollar or more: the clause, and its words for a refusal.
    FromOneDollar(Clause, &'static str),
}

/// A pay table: a name, the deck counts that it is for (all if empty), and its lines, best first.
#[derive(Clone, Copy, Debug)]
pub struct PayTable {
    /// The pay table's name in a table file.
    pub name: &'static str,
    /// The numbers of decks that the pay table is for; all if empty.
    pub decks: &'static [u8],
    /// The pay table's lines, best first.
    pub lines: &'static [Line],
}

/// What a winning line pays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pays {
    /// Odds on the amount wagered.
    Odds(Odds),
    /// A fixed amount for the one dollar wager, 2.19(c).
    Amount(Cents),
    /// The progressive meter, 2.19(c).
    Meter,
    /// What the bonus button shows, 2.20(f).
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

/// One line of a pay table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// The combination, in the words of the text.
    pub hand: &'static str,
    /// What the line pays.
    pub pays: Pays,
    /// The clause that sets the pay of the line.
    pub by: Clause,
    /// The lines of the pay table whose odds this line adds up, as 2.23(a)2 pays each matching card.
    pub sum: &'static [usize],
}

impl Line {
    /// Returns a line that pays `pays` to 1.
    pub const fn odds(hand: &'static str, pays: u32, by: Clause) -> Line {
        Line { hand, pays: Pays::Odds(Odds::to_1(pays)), by, sum: &[] }
    }
}

/// What a side wager looks at.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The player's cards in the order dealt, as far as they belong to one series: the initial two (in Switch both
    /// hands' four: first cards of both hands, then second cards), then those drawn to the unsplit hand.
    pub cards: &'a [Card],
    /// The dealer's cards in the order dealt, the up card first.
    pub dealer: &'a [Card],
}

impl View<'_> {
    fn first_two(&self) -> Option<[Card; 2]> {
        self.cards.first_chunk().copied()
    }

    fn up(&self) -> Option<Card> {
        self.dealer.first().copied()
    }
}

/// A side wager as it is bet: over or under 13, and streaks of two to five, are bets of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SideBet {
    /// 2.17(b)1: the first two cards total more than 13.
    Over13,
    /// 2.17(b)2: they total less than 13.
    Under13,
    /// 2.17(b)3: they are of one suit.
    SameSuit,
    /// 2.17(b)4: there are sevens among the first three.
    Sevens,
    /// 2.19(c): a series of aces.
    Progressive,
    /// 2.20: a blackjack.
    BlackjackBonus,
    /// 2.22: two rounds won in a row.
    Streak2,
    /// 2.22: three in a row.
    Streak3,
    /// 2.22: four in a row.
    Streak4,
    /// 2.22: five in a row.
    Streak5,
    /// 2.23: cards of the rank of the dealer's up card.
    MatchTheDealer,
    /// 2.24: the first two cards count twenty.
    TwentyPoint,
    /// 2.25, 26.6: the dealer busts with three cards.
    DealerBust,
    /// 2A.6, MA 6: cards of one rank among the first four.
    Match,
    /// 36.6(a)1: royals of one suit.
    SuitedRoyals,
    /// 36.6(a)2: three cards that match.
    TripleMatch,
}

impl SideBet {
    /// Every bet, in the order of the texts.
    pub const ALL: [SideBet; 16] = [
        SideBet::Over13,
        SideBet::Under13,
        SideBet::SameSuit,
        SideBet::Sevens,
        SideBet::Progressive,
        SideBet::BlackjackBonus,
        SideBet::Streak2,
        SideBet::Streak3,
        SideBet::Streak4,
        SideBet::Streak5,
        SideBet::MatchTheDealer,
        SideBet::TwentyPoint,
        SideBet::DealerBust,
        SideBet::Match,
        SideBet::SuitedRoyals,
        SideBet::TripleMatch,
    ];

    /// Returns the bet's name in commands, documents and charts.
    pub const fn name(self) -> &'static str {
        match self {
            SideBet::Over13 => "over-13",
            SideBet::Under13 => "under-13",
            SideBet::Streak2 => "streak-2",
            SideBet::Streak3 => "streak-3",
            SideBet::Streak4 => "streak-4",
            SideBet::Streak5 => "streak-5",
            other => other.wager().word(),
        }
    }

    /// Returns the bet of this name.
    pub fn from_name(name: &str) -> Option<SideBet> {
        SideBet::ALL.into_iter().find(|bet| bet.name() == name)
    }

    /// Returns the side wager of a table file that the bet belongs to.
    pub const fn wager(self) -> SideWager {
        match self {
            SideBet::Over13 | SideBet::Under13 => SideWager::OverUnder13,
            SideBet::SameSuit => SideWager::SameSuit,
            SideBet::Sevens => SideWager::Sevens,
            SideBet::Progressive => SideWager::Progressive,
            SideBet::BlackjackBonus => SideWager::BlackjackBonus,
            SideBet::Streak2 | SideBet::Streak3 | SideBet::Streak4 | SideBet::Streak5 => SideWager::Streak,
            SideBet::MatchTheDealer => SideWager::MatchTheDealer,
            SideBet::TwentyPoint => SideWager::TwentyPoint,
            SideBet::DealerBust => SideWager::DealerBust,
            SideBet::Match => SideWager::Match,
            SideBet::SuitedRoyals => SideWager::SuitedRoyals,
            SideBet::TripleMatch => SideWager::TripleMatch,
        }
    }

    /// Returns how many hands in a row a streak wager needs.
    pub const fn streak(self) -> Option<u8> {
        match self {
            SideBet::Streak2 => Some(2),
            SideBet::Streak3 => Some(3),
            SideBet::Streak4 => Some(4),
            SideBet::Streak5 => Some(5),
            _ => None,
        }
    }

    /// Returns the best line that the cards reach, at the table's odds; `None` if the bet loses.
    ///
    /// Streaks depend on rounds, not cards, and have [`streak::effect`] instead.
    pub fn line(self, choices: &Choices, view: &View<'_>) -> Option<Line> {
        if self == SideBet::Match {
            return pairs::match_wager(
                &own::lines(choices, SideWager::Match),
                view.cards.first_chunk().copied()?,
            );
        }
        self.least_line(choices, view).map(|line| own::paid(choices, self.wager(), line))
    }

    /// The line with the odds that the law has for it.
    fn least_line(self, choices: &Choices, view: &View<'_>) -> Option<Line> {
        let paytable = paytable(choices, self.wager());
        match self {
            SideBet::Over13 => totals::over_13(view.first_two()?),
            SideBet::Under13 => totals::under_13(view.first_two()?),
            SideBet::SameSuit => suits::same_suit(paytable?, view.first_two()?),
            SideBet::Sevens => sevens::sevens(choices.rulings.lone_seven, view.cards),
            SideBet::Progressive => aces::progressive(view.cards),
            SideBet::BlackjackBonus => bonus::blackjack_bonus(view.first_two()?),
            SideBet::MatchTheDealer => pairs::match_the_dealer(paytable?, view.first_two()?, view.up()?),
            SideBet::TwentyPoint => twenty::twenty_point(
                paytable?,
                choices.rulings.ace_nine_twenty,
                view.first_two()?,
                view.dealer,
            ),
            SideBet::DealerBust => dealer_bust::dealer_bust(paytable?, view.dealer),
            SideBet::SuitedRoyals => suits::suited_royals(paytable?, view.first_two()?),
            SideBet::TripleMatch => pairs::triple_match(paytable?, view.first_two()?, view.up()?),
            SideBet::Match | SideBet::Streak2 | SideBet::Streak3 | SideBet::Streak4 | SideBet::Streak5 => {
                None
            }
        }
    }
}

impl SideWager {
    /// Returns the bets that this wager offers.
    pub fn bets(self) -> impl Iterator<Item = SideBet> {
        SideBet::ALL.into_iter().filter(move |bet| bet.wager() == self)
    }
}

/// Returns the pay table in use: the one named, among those for the deck count; the first of these if none is
/// named.
pub fn paytable(choices: &Choices, wager: SideWager) -> Option<&'static PayTable> {
    let offer = choices.offer(wager)?;
    let fits = |table: &&PayTable| table.decks.is_empty() || table.decks.contains(&choices.decks);
    let mut fitting = choices.text().side(wager)?.paytables.iter().filter(fits);
    match &offer.paytable {
        Some(name) => fitting.find(|table| table.name == name),
        None => fitting.next(),
    }
}
