//! The side bets as all texts define them: one row each. The tables, the solver, the simulator, the documents
//! and the server read the row; none of them asks which side bet it is.

use super::{
    PayLine, View, aces, bonus, dealer_bust, own, pairs, paytable, sevens, streak, suits, totals, twenty,
};
use crate::card::Card;
use crate::choice::{Choices, SideOffer};
use crate::odds::Cents;

/// The side bets by the name they have in a table file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SideWager {
    /// 2.17(a)1: the first two cards total more, or less, than 13.
    OverUnder13,
    /// 2.17(a)2: the first two cards are of one suit.
    SameSuit,
    /// 2.17(a)3: sevens among the first three cards.
    Sevens,
    /// 2.19: a series of aces, for amounts or the meter.
    Progressive,
    /// 2.20: a blackjack, for the amount that the bonus button shows.
    BlackjackBonus,
    /// 2.22: two to five rounds won in a row.
    Streak,
    /// 2.23: the first two cards match the dealer's upcard.
    MatchTheDealer,
    /// 2.24: the first two cards count twenty.
    TwentyPoint,
    /// 2.25, 26.6: the dealer busts with exactly three cards.
    DealerBust,
    /// 2A.6: cards of one rank among the first four cards of Switch.
    Match,
    /// 36.6(a)1: the first two cards are suited, with higher lines for royals.
    SuitedRoyals,
    /// 36.6(a)2: the player's first two cards and the dealer's upcard match.
    TripleMatch,
    /// The side bet that only its text knows; the text's row says what it is ([`super::Extras::own`]).
    Own,
}

/// A side bet as placed: over or under 13, and streaks of two to five, are separate bets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SideBet {
    /// 2.17(b)1: the first two cards total more than 13.
    Over13,
    /// 2.17(b)2: the first two cards total less than 13.
    Under13,
    /// 2.17(b)3: the first two cards are of one suit.
    SameSuit,
    /// 2.17(b)4: sevens among the first three cards.
    Sevens,
    /// 2.19(c): a series of aces.
    Progressive,
    /// 2.20: a blackjack.
    BlackjackBonus,
    /// 2.22: two rounds won in a row.
    Streak2,
    /// 2.22: three rounds won in a row.
    Streak3,
    /// 2.22: four rounds won in a row.
    Streak4,
    /// 2.22: five rounds won in a row.
    Streak5,
    /// 2.23: cards of the rank of the dealer's upcard.
    MatchTheDealer,
    /// 2.24: the first two cards count twenty.
    TwentyPoint,
    /// 2.25, 26.6: the dealer busts with three cards.
    DealerBust,
    /// 2A.6, MA 6: cards of one rank among the first four.
    Match,
    /// 36.6(a)1: royals of one suit.
    SuitedRoyals,
    /// 36.6(a)2: three matching cards.
    TripleMatch,
    /// The bet that only its text knows.
    Own,
}

/// The cards that decide a side bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// The player's first two cards.
    Two,
    /// The player's first two cards and the upcard.
    TwoAndUp,
    /// The four cards of a Switch box.
    Four,
    /// The dealer's first three cards.
    DealerThree,
    /// The player's first two cards, and whether the dealer has a blackjack.
    TwoAndBlackjack,
    /// The player's first two cards and, after two sevens, the third.
    Sevens,
    /// Consecutive aces starting with the first card, up to four.
    Aces,
    /// The results of this many consecutive rounds.
    Streak(u8),
}

/// Where the payoff of a side bet comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prize {
    /// The odds of the paytable.
    Odds,
    /// The paytable and a progressive meter: 2.19.
    Meter,
    /// The amount that a button shows: 2.20.
    Button,
}

/// A side bet as a table file names it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The side bet.
    pub wager: SideWager,
    /// The name in table files.
    pub word: &'static str,
    /// The name as a player reads it.
    pub title: &'static str,
    /// The bets that a player can place.
    pub bets: &'static [Bet],
    /// Returns a number for what the bets distinguish about a card.
    pub class: fn(Card) -> u8,
    /// Whether the odds depend only on the point values of the cards, not on suits or ranks of ten value.
    pub by_values: bool,
    /// Where the payoff comes from.
    pub prize: Prize,
    /// The keys of a table file that only this side bet has.
    pub keys: &'static [&'static str],
    /// The maximum in a table file that states none.
    pub maximum: Cents,
}

/// A bet as a player places it.
#[derive(Clone, Copy, Debug)]
pub struct Bet {
    /// The bet.
    pub bet: SideBet,
    /// The name in commands, documents and charts.
    pub name: &'static str,
    /// The cards that decide the bet.
    pub sees: Sees,
    /// Returns the best line that the cards reach, at the odds of the text; `None` if the bet loses.
    pub line: fn(&Choices, &View<'_>) -> Option<PayLine>,
}

impl Kind {
    /// A side bet with one bet on the odds of its paytable.
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

/// The side bet that only its text knows: the text's row has its name and its lines.
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

/// The side bets, in the order of [`SideWager`]. The last one belongs to no text of the catalogue.
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

/// The number of side bets of the catalogue's texts.
const LISTED: usize = KINDS.len() - 1;

const COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < KINDS.len() {
        count += KINDS[at].bets.len();
        at += 1;
    }
    count
};

/// The bets with their side bets, in the order of [`SideBet`].
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
    /// Lists the side bets of the catalogue's texts, in their order.
    pub const ALL: &'static [SideWager] = &{
        let (mut all, mut at) = ([SideWager::OverUnder13; LISTED], 0);
        while at < all.len() {
            all[at] = KINDS[at].wager;
            at += 1;
        }
        all
    };

    /// Lists the names in table files, in the order of `ALL`.
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

    /// Returns the name in a table file.
    pub const fn word(self) -> &'static str {
        KIND_ROWS[self as usize].word
    }

    /// Returns the side bet of this name.
    pub fn from_word(word: &str) -> Option<SideWager> {
        KIND_ROWS.iter().find(|kind| kind.word == word).map(|kind| kind.wager)
    }

    /// Returns the bets that this side bet offers.
    pub fn bets(self) -> impl Iterator<Item = SideBet> {
        self.kind().bets.iter().map(|row| row.bet)
    }

    /// Returns the side bet that alone has this key of a table file.
    pub fn with_key(key: &str) -> Option<SideWager> {
        KIND_ROWS.iter().find(|kind| kind.keys.contains(&key)).map(|kind| kind.wager)
    }
}

impl SideBet {
    /// The number of bets, with the one that only its text knows.
    pub const COUNT: usize = COUNT;

    /// Every bet of the catalogue's texts, in their order.
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

    /// Returns the bet of this name.
    pub fn from_name(name: &str) -> Option<SideBet> {
        BET_ROWS.iter().find(|(bet, _)| bet.name == name).map(|(bet, _)| bet.bet)
    }

    /// Returns the side bet to which this bet belongs, as a table file names it.
    pub const fn wager(self) -> SideWager {
        BET_ROWS[self as usize].1
    }

    /// Returns the definition of the side bet to which this bet belongs.
    #[inline]
    pub fn kind(self) -> &'static Kind {
        self.wager().kind()
    }

    /// Returns the cards that decide the bet.
    #[inline]
    pub fn sees(self) -> Sees {
        self.row().0.sees
    }

    /// Returns how many hands in a row a streak bet needs.
    pub fn streak(self) -> Option<u8> {
        match self.sees() {
            Sees::Streak(hands) => Some(hands),
            _ => None,
        }
    }

    /// Returns the best line that the cards reach, at the table's odds; `None` if the bet loses.
    ///
    /// Streaks depend on rounds, not cards, and have [`streak::effect`] instead.
    pub fn line(self, choices: &Choices, view: &View<'_>) -> Option<PayLine> {
        let (bet, wager) = self.row();
        (bet.line)(choices, view).map(|line| own::paid(choices, *wager, line))
    }
}

impl Choices {
    /// Returns the bets that the table offers, in the order of the texts.
    #[inline]
    pub fn side_bets(&self) -> impl Iterator<Item = SideBet> {
        self.side_wagers.keys().flat_map(|wager| wager.bets())
    }

    /// Returns the bet whose payoff comes from a meter or a button, with the table's offer of it.
    #[inline]
    pub fn bet_for(&self, prize: Prize) -> Option<(SideBet, &SideOffer)> {
        let (wager, offer) = self.side_wagers.iter().find(|(wager, _)| wager.kind().prize == prize)?;
        Some((wager.kind().bets.first()?.bet, offer))
    }

    /// Returns whether the table offers a side bet on the results of several rounds.
    #[inline]
    pub fn has_streaks(&self) -> bool {
        self.side_wagers.keys().any(|wager| wager.bets().any(|bet| bet.streak().is_some()))
    }
}

/// Asks a bet on the player's first two cards.
pub(super) fn of_two(
    choices: &Choices,
    wager: SideWager,
    view: &View<'_>,
    line: impl Fn(&super::PayTable, [Card; 2]) -> Option<PayLine>,
) -> Option<PayLine> {
    line(paytable(choices, wager)?, view.first_two()?)
}
