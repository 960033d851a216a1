//! Compiles side bets into dense tables over the few cards that each bet depends on.

use rules::odds::Cents;
use rules::ruling::{BonusPays, ProgressivePays, ProgressiveSplitAces, StreakSplits};
pub use rules::wager::Sees;
pub use rules::wager::streak::{Effect, Record};
use rules::wager::{PayLine, Pays, View, aces, own, sevens, streak};
use rules::{Card, Choices, SideBet};

/// What a paytable line pays, in parts of the bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pay {
    /// A net win of this many parts.
    Net(i64),
    /// The progressive meter plus this amount. The amount is negative if the award includes the bet.
    Meter(i64),
    /// One of the bonus button's awards, drawn by weight.
    Award,
}

/// One line of a side bet's paytable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideLine {
    /// The combination's name in the regulation.
    pub hand: &'static str,
    /// What the combination pays.
    pub pay: Pay,
}

/// A side bet of a table, compiled into lookup tables.
#[derive(Clone, Debug)]
pub struct Side {
    /// The side bet that was compiled.
    pub bet: SideBet,
    /// Which cards decide the bet.
    pub sees: Sees,
    /// The number of parts in a bet.
    pub unit: i64,
    /// The paytable lines. Line 0 stands for the lost bet.
    pub lines: Vec<SideLine>,
    /// The class of each face, as this bet distinguishes cards.
    pub class_of: Vec<u8>,
    classes: usize,
    /// The index of the paytable line for each combination of classes, by the number of cards that decide the bet.
    ///
    /// For [`Sees::TwoAndBlackjack`], the lookup table of three cards applies against a dealer blackjack.
    tables: [Vec<u8>; 5],
    /// The net awards of the bonus button, with their weights (2.20).
    pub awards: Vec<(i64, u64)>,
    /// The progressive meter, in parts (2.19).
    pub meter: Meter,
    /// The effect of a round on a streak bet, by the numbers of hands won, lost and pushed.
    effects: Vec<Effect>,
    /// Whether the bet entitles a hand to another card after a dealer blackjack, by the first two cards' classes.
    waits: Vec<bool>,
    /// Whether splitting aces ends the bet's series of cards (2.19(c), 2.11(f)).
    pub split_ends: bool,
}

/// The progressive meter, in parts of a one-dollar bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Meter {
    /// The amount of the meter at the start of a run.
    pub start: i64,
    /// The amount of the meter after a win.
    pub reset: i64,
    /// The amount that each bet adds to the meter.
    pub adds: i64,
}

/// Returns the class of a card for a side bet.
pub fn class_of(bet: SideBet, card: Card) -> u8 {
    (bet.kind().class)(card)
}

/// Returns the side bets that a table offers.
pub fn offered(choices: &Choices) -> Vec<SideBet> {
    choices.side_bets().collect()
}

impl Side {
    /// Returns the index of the paytable line for cards of these classes, or zero if the bet loses.
    #[inline]
    pub fn line(&self, classes: &[u8]) -> u8 {
        self.line_in(classes.len(), classes)
    }

    /// Returns the index of the paytable line of a [`Sees::TwoAndBlackjack`] bet against a dealer blackjack.
    ///
    /// The classes of the player's first two cards are `two`.
    pub fn line_v_blackjack(&self, two: [u8; 2]) -> u8 {
        self.line_in(3, &two)
    }

    /// Returns the effect of a round on a streak bet, from the numbers of hands won, lost and pushed.
    pub fn effect(&self, record: Record) -> Effect {
        let [won, lost, pushed] =
            [record.won, record.lost, record.pushed].map(|n| usize::from(n).min(MOST_HANDS));
        self.effects[(won * (MOST_HANDS + 1) + lost) * (MOST_HANDS + 1) + pushed]
    }

    /// Returns whether the bet entitles a hand to another card after a dealer blackjack.
    ///
    /// The classes of the hand's first two cards are `two`.
    pub fn waits(&self, two: [u8; 2]) -> bool {
        self.sees == Sees::Sevens && self.waits[usize::from(two[0]) * self.classes + usize::from(two[1])]
    }

    #[inline]
    fn line_in(&self, table: usize, classes: &[u8]) -> u8 {
        let at = classes.iter().fold(0, |at, &class| at * self.classes + usize::from(class));
        self.tables[table][at]
    }

    /// Compiles a side bet into lookup tables indexed by classes of cards.
    pub fn new(choices: &Choices, bet: SideBet, faces: &[(Card, u32)]) -> Side {
        let sees = bet.sees();
        let (cards, class_of) = classes(choices, bet, faces);
        let mut side = Side {
            bet,
            sees,
            unit: unit(choices, bet),
            lines: vec![],
            class_of,
            classes: cards.len(),
            tables: Default::default(),
            awards: awards(choices, bet),
            meter: meter(choices, bet),
            effects: effects(choices.rulings.streak_splits),
            waits: cards.iter().flat_map(|&a| cards.iter().map(move |&b| sevens::waits(&[a, b]))).collect(),
            split_ends: sees != Sees::Aces
                || choices.rulings.progressive_split_aces == ProgressiveSplitAces::End,
        };
        side.lines.push(SideLine { hand: "lost", pay: Pay::Net(-side.unit) });
        let (fewest, most) = match sees {
            Sees::Two => (2, 2),
            Sees::TwoAndUp | Sees::DealerThree => (3, 3),
            Sees::Four => (4, 4),
            Sees::TwoAndBlackjack | Sees::Sevens => (2, 3),
            Sees::Aces => (2, 4),
            Sees::Streak(hands) => {
                let line = streak::line(choices, hands);
                side.intern(choices, line);
                return side;
            }
        };
        for count in fewest..=most {
            side.fill(choices, count, &cards);
        }
        side
    }

    fn fill(&mut self, choices: &Choices, count: usize, cards: &[Card]) {
        let looked_at = if self.sees == Sees::TwoAndBlackjack { 2 } else { count };
        for at in 0..cards.len().pow(looked_at as u32) {
            let mut rest = at;
            let mut seen = vec![cards[0]; looked_at];
            for card in seen.iter_mut().rev() {
                *card = cards[rest % cards.len()];
                rest /= cards.len();
            }
            let line = self.ask(choices, count, &seen);
            let line = self.intern(choices, line);
            self.tables[count].push(line);
        }
    }

    /// Returns the paytable line that the rules give for the cards `seen`, or `None` if the bet loses.
    ///
    /// `count` is the number of cards that index the lookup table being filled.
    fn ask(&self, choices: &Choices, count: usize, seen: &[Card]) -> Option<PayLine> {
        let (player, dealer): (&[Card], &[Card]) = match self.sees {
            Sees::TwoAndUp => (&seen[..2], &seen[2..]),
            Sees::DealerThree => (&[], seen),
            Sees::TwoAndBlackjack if count == 3 => {
                let hand = crate::class::final_hand(crate::class::BLACKJACK);
                return self.bet.line(choices, &View { cards: seen, dealer: hand.cards() });
            }
            _ => (seen, &[]),
        };
        self.bet.line(choices, &View { cards: player, dealer })
    }

    fn intern(&mut self, choices: &Choices, line: Option<PayLine>) -> u8 {
        let Some(line) = line else { return 0 };
        let found = SideLine { hand: line.hand, pay: pay(choices, self.unit, line.pays) };
        let at = self.lines.iter().position(|known| *known == found).unwrap_or_else(|| {
            self.lines.push(found);
            self.lines.len() - 1
        });
        at as u8
    }
}

/// The highest number of won, lost or pushed hands that the streak effects distinguish.
///
/// Higher numbers are treated as this one.
const MOST_HANDS: usize = 8;

fn effects(splits: StreakSplits) -> Vec<Effect> {
    let counts = || 0..=MOST_HANDS as u8;
    let all = counts()
        .flat_map(|won| counts().flat_map(move |lost| counts().map(move |pushed| (won, lost, pushed))));
    all.map(|(won, lost, pushed)| streak::effect(Record { won, lost, pushed }, splits)).collect()
}

/// Returns one card of each class that the bet distinguishes, and the class of each face.
fn classes(choices: &Choices, bet: SideBet, faces: &[(Card, u32)]) -> (Vec<Card>, Vec<u8>) {
    let mut cards: Vec<Card> = Vec::new();
    let mut at = |card: Card| {
        let known = cards.iter().position(|&other| class_of(bet, other) == class_of(bet, card));
        known.unwrap_or_else(|| {
            cards.push(card);
            cards.len() - 1
        }) as u8
    };
    let of = faces.iter().map(|&(card, _)| at(card)).collect();
    choices.deck().cards().for_each(|card| {
        at(card);
    });
    (cards, of)
}

fn unit(choices: &Choices, bet: SideBet) -> i64 {
    let lines = own::lines(choices, bet.wager());
    lines.iter().fold(1, |unit, line| match line.pays {
        Pays::Odds(odds) => {
            let per = i64::from(odds.per());
            if unit % per == 0 { unit } else { unit * per }
        }
        // one dollar in cents
        Pays::Amount(_) | Pays::Meter | Pays::Award => 100,
    })
}

fn pay(choices: &Choices, unit: i64, pays: Pays) -> Pay {
    let for_one = if choices.rulings.progressive_pays == ProgressivePays::ForOne { unit } else { 0 };
    match pays {
        Pays::Odds(odds) => Pay::Net(unit * i64::from(odds.pays()) / i64::from(odds.per())),
        Pays::Amount(amount) => Pay::Net(amount.0 - for_one),
        Pays::Meter => Pay::Meter(-for_one),
        Pays::Award => Pay::Award,
    }
}

/// Returns the net awards of the bonus button for a one-dollar bet, with their weights.
fn awards(choices: &Choices, bet: SideBet) -> Vec<(i64, u64)> {
    let dollar = Cents::dollars(1);
    let table = choices.offer(bet.wager()).and_then(|offer| offer.awards.get(&dollar));
    let for_one = if choices.rulings.bonus_pays == BonusPays::ForOne { dollar.0 } else { 0 };
    table.map_or_else(Vec::new, |table| {
        table.iter().map(|(award, &weight)| (award.0 - for_one, u64::from(weight))).collect()
    })
}

fn meter(choices: &Choices, bet: SideBet) -> Meter {
    choices.offer(bet.wager()).map_or_else(Meter::default, |offer| Meter {
        start: offer.meter.unwrap_or(offer.seed).0,
        reset: offer.seed.0,
        adds: aces::contribution(1, offer.rate).0,
    })
}
