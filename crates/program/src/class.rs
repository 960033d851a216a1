//! Classes: finished hands of the player, put together where every dealer's hand treats them alike, with their pay.
//!
//! Amounts are whole numbers of [`Money::unit`]ths of the initial wager, so that every payment the table can make is an
//! integer.

use rules::card::{Rank, Suit};
use rules::odds::Cents;
use rules::play::Doubled;
use rules::settle::{self, Fate, Held, Laid, Stake, SurrenderTo};
use rules::{Card, Choices, DoubleCard, Hand, HoleCard};

/// How a dealer's hand can end: 17 to 21, 22, more than 22, blackjack.
pub const FINALS: usize = 8;
/// The index of the dealer's blackjack among the finals.
pub const BLACKJACK: usize = 7;
/// None, one or two attack wagers beside the initial one.
pub const ATTACKS: usize = 3;

/// The index of a class.
pub type ClassId = u16;

/// The scale on which all money of a table is whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Money {
    /// How many parts the initial wager is divided into.
    pub unit: i32,
    /// The most insurance by the number of attack wagers, in these parts.
    pub insurance: [i32; ATTACKS],
}

impl Money {
    /// The least common denominator of all that can be paid on this stake.
    pub fn new(choices: &Choices, stake: Cents) -> Money {
        let stake = stake.0.max(1);
        let insured =
            |attacks: usize| rules::limit::most_insurance(choices, laid(stake, attacks).insured(choices)).0;
        // halves for surrender and for insurance paid 5 to 2; three sevens pay 3 to 2
        let mut unit = lcm(2, i64::from(choices.blackjack_odds().per()));
        if settle::each_its_share(choices) {
            unit = (2..=i64::from(choices.split_hands.clamp(2, 8))).fold(unit, lcm);
        }
        for attacks in 0..ATTACKS {
            unit = lcm(unit, 2 * stake / gcd(stake, insured(attacks)));
        }
        Money {
            unit: unit as i32,
            insurance: std::array::from_fn(|attacks| (insured(attacks) * unit / stake) as i32),
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn lcm(a: i64, b: i64) -> i64 {
    a / gcd(a, b) * b
}

/// How a hand ended, for the statistics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// A blackjack.
    Blackjack,
    /// It stood, or had its one card.
    Stood,
    /// It passed 21.
    Bust,
    /// It was given up.
    Surrendered,
}

/// What a dealer's blackjack does to one hand of several that grew from one: an amount for certain, an amount that is
/// taken as far as the original wager is not yet used up, and how much of that wager was collected before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ToBlackjack {
    /// Lost for certain.
    pub fixed: i32,
    /// Lost as far as the original wager is not used up.
    pub capped: i32,
    /// How much of the original wager was collected before.
    pub collected: i32,
}

/// A finished hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    /// Net win by attack wagers and the dealer's final hand, for a hand that was not split.
    pub pay: [[i32; FINALS]; ATTACKS],
    /// All money on the hand.
    pub staked: [i32; ATTACKS],
    /// Against a dealer's blackjack after a split: as the first hand, as another hand.
    pub split: [[ToBlackjack; ATTACKS]; 2],
    /// Whether the dealer's drawing can change the pay.
    pub depends: bool,
    /// Whether the hand needs the dealer's second card when the up card may become a blackjack: first hand, other hand.
    pub waits: [[bool; ATTACKS]; 2],
    /// How it ended.
    pub ending: Ending,
    /// Whether it was doubled.
    pub doubled: bool,
    /// Its class on all spots but the first, where that is another one: its double card was turned over in between.
    pub later: Option<ClassId>,
}

/// A finished hand as the rules see it.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// Its cards.
    pub hand: Hand,
    /// Whether it was doubled.
    pub doubled: Doubled,
    /// Surrendered, to an up card that can (`true`) or cannot become a blackjack.
    pub surrendered: Option<bool>,
}

/// All classes of a table.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// Each of them once; a [`ClassId`] is a place in here.
    pub all: Vec<Class>,
}

impl Classes {
    /// The class of a finished hand.
    pub fn of(&mut self, choices: &Choices, money: Money, finished: &Finished) -> ClassId {
        let mut class = classify(choices, money, finished);
        if choices.spots() > 1 && bust_lies_unseen(choices, finished) {
            let face_up = Choices { double_card: DoubleCard::Up, ..choices.clone() };
            class.later = Some(self.intern(classify(&face_up, money, finished)));
        }
        self.intern(class)
    }

    /// The class of a hand on all spots but the first.
    pub fn later(&self, class: ClassId) -> ClassId {
        self.all.get(usize::from(class)).and_then(|class| class.later).unwrap_or(class)
    }

    /// Whether any hand has another class on later spots.
    pub fn change(&self) -> bool {
        self.all.iter().any(|class| class.later.is_some())
    }

    /// The class of a blackjack that is paid at once as even money.
    pub fn even_money(&mut self, money: Money) -> ClassId {
        let won = settle::even_money().net(Cents(i64::from(money.unit))).map_or(0, |c| c.0 as i32);
        self.intern(Class {
            pay: [[won; FINALS]; ATTACKS],
            staked: [money.unit; ATTACKS],
            split: Default::default(),
            depends: false,
            waits: Default::default(),
            ending: Ending::Blackjack,
            doubled: false,
            later: None,
        })
    }

    fn intern(&mut self, class: Class) -> ClassId {
        let at = self.all.iter().position(|known| *known == class).unwrap_or_else(|| {
            self.all.push(class);
            self.all.len() - 1
        });
        at as ClassId
    }
}

/// The initial wager with so many attack wagers beside it, each as large.
fn laid(unit: i64, attacks: usize) -> Laid {
    Laid { wager: Cents(unit), attacks: Cents(unit * attacks as i64) }
}

/// The money on a hand: as the first hand of a box, or as one that a split made.
fn stakes(
    choices: &Choices,
    unit: i32,
    finished: &Finished,
    first: bool,
    attacks: usize,
) -> Vec<(Stake, i64)> {
    let unit = i64::from(unit);
    let whole = laid(unit, attacks).split().0;
    let mut stakes = Vec::new();
    if first {
        stakes.push((Stake::Main, unit));
        let offered = choices.text().wagers.attacks;
        stakes.extend(offered.iter().take(attacks).map(|attack| (attack.stake, unit)));
    } else {
        stakes.push((Stake::Split, whole));
    }
    if finished.doubled == Doubled::Yes {
        stakes.push((Stake::Double, whole));
    }
    stakes
}

/// What "the original wager" is that a dealer's blackjack takes at most: in Triple Attack all attack wagers (A8).
pub fn original(choices: &Choices, unit: i32, attacks: usize) -> i32 {
    laid(i64::from(unit), attacks).original(choices).0 as i32
}

fn classify(choices: &Choices, money: Money, finished: &Finished) -> Class {
    let hand = &finished.hand;
    let unit = money.unit;
    let split = [true, false].map(|first| {
        std::array::from_fn(|attacks| {
            to_blackjack(choices, finished, &stakes(choices, unit, finished, first, attacks))
        })
    });
    let mut pay = [[0; FINALS]; ATTACKS];
    for (attacks, row) in pay.iter_mut().enumerate() {
        let stakes = stakes(choices, unit, finished, true, attacks);
        for (last, net) in row.iter_mut().enumerate().take(BLACKJACK) {
            *net = stakes.iter().map(|&(stake, amount)| plain(choices, finished, last, stake, amount)).sum();
        }
        row[BLACKJACK] = taken(&[split[0][attacks]], original(choices, unit, attacks), false);
    }
    let waits = [true, false].map(|first| {
        std::array::from_fn(|attacks| {
            let bust_waits = stakes(choices, unit, finished, first, attacks)
                .iter()
                .any(|&(stake, _)| hand.is_bust() && bust_waits(choices, finished, stake));
            let blackjack = hand.is_blackjack() && pay[attacks][0] != pay[attacks][BLACKJACK];
            bust_waits || blackjack || finished.surrendered == Some(true)
        })
    });
    Class {
        pay,
        staked: std::array::from_fn(|attacks| {
            stakes(choices, unit, finished, true, attacks).iter().map(|s| s.1 as i32).sum()
        }),
        split,
        depends: finished.surrendered.is_none()
            && (settle::depends_on_dealer(choices, hand) || lies_face_down(choices, finished)),
        waits,
        ending: match finished.surrendered {
            Some(_) => Ending::Surrendered,
            None if hand.is_bust() => Ending::Bust,
            None if hand.is_blackjack() => Ending::Blackjack,
            None => Ending::Stood,
        },
        doubled: finished.doubled == Doubled::Yes,
        later: None,
    }
}

/// 2.10(c), 2.12(c) (Q19): a hand whose double card lies face down may still be alive for all that anyone knows.
fn lies_face_down(choices: &Choices, finished: &Finished) -> bool {
    choices.double_card == DoubleCard::Down && finished.doubled == Doubled::Yes
}

/// Whether the money of a busted hand waits for the dealer's second card: by the rules, or because nobody knows of it.
fn bust_waits(choices: &Choices, finished: &Finished, stake: Stake) -> bool {
    bust_lies_unseen(choices, finished) || settle::bust_waits(choices, &finished.hand, stake)
}

/// 2.10(b), (c): nothing is collected for a bust that lies face down, where one that is seen is collected at once. In
/// multiple action that holds on the first spot only: see [`Class::later`].
fn bust_lies_unseen(choices: &Choices, finished: &Finished) -> bool {
    let down = settle::busts_lie_unseen(choices) && lies_face_down(choices, finished);
    finished.hand.is_bust() && down
}

/// The total that several hands of one box win or lose to a dealer's blackjack: one original wager together, or where
/// `shared` each its share of it.
pub fn taken(hands: &[ToBlackjack], original: i32, shared: bool) -> i32 {
    let mut all = ToBlackjack::default();
    for hand in hands {
        all.fixed += hand.fixed;
        all.capped += hand.capped;
        all.collected += hand.collected;
    }
    taken_of(all, hands.len(), original, shared)
}

/// The same of hands that are added up. What a hand answers with is one original wager, and its share a part of that.
pub fn taken_of(all: ToBlackjack, hands: usize, original: i32, shared: bool) -> i32 {
    match shared {
        true => all.fixed - all.capped / (hands as i32).max(1),
        false => {
            let left = settle::original_left(i64::from(original), i64::from(all.collected));
            all.fixed - all.capped.min(left as i32)
        }
    }
}

/// One stake against a dealer's hand that is no blackjack.
fn plain(choices: &Choices, finished: &Finished, last: usize, stake: Stake, amount: i64) -> i32 {
    let verdict = match finished.surrendered {
        Some(high) => settle::surrender(choices, surrendered_to(choices, high), stake),
        None if finished.hand.is_bust() => settle::bust(choices),
        None => settle::compare(choices, &finished.hand, &final_hand(last), stake),
    };
    verdict.net(Cents(amount)).map_or(0, |cents| cents.0 as i32)
}

fn surrendered_to(choices: &Choices, high: bool) -> SurrenderTo {
    match (high, choices.hole_card) {
        (false, _) => SurrenderTo::LowCard,
        (true, HoleCard::Reader) => SurrenderTo::RuledOut,
        (true, _) => SurrenderTo::NoBlackjack,
    }
}

/// A hand against a dealer's blackjack, found by asking with an original wager of nothing and of more than enough, and
/// with a loser beside it.
fn to_blackjack(choices: &Choices, finished: &Finished, stakes: &[(Stake, i64)]) -> ToBlackjack {
    let hand = &finished.hand;
    let dealer = final_hand(BLACKJACK);
    let mut found = ToBlackjack::default();
    for &(stake, amount) in stakes {
        let amount = Cents(amount);
        let fate = if finished.surrendered.is_some() { Fate::Surrendered } else { Fate::Played };
        let unseen = bust_lies_unseen(choices, finished);
        let held = Held { fate, unseen, ..Held::played(*hand, &[(stake, amount)]) };
        let settled =
            |original: Cents, hands: &[Held]| settle::against_blackjack(choices, &dealer, original, hands);
        if hand.is_bust() && !bust_waits(choices, finished, stake) {
            // collected when the hand passed 21; what another hand still loses shows how much of it counts
            let loser = Held::played(loser(), &[(Stake::Main, amount)]);
            let left = settled(amount, &[held, loser])[1][Stake::Main as usize].taken;
            found.fixed -= amount.0 as i32;
            found.collected += (amount.0 - left.0) as i32;
            continue;
        }
        let net = |original: Cents| {
            let settled = settled(original, &[held])[0][stake as usize];
            let won = settled.verdict.net(amount).map_or(0, |cents| cents.0.max(0));
            (won - settled.taken.0) as i32
        };
        let (without, with) = (net(Cents::ZERO), net(amount));
        found.fixed += without;
        found.capped += without - with;
    }
    found
}

/// Any hand that loses to a blackjack.
fn loser() -> Hand {
    Hand::dealt(&[card(Rank::Nine), card(Rank::Eight)])
}

fn card(rank: Rank) -> Card {
    Card::new(rank, Suit::Clubs)
}

/// A dealer's hand that ends like this. Jacks stand for all tens: a 48-card deck has no others.
pub fn final_hand(last: usize) -> Hand {
    use Rank::*;
    let ranks: &[Rank] = match last {
        0 => &[Jack, Seven],
        1 => &[Jack, Eight],
        2 => &[Jack, Nine],
        3 => &[Jack, Jack],
        4 => &[Seven, Seven, Seven],
        5 => &[Jack, Six, Six],
        6 => &[Jack, Six, Seven],
        _ => &[Ace, Jack],
    };
    Hand::dealt(&ranks.iter().map(|&rank| card(rank)).collect::<Vec<_>>())
}

/// The index of a dealer's finished hand. One that stopped below 17 because nothing depends on it counts as 17.
pub fn final_of(dealer: &Hand) -> usize {
    match dealer.points() {
        _ if dealer.is_blackjack() => BLACKJACK,
        0..=17 => 0,
        18..=21 => dealer.points() as usize - 17,
        22 => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::card::parse_cards;
    use rules::preset::preset;

    fn stood(cards: &str, doubled: Doubled) -> Finished {
        Finished { hand: Hand::dealt(&parse_cards(cards).unwrap()), doubled, surrendered: None }
    }

    #[test]
    fn finals_are_their_own_hands() {
        for last in 0..FINALS {
            assert_eq!(final_of(&final_hand(last)), last);
        }
    }

    #[test]
    fn a_blackjack_pays_three_to_two_and_a_lost_double_to_a_blackjack_costs_one_wager() {
        let choices = preset("nj-blackjack").unwrap();
        let money = Money::new(&choices, choices.minimum);
        assert_eq!((money.unit, money.insurance[0]), (4, 2));
        let natural = classify(&choices, money, &stood("As Ks", Doubled::No));
        assert_eq!((natural.pay[0][4], natural.pay[0][BLACKJACK]), (6, 0));
        let double = classify(&choices, money, &stood("5s 6s Kd", Doubled::Yes));
        assert_eq!((double.pay[0][4], double.pay[0][BLACKJACK]), (0, -4));
        let bust = classify(&choices, money, &stood("5s 7s Kd", Doubled::Yes));
        assert_eq!((bust.pay[0][0], bust.pay[0][BLACKJACK]), (-8, -4));
        assert!(bust.waits[0][0] && !bust.depends);
        let plain = classify(&choices, money, &stood("5s 7s Kd", Doubled::No));
        assert!(!plain.waits[0][0]);
    }
}
