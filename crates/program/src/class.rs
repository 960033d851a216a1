//! Groups finished player hands into classes that every dealer hand settles alike, and computes their payoffs.
//!
//! An amount is a whole number of parts of the initial bet. [`MoneyScale::unit`] is the number of parts in a bet,
//! chosen so that every payment the table can make is a whole number of parts.

use rules::card::{Rank, Suit};
use rules::odds::Cents;
use rules::play::Doubled;
use rules::settle::{self, HandBets, HandEnd, SplitHand, Stake, SurrenderTo};
use rules::{Card, Choices, DoubleCard, Hand, HoleCard};

/// The number of final results of a dealer hand: 17 to 21, 22, more than 22, and blackjack.
pub const FINALS: usize = 8;
/// The index of blackjack among the final results (see [`FINALS`]).
pub const BLACKJACK: usize = 7;
/// The number of possible counts of attack bets: none, one or two.
pub const ATTACKS: usize = 3;

/// The index of a class of finished hands in [`Classes::all`].
pub type ClassId = u16;

/// The scale of a table's amounts: the parts of the initial bet in which every payment is a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoneyScale {
    /// The number of parts in an initial bet.
    pub unit: i32,
    /// The highest insurance bet, in parts of the initial bet, indexed by number of attack bets.
    pub insurance: [i32; ATTACKS],
}

impl MoneyScale {
    /// Computes the scale for an initial bet of `stake`.
    pub fn new(choices: &Choices, stake: Cents) -> MoneyScale {
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
        MoneyScale {
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

/// How a player's hand ended, for the statistics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// The hand is a blackjack.
    Blackjack,
    /// The hand stood, or received its one double card.
    Stood,
    /// The hand busted.
    Bust,
    /// The hand was surrendered.
    Surrendered,
}

/// The result of one hand against a dealer blackjack, in parts of the bet.
///
/// If a box has several hands, what is left of the original bet can limit what they lose together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ToBlackjack {
    /// The part of the net win that does not depend on the original bet, negative for a loss.
    pub fixed: i32,
    /// The loss besides `fixed`, which is limited to what is left of the original bet.
    pub capped: i32,
    /// The part of the original bet that was collected before the dealer's blackjack was known.
    pub collected: i32,
}

/// A class of finished hands that every dealer hand settles alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    /// The net win of an unsplit hand, in parts of the bet.
    ///
    /// It is indexed by number of attack bets, then by the dealer's final result.
    pub pay: [[i32; FINALS]; ATTACKS],
    /// The total amount bet on the hand, in parts of the bet, indexed by number of attack bets.
    pub staked: [i32; ATTACKS],
    /// The result of a split hand against a dealer blackjack.
    ///
    /// The first index is 0 for the first hand of the split and 1 for any other hand. The second index is the
    /// number of attack bets.
    pub split: [[ToBlackjack; ATTACKS]; 2],
    /// Whether the cards that the dealer draws can change the hand's result.
    pub depends: bool,
    /// Whether the hand's settlement needs the dealer's second card, if the upcard can make a blackjack.
    ///
    /// The first index is 0 for unsplit hands and the first hand of a split, and 1 for any other hand. The second
    /// index is the number of attack bets.
    pub waits: [[bool; ATTACKS]; 2],
    /// How the hand ended.
    pub ending: Ending,
    /// Whether the hand was doubled.
    pub doubled: bool,
    /// The hand's class against the second and third dealer hands, or `None` if the class stays the same.
    ///
    /// The class changes if a face-down double card is turned over after the first dealer hand.
    pub later: Option<ClassId>,
}

/// A finished hand of a player, with all that its settlement requires.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// The cards of the hand.
    pub hand: Hand,
    /// Whether the hand was doubled.
    pub doubled: Doubled,
    /// Whether the upcard could make a blackjack when the hand was surrendered.
    ///
    /// `None` if the hand was not surrendered.
    pub surrendered: Option<bool>,
}

/// All classes of finished hands at a table.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// The distinct classes, indexed by [`ClassId`].
    pub all: Vec<Class>,
}

impl Classes {
    /// Returns the class of a finished hand, adding the class if it is new.
    pub fn of(&mut self, choices: &Choices, money: MoneyScale, finished: &Finished) -> ClassId {
        let mut class = classify(choices, money, finished);
        if choices.dealer_hands() > 1 && bust_lies_unseen(choices, finished) {
            let face_up = Choices { double_card: DoubleCard::Up, ..choices.clone() };
            class.later = Some(self.intern(classify(&face_up, money, finished)));
        }
        self.intern(class)
    }

    /// Returns the class that a hand of `class` has against the second and third dealer hands.
    pub fn later(&self, class: ClassId) -> ClassId {
        self.all.get(usize::from(class)).and_then(|class| class.later).unwrap_or(class)
    }

    /// Returns whether the class of any hand changes after the first dealer hand, as happens only in multiple
    /// action.
    pub fn change(&self) -> bool {
        self.all.iter().any(|class| class.later.is_some())
    }

    /// Returns the class of a blackjack paid as even money, adding the class if it is new.
    pub fn even_money(&mut self, money: MoneyScale) -> ClassId {
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

/// Returns an initial bet of `unit` with `attacks` attack bets, each as large as the initial bet.
fn laid(unit: i64, attacks: usize) -> HandBets {
    HandBets { wager: Cents(unit), attacks: Cents(unit * attacks as i64) }
}

/// Returns the bets on a finished hand, which is either the first hand of a box or another hand of a split.
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

/// Returns the original bet, in parts: the most that a box loses to a dealer blackjack.
///
/// In Triple Attack, "the original wager" includes all attack bets (A8).
pub fn original(choices: &Choices, unit: i32, attacks: usize) -> i32 {
    laid(i64::from(unit), attacks).original(choices).0 as i32
}

fn classify(choices: &Choices, money: MoneyScale, finished: &Finished) -> Class {
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

/// Returns whether the hand has a face-down double card.
///
/// The hand may still be live, as far as anyone at the table can see: 2.10(c), 2.12(c) (Q19).
fn lies_face_down(choices: &Choices, finished: &Finished) -> bool {
    choices.double_card == DoubleCard::Down && finished.doubled == Doubled::Yes
}

/// Returns whether a bet on a busted hand waits for the dealer's second card.
///
/// The bet waits either because the rules say so or because the bust is still face down.
fn bust_waits(choices: &Choices, finished: &Finished, stake: Stake) -> bool {
    bust_lies_unseen(choices, finished) || settle::bust_waits(choices, &finished.hand, stake)
}

/// Returns whether a face-down card hides that the hand busted.
///
/// The bet on such a hand is not collected, whereas the bet on a visible bust is collected immediately:
/// 2.10(b), (c). In multiple action this applies to the first dealer hand only; see [`Class::later`].
fn bust_lies_unseen(choices: &Choices, finished: &Finished) -> bool {
    let down = settle::can_bust_unseen(choices) && lies_face_down(choices, finished);
    finished.hand.is_bust() && down
}

/// Returns the net win of all hands of a box against a dealer blackjack, in parts of the bet.
///
/// Together the hands lose at most one original bet, or each loses its share of it if `shared` is true.
pub fn taken(hands: &[ToBlackjack], original: i32, shared: bool) -> i32 {
    let mut all = ToBlackjack::default();
    for hand in hands {
        all.fixed += hand.fixed;
        all.capped += hand.capped;
        all.collected += hand.collected;
    }
    taken_of(all, hands.len(), original, shared)
}

/// Returns the same net win as [`taken`], from the sum of the hands' results.
///
/// `hands` is the number of hands. If `shared` is true, each hand loses its share of one original bet.
pub fn taken_of(all: ToBlackjack, hands: usize, original: i32, shared: bool) -> i32 {
    match shared {
        true => all.fixed - all.capped / (hands as i32).max(1),
        false => {
            let left = settle::original_left(i64::from(original), i64::from(all.collected));
            all.fixed - all.capped.min(left as i32)
        }
    }
}

/// Returns the net win of one bet against a dealer hand with the final result of index `last`, not a blackjack.
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

/// Computes the result of a hand against a dealer blackjack.
///
/// The function calls the settlement rules with an original bet of zero, with one large enough for every loss,
/// and with a losing hand in the same box.
fn to_blackjack(choices: &Choices, finished: &Finished, stakes: &[(Stake, i64)]) -> ToBlackjack {
    let hand = &finished.hand;
    let dealer = final_hand(BLACKJACK);
    let mut found = ToBlackjack::default();
    for &(stake, amount) in stakes {
        let amount = Cents(amount);
        let end = if finished.surrendered.is_some() { HandEnd::Surrendered } else { HandEnd::Played };
        let unseen = bust_lies_unseen(choices, finished);
        let held = SplitHand { end, unseen, ..SplitHand::played(*hand, &[(stake, amount)]) };
        let settled = |original: Cents, hands: &[SplitHand]| {
            settle::against_blackjack(choices, &dealer, original, hands)
        };
        if hand.is_bust() && !bust_waits(choices, finished, stake) {
            // collected when the hand busted; what a losing hand next to it still loses shows how much of that counts
            let loser = SplitHand::played(loser(), &[(Stake::Main, amount)]);
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

/// Returns an example of a hand that loses to a dealer blackjack.
fn loser() -> Hand {
    Hand::dealt(&[card(Rank::Nine), card(Rank::Eight)])
}

fn card(rank: Rank) -> Card {
    Card::new(rank, Suit::Clubs)
}

/// Returns an example of a dealer hand with the final result of index `last` (see [`FINALS`]).
///
/// Jacks stand for all ten-value cards, because a 48-card deck has no tens.
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

/// Returns the index of a dealer hand's final result (see [`FINALS`]).
///
/// A hand that stopped below 17 because no bet depends on it counts as 17.
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
        let money = MoneyScale::new(&choices, choices.minimum);
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
