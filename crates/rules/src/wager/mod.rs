//! The side wagers: which there are, when they are settled, and which line of which pay table a hand reaches.
//!
//! Each wager is a row of [`INFO`] and a `line` function in the file of its family; nothing here moves money.

use crate::card::Card;
use crate::choice::{Choices, Game, words};
use crate::clause::Clause;
use crate::odds::{Cents, Odds};

pub mod aces;
pub mod bonus;
pub mod dealer_bust;
pub mod pairs;
pub mod sevens;
pub mod streak;
pub mod suits;
pub mod totals;
pub mod twenty;

words! {
    /// The side wagers by the name they have in a table file.
    SideWager {
        OverUnder13 = "over-under-13",
        SameSuit = "same-suit",
        Sevens = "sevens",
        Progressive = "progressive",
        BlackjackBonus = "blackjack-bonus",
        Streak = "streak",
        MatchTheDealer = "match-the-dealer",
        TwentyPoint = "twenty-point",
        DealerBust = "dealer-bust",
        Match = "match",
        SuitedRoyals = "suited-royals",
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

/// The facts about a side wager that do not depend on the table.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    pub wager: SideWager,
    pub games: &'static [Game],
    /// The clause that lets it be offered.
    pub by: Clause,
    pub settles: Moment,
    pub paytables: &'static [PayTable],
}

/// A pay table: a name, the deck counts that it is for (all if empty), and its lines, best first.
#[derive(Clone, Copy, Debug)]
pub struct PayTable {
    pub name: &'static str,
    pub decks: &'static [u8],
    pub lines: &'static [Line],
}

/// What a winning line pays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pays {
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
    pub hand: &'static str,
    pub pays: Pays,
    pub by: Clause,
}

impl Line {
    pub(crate) const fn odds(hand: &'static str, pays: u32, by: Clause) -> Line {
        Line { hand, pays: Pays::Odds(Odds::to_1(pays)), by }
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
    Over13,
    Under13,
    SameSuit,
    Sevens,
    Progressive,
    BlackjackBonus,
    Streak2,
    Streak3,
    Streak4,
    Streak5,
    MatchTheDealer,
    TwentyPoint,
    DealerBust,
    Match,
    SuitedRoyals,
    TripleMatch,
}

impl SideBet {
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

    pub fn from_name(name: &str) -> Option<SideBet> {
        SideBet::ALL.into_iter().find(|bet| bet.name() == name)
    }

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

    /// How many hands in a row a streak wager needs.
    pub const fn streak(self) -> Option<u8> {
        match self {
            SideBet::Streak2 => Some(2),
            SideBet::Streak3 => Some(3),
            SideBet::Streak4 => Some(4),
            SideBet::Streak5 => Some(5),
            _ => None,
        }
    }

    /// The best line of the table's pay table that the cards reach; `None` if the wager loses.
    ///
    /// Streaks depend on rounds, not cards, and have [`streak::effect`] instead.
    pub fn line(self, choices: &Choices, view: &View<'_>) -> Option<Line> {
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
            SideBet::Match => pairs::match_wager(paytable?, view.cards.first_chunk().copied()?),
            SideBet::SuitedRoyals => suits::suited_royals(paytable?, view.first_two()?),
            SideBet::TripleMatch => pairs::triple_match(paytable?, view.first_two()?, view.up()?),
            SideBet::Streak2 | SideBet::Streak3 | SideBet::Streak4 | SideBet::Streak5 => None,
        }
    }
}

const BLACKJACK: &[Game] = &[Game::Blackjack];

/// Every side wager, in the order of the regulation.
pub static INFO: [Info; 12] = [
    Info {
        wager: SideWager::OverUnder13,
        games: BLACKJACK,
        by: clause!("19:47-2.17(a)1"),
        settles: Moment::Deal,
        paytables: totals::PAYTABLES,
    },
    Info {
        wager: SideWager::SameSuit,
        games: BLACKJACK,
        by: clause!("19:47-2.17(a)2"),
        settles: Moment::Deal,
        paytables: suits::SAME_SUIT,
    },
    Info {
        wager: SideWager::Sevens,
        games: BLACKJACK,
        by: clause!("19:47-2.17(a)3"),
        settles: Moment::Decision,
        paytables: sevens::PAYTABLES,
    },
    Info {
        wager: SideWager::Progressive,
        games: BLACKJACK,
        by: clause!("19:47-2.19(a)"),
        settles: Moment::End,
        paytables: aces::PAYTABLES,
    },
    Info {
        wager: SideWager::BlackjackBonus,
        games: BLACKJACK,
        by: clause!("19:47-2.20(a)"),
        settles: Moment::Bonus,
        paytables: bonus::PAYTABLES,
    },
    Info {
        wager: SideWager::Streak,
        games: BLACKJACK,
        by: clause!("19:47-2.22(a)"),
        settles: Moment::End,
        paytables: streak::PAYTABLES,
    },
    Info {
        wager: SideWager::MatchTheDealer,
        games: BLACKJACK,
        by: clause!("19:47-2.23(a)"),
        settles: Moment::Deal,
        paytables: pairs::MATCH_THE_DEALER,
    },
    Info {
        wager: SideWager::TwentyPoint,
        games: BLACKJACK,
        by: clause!("19:47-2.24(a)"),
        settles: Moment::AfterHoleCard,
        paytables: twenty::PAYTABLES,
    },
    Info {
        wager: SideWager::DealerBust,
        games: &[Game::Blackjack, Game::DoubleAttack],
        by: clause!("19:47-2.25(a)"),
        settles: Moment::DealerThirdCard,
        paytables: dealer_bust::BLACKJACK,
    },
    Info {
        wager: SideWager::Match,
        games: &[Game::Switch],
        by: clause!("19:47-2A.6(a)"),
        settles: Moment::Deal,
        paytables: pairs::MATCH,
    },
    Info {
        wager: SideWager::SuitedRoyals,
        games: &[Game::TripleAttack],
        by: clause!("19:47-36.6(a)1"),
        settles: Moment::Turn,
        paytables: suits::SUITED_ROYALS,
    },
    Info {
        wager: SideWager::TripleMatch,
        games: &[Game::TripleAttack],
        by: clause!("19:47-36.6(a)2"),
        settles: Moment::Turn,
        paytables: pairs::TRIPLE_MATCH,
    },
];

impl SideWager {
    pub fn info(self) -> &'static Info {
        &INFO[self as usize]
    }

    /// The clause that lets it be offered in this game.
    pub fn offered_by(self, game: Game) -> Clause {
        match (self, game) {
            (SideWager::DealerBust, Game::DoubleAttack) => clause!("19:47-26.6(a)"),
            _ => self.info().by,
        }
    }

    /// The clause by which a table of this game refuses the wager where it is not offered: 2A.5(i) lists what Switch may
    /// not offer, the attack games have the bonus wagers of their own text only.
    pub fn refused_by(self, game: Game) -> Clause {
        match (game, self) {
            (Game::Switch, SideWager::Progressive) => clause!("19:47-2A.5(i)#3"),
            (Game::Switch, SideWager::BlackjackBonus) => clause!("19:47-2A.5(i)#4"),
            (Game::Switch, SideWager::Streak) => clause!("19:47-2A.5(i)#5"),
            (Game::Switch, SideWager::DealerBust) => clause!("19:47-2A.5(i)#6"),
            (Game::Switch, _) => clause!("19:47-2A.5(i)"),
            (Game::DoubleAttack, _) => clause!("19:47-26.6(a)"),
            (Game::TripleAttack, _) => clause!("19:47-36.6(a)"),
            (Game::Blackjack, _) => self.offered_by(game),
        }
    }

    /// The bets that this wager offers.
    pub fn bets(self) -> impl Iterator<Item = SideBet> {
        SideBet::ALL.into_iter().filter(move |bet| bet.wager() == self)
    }

    /// The pay tables that the law has for it in this game.
    pub fn paytables(self, game: Game) -> &'static [PayTable] {
        match (self, game) {
            (SideWager::DealerBust, Game::DoubleAttack) => dealer_bust::DOUBLE_ATTACK,
            _ => self.info().paytables,
        }
    }
}

/// The pay table in use: the one named, among those for the deck count; the first of these if none is named.
pub fn paytable(choices: &Choices, wager: SideWager) -> Option<&'static PayTable> {
    let offer = choices.offer(wager)?;
    let fits = |table: &&PayTable| table.decks.is_empty() || table.decks.contains(&choices.decks);
    let mut fitting = wager.paytables(choices.game).iter().filter(fits);
    match &offer.paytable {
        Some(name) => fitting.find(|table| table.name == name),
        None => fitting.next(),
    }
}
