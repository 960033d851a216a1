//! Computes the odds of insurance and of even money (2.9, 2A.8, 26.11, 36.10 and 2.7(c)).

use crate::dealt::Dealt;
use crate::fraction::Fraction;
use crate::shoe::{NotInShoe, Shoe};
use rules::settle::{self, Stake};
use rules::{Card, Choices, Hand, Offered, Outcome, Rank, Suit, Verdict};

/// The odds of an insurance bet of one unit.
#[derive(Clone, PartialEq, Debug)]
pub struct InsuranceReport {
    /// The house edge: the expected loss per unit bet.
    pub house_edge: f64,
    /// The house edge as an exact fraction.
    pub exact_edge: Fraction,
    /// The variance of the net win per unit bet.
    pub variance: f64,
    /// The standard deviation of the net win per unit bet.
    pub std_dev: f64,
    /// The payoffs of winning insurance bets, such as `2 to 1`, with their probabilities.
    pub wins: Vec<(String, Fraction)>,
}

/// Returns the odds of insurance from a full shoe when only the dealer's ace is known.
///
/// Returns `None` if the regulation has no insurance for this table (2.6(k)3).
pub fn insurance(choices: &Choices) -> Option<InsuranceReport> {
    // by symmetry, the suit of the ace does not matter
    insurance_given(choices, Card::new(Rank::Ace, Suit::Spades), &[]).ok()?
}

/// Returns the odds of insurance against the upcard `up` after the cards in `removed` have left the shoe.
///
/// Returns `None` if there is no insurance: the hole card is dealt face up, the upcard is not an ace, or no second
/// card is left. Returns an error if one of the cards is not in the shoe.
pub fn insurance_given(
    choices: &Choices,
    up: Card,
    removed: &[Card],
) -> Result<Option<InsuranceReport>, NotInShoe> {
    let shoe = Shoe::fresh(choices).without(&[up])?.without(removed)?;
    Ok(if up.is_ace() { with_up(choices, up, &shoe) } else { None })
}

/// Returns the odds of insurance from the cards left in a shoe.
///
/// The shoe still includes the upcard, which is one of its aces. Returns `None` if no ace is left, or if the
/// regulation has no insurance for this table.
pub fn insurance_from(dealt: &Dealt<'_>) -> Option<InsuranceReport> {
    let up = dealt.shoe().counts().map(|(card, _)| card).find(|card| card.is_ace())?;
    with_up(dealt, up, &dealt.shoe().without(&[up]).ok()?)
}

fn with_up(choices: &Choices, up: Card, shoe: &Shoe) -> Option<InsuranceReport> {
    if !is_offered(choices) {
        return None;
    }
    let mut wins: Vec<(String, Fraction, Fraction)> = Vec::new();
    for (second, count) in shoe.counts() {
        let Outcome::Win(odds) = settle::insurance(choices, up, second).outcome else {
            continue;
        };
        let (Some(chance), Some(net)) =
            (Fraction::of(count, shoe.left()), Fraction::of(odds.pays(), odds.per()))
        else {
            continue;
        };
        match wins.iter_mut().find(|(_, known, _)| *known == net) {
            Some((_, _, sum)) => *sum = sum.clone() + chance,
            None => wins.push((odds.to_string(), net, chance)),
        }
    }
    (shoe.left() > 0).then(|| insurance_report(wins))
}

/// Returns whether the regulation has insurance for this table (2.6(k)3).
///
/// There is no insurance if the hole card is dealt face up.
fn is_offered(choices: &Choices) -> bool {
    choices.text().insurance.none.is_none()
}

fn insurance_report(wins: Vec<(String, Fraction, Fraction)>) -> InsuranceReport {
    let over = |value: &dyn Fn(&Fraction) -> Fraction| -> Fraction {
        wins.iter().map(|(_, net, chance)| chance.clone() * value(net)).sum()
    };
    let loses = Fraction::one() - over(&|_| Fraction::one());
    let exact_edge = loses.clone() - over(&Fraction::clone);
    let squares = over(&|net| net.clone() * net.clone());
    let variance = (loses + squares - exact_edge.clone() * exact_edge.clone()).to_f64();
    InsuranceReport {
        house_edge: exact_edge.to_f64(),
        exact_edge,
        variance,
        std_dev: variance.max(0.0).sqrt(),
        wins: wins.into_iter().map(|(odds, _, chance)| (odds, chance)).collect(),
    }
}

/// The EV of a player's blackjack against a dealer's ace, with and without even money (2.7(c)), in units of the
/// bet.
#[derive(Clone, PartialEq, Debug)]
pub struct EvenMoneyReport {
    /// The EV of the blackjack if the player takes even money.
    pub taken: Fraction,
    /// The EV of the blackjack if the player takes neither even money nor insurance.
    pub declined: Fraction,
    /// The EV of the blackjack if the player makes an insurance bet of half the bet, including the result of that
    /// insurance.
    pub insured: Fraction,
}

/// Returns the EV of the player's blackjack with and without even money, against an ace dealt from a full shoe.
///
/// Returns `None` if the table does not offer even money. A designated blackjack (2.3(e)3) counts in proportion to
/// its frequency.
pub fn even_money(choices: &Choices) -> Option<EvenMoneyReport> {
    if choices.even_money != Offered::Yes || !is_offered(choices) {
        return None;
    }
    let fresh = Shoe::fresh(choices);
    let (mut declined, mut insured, mut of) = (Fraction::zero(), Fraction::zero(), 0);
    let half = Fraction::of(1, 2)?;
    let up = Card::new(Rank::Ace, Suit::Spades);
    let shoe = fresh.without(&[up]).ok()?;
    for (ace, aces) in shoe.counts().filter(|(card, _)| card.is_ace()) {
        for (ten, tens) in shoe.counts().filter(|(card, _)| card.is_ten_value()) {
            let left = shoe.without(&[ace, ten]).ok()?;
            let player = Hand::dealt(&[ace, ten]);
            for (second, count) in left.counts() {
                let ways = i128::from(aces) * i128::from(tens) * i128::from(count);
                // without a dealer blackjack, the dealer's later cards cannot change what the player's blackjack is
                // paid
                let dealer = Hand::dealt(&[up, second]);
                let main = net(settle::compare(choices, &player, &dealer, Stake::Main))?;
                let side = net(settle::insurance(choices, up, second))?;
                declined = declined + Fraction::whole(ways) * main.clone();
                insured = insured + Fraction::whole(ways) * (main + half.clone() * side);
                of += ways;
            }
        }
    }
    let of = Fraction::whole(of);
    Some(EvenMoneyReport {
        taken: net(settle::even_money())?,
        declined: declined.over(&of)?,
        insured: insured.over(&of)?,
    })
}

/// Returns the net win per unit bet that follows from the verdict on a bet.
fn net(verdict: Verdict) -> Option<Fraction> {
    match verdict.outcome {
        Outcome::Win(odds) => Fraction::of(odds.pays(), odds.per()),
        Outcome::Push | Outcome::Void => Some(Fraction::zero()),
        Outcome::Lose => Some(-Fraction::one()),
        Outcome::LoseHalf => Fraction::of(-1, 2),
    }
}
