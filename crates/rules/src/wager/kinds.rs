//! The side bets of all regulations, each defined by one row.
//!
//! The tables, the solver, the simulator, the documents and the server read these rows, and have no code for a
//! particular side bet.

use super::{
    PayLine, View, aces, bonus, dealer_bust, own, pairs, paytable, sevens, streak, suits, totals, twenty,
};
use crate::card::Card;
use crate::choice::{Choices, SideOffer};
use crate::odds::Cents;

/// A side bet, as a table file names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SideWager {
    /// The bets that the player's first two cards total more, or less, than 13 (2.17(a)1).
    OverUnder13,
    /// The bet that the player's first two cards are of one suit (2.17(a)2).
    SameSuit,
    /// The bet that the player's first cards, up to three, include sevens (2.17(a)3).
    Sevens,
    /// The bet that the player's first cards are aces; it wins an amount or the progressive meter (2.19).
    Progressive,
    /// The bet that the player has a blackjack; it wins the amount that the bonus button shows (2.20).
    BlackjackBonus,
    /// The bets that the player wins two, three, four or five rounds in a row (2.22).
    Streak,
    /// The bet that the player's first two cards match the dealer's upcard (2.23).
    MatchTheDealer,
    /// The bet that the player's first two cards count twenty (2.24).
    TwentyPoint,
    /// The bet that the dealer busts with exactly three cards (2.25, 26.6).
    DealerBust,
    /// The bet that the four cards of a Switch box include cards of one rank (2A.6).
    Match,
    /// The bet that the player's first two cards are of one suit, with higher payouts for royals (36.6(a)1).
    SuitedRoyals,
    /// The bet that ranks match among the player's first two cards and the dealer's upcard (36.6(a)2).
    TripleMatch,
    /// A side bet that exists in only one regulation, which defines it ([`super::Extras::own`]).
    Own,
}

/// A bet that a player can place on a side bet.
///
/// Over 13 and under 13, for example, are two bets of one side bet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SideBet {
    /// The bet that the player's first two cards total more than 13 (2.17(b)1).
    Over13,
    /// The bet that the player's first two cards total less than 13 (2.17(b)2).
    Under13,
    /// The bet that the player's first two cards are of one suit (2.17(b)3).
    SameSuit,
    /// The bet that the player's first cards, up to three, include sevens (2.17(b)4).
    Sevens,
    /// The bet that the player's first cards are aces (2.19(c)).
    Progressive,
    /// The bet that the player has a blackjack (2.20).
    BlackjackBonus,
    /// The bet that the player wins two rounds in a row (2.22).
    Streak2,
    /// The bet that the player wins three rounds in a row (2.22).
    Streak3,
    /// The bet that the player wins four rounds in a row (2.22).
    Streak4,
    /// The bet that the player wins five rounds in a row (2.22).
    Streak5,
    /// The bet that the player's first two cards include the rank of the dealer's upcard (2.23).
    MatchTheDealer,
    /// The bet that the player's first two cards count twenty (2.24).
    TwentyPoint,
    /// The bet that the dealer busts with exactly three cards (2.25, 26.6).
    DealerBust,
    /// The bet that the four cards of a Switch box include cards of one rank (2A.6, MA 6).
    Match,
    /// The bet that the player's first two cards are of one suit, with higher payouts for royals (36.6(a)1).
    SuitedRoyals,
    /// The bet that ranks match among the player's first two cards and the dealer's upcard (36.6(a)2).
    TripleMatch,
    /// The bet of a side bet that exists in only one regulation.
    Own,
}

/// The cards or results of rounds that decide a side bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// The bet depends on the player's first two cards.
    Two,
    /// The bet depends on the player's first two cards and the dealer's upcard.
    TwoAndUp,
    /// The bet depends on the four cards of both hands at a Switch box.
    Four,
    /// The bet depends on the dealer's first three cards.
    DealerThree,
    /// The bet depends on the player's first two cards, and on whether the dealer has a blackjack.
    TwoAndBlackjack,
    /// The bet depends on the player's first two cards and, if both are sevens, on the third.
    Sevens,
    /// The bet depends on the player's consecutive aces from the first card on, up to four.
    Aces,
    /// The bet depends on the results of this many consecutive rounds.
    Streak(u8),
}

/// What determines the payout of a side bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prize {
    /// The odds of the paytable determine the payout.
    Odds,
    /// The paytable determines the payout, except that its best line pays the progressive meter (2.19).
    Meter,
    /// The amount that a bonus button shows is the payout (2.20).
    Button,
}

/// The definition of a side bet: its names, its bets and what decides them.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The side bet that this row defines.
    pub wager: SideWager,
    /// The side bet's name in table files, such as `match-the-dealer`.
    pub word: &'static str,
    /// The side bet's name for players, such as `Match the Dealer`.
    pub title: &'static str,
    /// The bets that a player can place on the side bet.
    pub bets: &'static [Bet],
    /// The function that returns the class of a card; the side bet treats cards of one class alike.
    pub class: fn(Card) -> u8,
    /// Whether the payout depends only on the cards' point values, and not on their suits and ranks.
    pub by_values: bool,
    /// What determines the payout of the side bet.
    pub prize: Prize,
    /// The table file keys that only this side bet has.
    pub keys: &'static [&'static str],
    /// The maximum bet if the table file states none.
    pub maximum: Cents,
}

/// A bet that a player can place, and the cards or results that decide it.
#[derive(Clone, Copy, Debug)]
pub struct Bet {
    /// The bet that this row defines.
    pub bet: SideBet,
    /// The bet's name in commands, documents and charts, such as `over-13`.
    pub name: &'static str,
    /// The cards or results of rounds that decide the bet.
    pub sees: Sees,
    /// The function that returns the best paytable line for the cards, or `None` for a loss.
    ///
    /// The line may have the odds of the regulation; [`SideBet::line`] replaces them by the table's own odds.
    pub line: fn(&Choices, &View<'_>) -> Option<PayLine>,
}

impl Kind {
    /// Returns a side bet with a single bet, which pays the odds of its paytable.
    pub(super) const fn plain(
        wager: SideWager,
        word: &'static str,
        title: &'static str,
        bets: &'static [Bet],
        class: fn(Card) -> u8,
    ) -> Kind {
        Kind {
            wager,
            word,
            title,
            bets,
            class,
            by_values: false,
            prize: Prize::Odds,
            keys: &[],
            maximum: Cents::dollars(25),
        }
    }
}

/// The row for side bets that exist in only one regulation; the regulation has their name and paytable lines.
const OWN: Kind = Kind::plain(
    SideWager::Own,
    "own",
    "Own bet",
    &[Bet {
        bet: SideBet::Own,
        name: "own",
        sees: Sees::TwoAndUp,
        line: |choices, view| {
            let own = choices.text().side(SideWager::Own)?.extras.own?;
            (own.line)(paytable(choices, SideWager::Own)?, view)
        },
    }],
    Card::index,
);

/// The side bets, in the order of [`SideWager`].
///
/// The last row is for side bets that no regulation of the catalogue has.
const KINDS: [Kind; 13] = [
    totals::KIND,
    suits::SAME_SUIT_KIND,
    sevens::KIND,
    aces::KIND,
    bonus::KIND,
    streak::KIND,
    pairs::MATCH_THE_DEALER_KIND,
    twenty::KIND,
    dealer_bust::KIND,
    pairs::MATCH_KIND,
    suits::SUITED_ROYALS_KIND,
    pairs::TRIPLE_MATCH_KIND,
    OWN,
];

/// The number of side bets that regulations of the catalogue have.
const LISTED: usize = KINDS.len() - 1;

const COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < KINDS.len() {
        count += KINDS[at].bets.len();
        at += 1;
    }
    count
};

/// Every bet, with the side bet that it belongs to, in the order of [`SideBet`].
const BETS: [(Bet, SideWager); COUNT] = {
    let mut bets = [(KINDS[0].bets[0], KINDS[0].wager); COUNT];
    let (mut kind, mut at) = (0, 0);
    while kind < KINDS.len() {
        // the numbers of the enums are the places in these lists
        assert!(KINDS[kind].wager as usize == kind);
        let mut place = 0;
        while place < KINDS[kind].bets.len() {
            bets[at] = (KINDS[kind].bets[place], KINDS[kind].wager);
            assert!(bets[at].0.bet as usize == at);
            (place, at) = (place + 1, at + 1);
        }
        kind += 1;
    }
    bets
};

static KIND_ROWS: [Kind; KINDS.len()] = KINDS;
static BET_ROWS: [(Bet, SideWager); COUNT] = BETS;

impl SideWager {
    /// The side bets of the catalogue's regulations, in the order of the regulations.
    pub const ALL: &'static [SideWager] = &{
        let (mut all, mut at) = ([SideWager::OverUnder13; LISTED], 0);
        while at < all.len() {
            all[at] = KINDS[at].wager;
            at += 1;
        }
        all
    };

    /// The side bets' names in table files, in the order of `ALL`.
    pub const WORDS: &'static [&'static str] = &{
        let (mut words, mut at) = ([""; LISTED], 0);
        while at < words.len() {
            words[at] = KINDS[at].word;
            at += 1;
        }
        words
    };

    /// Returns the definition of the side bet.
    #[inline]
    pub fn kind(self) -> &'static Kind {
        &KIND_ROWS[self as usize]
    }

    /// Returns the side bet's name in a table file.
    pub const fn word(self) -> &'static str {
        KIND_ROWS[self as usize].word
    }

    /// Returns the side bet with this name in a table file, or `None` if the name is unknown.
    pub fn from_word(word: &str) -> Option<SideWager> {
        KIND_ROWS.iter().find(|kind| kind.word == word).map(|kind| kind.wager)
    }

    /// Returns the bets that a player can place on this side bet.
    pub fn bets(self) -> impl Iterator<Item = SideBet> {
        self.kind().bets.iter().map(|row| row.bet)
    }

    /// Returns the side bet that alone has this table file key, or `None` if none has it.
    pub fn with_key(key: &str) -> Option<SideWager> {
        KIND_ROWS.iter().find(|kind| kind.keys.contains(&key)).map(|kind| kind.wager)
    }
}

impl SideBet {
    /// The number of bets, including the bet that exists in only one regulation.
    pub const COUNT: usize = COUNT;

    /// Every bet of the catalogue's regulations, in the order of the regulations.
    pub const ALL: [SideBet; COUNT - OWN.bets.len()] = {
        let (mut all, mut at) = ([SideBet::Over13; COUNT - OWN.bets.len()], 0);
        while at < all.len() {
            all[at] = BETS[at].0.bet;
            at += 1;
        }
        all
    };

    #[inline]
    fn row(self) -> &'static (Bet, SideWager) {
        &BET_ROWS[self as usize]
    }

    /// Returns the bet's name in commands, documents and charts.
    pub const fn name(self) -> &'static str {
        BET_ROWS[self as usize].0.name
    }

    /// Returns the bet with this name, or `None` if the name is unknown.
    pub fn from_name(name: &str) -> Option<SideBet> {
        BET_ROWS.iter().find(|(bet, _)| bet.name == name).map(|(bet, _)| bet.bet)
    }

    /// Returns the side bet that the bet belongs to.
    pub const fn wager(self) -> SideWager {
        BET_ROWS[self as usize].1
    }

    /// Returns the definition of the side bet that the bet belongs to.
    #[inline]
    pub fn kind(self) -> &'static Kind {
        self.wager().kind()
    }

    /// Returns the cards or results of rounds that decide the bet.
    #[inline]
    pub fn sees(self) -> Sees {
        self.row().0.sees
    }

    /// Returns how many rounds in a row a streak bet must win, or `None` for other bets.
    pub fn streak(self) -> Option<u8> {
        match self.sees() {
            Sees::Streak(hands) => Some(hands),
            _ => None,
        }
    }

    /// Returns the best paytable line that the cards reach, at the table's odds, or `None` for a loss.
    ///
    /// Returns `None` for streak bets, which depend on rounds and not on cards; [`streak::effect`] decides them.
    pub fn line(self, choices: &Choices, view: &View<'_>) -> Option<PayLine> {
        let (bet, wager) = self.row();
        (bet.line)(choices, view).map(|line| own::paid(choices, *wager, line))
    }
}

impl Choices {
    /// Returns the side bets that players can place at the table, in the order of the regulations.
    #[inline]
    pub fn side_bets(&self) -> impl Iterator<Item = SideBet> {
        self.side_wagers.keys().flat_map(|wager| wager.bets())
    }

    /// Returns the first bet whose payout `prize` determines, with its terms, or `None` if the table offers none.
    #[inline]
    pub fn bet_for(&self, prize: Prize) -> Option<(SideBet, &SideOffer)> {
        let (wager, offer) = self.side_wagers.iter().find(|(wager, _)| wager.kind().prize == prize)?;
        Some((wager.kind().bets.first()?.bet, offer))
    }

    /// Returns whether the table offers a streak bet, which depends on several rounds.
    #[inline]
    pub fn has_streaks(&self) -> bool {
        self.side_wagers.keys().any(|wager| wager.bets().any(|bet| bet.streak().is_some()))
    }
}

/// Returns what the function `line` returns for the table's paytable and the player's first two cards.
///
/// Returns `None` if the side bet has no paytable at this table, or if a card is missing.
pub(super) fn of_two(
    choices: &Choices,
    wager: SideWager,
    view: &View<'_>,
    line: impl Fn(&super::PayTable, [Card; 2]) -> Option<PayLine>,
) -> Option<PayLine> {
    line(paytable(choices, wager)?, view.first_two()?)
}
