//! The limits on required bets, doubles, attack bets, insurance and side bets.

use crate::card::Card;
use crate::choice::{AttackAmount, Choices};
use crate::clause::Clause;
use crate::message::Message;
use crate::odds::Cents;
use crate::play::Refusal;
use crate::script::Offer;
use crate::wager::{Amounts, Pays, Prize, SideBet, own};

fn not_halved(amount: Cents) -> Message {
    message!("not-paid-or-halved", "{amount} cannot be paid or halved in whole cents", amount)
}

fn not_paid(amount: Cents) -> Message {
    message!("not-paid", "{amount} cannot be paid in whole cents", amount)
}

fn refuse<T>(by: Clause, why: impl Into<Message>) -> Result<T, Refusal> {
    Err(Refusal::new(by, why))
}

/// Returns the smallest chip in play, of which every amount is a multiple.
fn unit(choices: &Choices) -> Cents {
    Cents(choices.chip.0.max(1))
}

/// Checks that a bet can be made with chips, that is, that it is a multiple of the smallest chip.
///
/// `by` is the clause for the bet: 2.3(d), 2A.5(d), 26.5(c), 36.5(e). At 6 to 5, a bet must also be a multiple of
/// five dollars (2.3(d)#4).
fn chips(choices: &Choices, amount: Cents, by: Clause) -> Result<(), Refusal> {
    if let Some((unit, by)) = choices.text().wagers.unit
        && amount.0 % unit.0 != 0
    {
        return match unit == Cents::dollars(5) {
            true => {
                refuse(by, message!("multiple-of-five", "{amount} is not a multiple of five dollars", amount))
            }
            false => {
                refuse(by, message!("multiple-of-unit", "{amount} is not a multiple of {unit}", amount, unit))
            }
        };
    }
    if amount.0 % unit(choices).0 != 0 {
        return refuse(
            by,
            message!(
                "multiple-of-chip",
                "{amount} is not a multiple of the {chip} chip",
                amount,
                chip = choices.chip
            ),
        );
    }
    Ok(())
}

/// Returns the largest amount, at most `amount`, that can be bet with chips.
pub fn in_chips(choices: &Choices, amount: Cents) -> Cents {
    let least = |unit: Cents| Cents(amount.0 - amount.0 % unit.0.max(1));
    match choices.text().wagers.unit {
        Some((five, _)) => least(Cents(lcm(five.0, unit(choices).0))),
        None => least(unit(choices)),
    }
}

/// Returns the smallest required bet that can be made with chips at this table.
pub fn least_wager(choices: &Choices) -> Cents {
    let below = in_chips(choices, choices.minimum);
    let step = lcm(choices.text().wagers.unit.map_or(1, |(unit, _)| unit.0), unit(choices).0);
    if below == choices.minimum { below } else { below + Cents(step) }
}

fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a.max(1), b.max(1));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Checks that a required bet is within the posted limits, payable in whole cents, and a multiple of the bet unit.
pub fn required_wager(choices: &Choices, amount: Cents) -> Result<(), Refusal> {
    let text = choices.text();
    let by = text.wagers.required;
    if amount < choices.minimum {
        let by = text.wagers.below_minimum;
        return refuse(
            by,
            message!(
                "below-table-minimum",
                "{amount} is below the table minimum of {minimum}",
                amount,
                minimum = choices.minimum
            ),
        );
    }
    if amount > choices.maximum {
        return refuse(
            by,
            message!(
                "above-table-maximum",
                "{amount} is above the table maximum of {maximum}",
                amount,
                maximum = choices.maximum
            ),
        );
    }
    chips(choices, amount, text.wagers.chips)?;
    // Q36: no clause rounds a payment, so an amount that would need rounding is refused
    let needs_halves = choices.surrender.is_yes() || choices.bonus_payouts.three_sevens.is_yes();
    let halves = needs_halves && amount.half().is_none();
    if halves || text.settle.blackjack.on(amount).is_none() {
        return refuse(by, not_halved(amount));
    }
    Ok(())
}

/// Checks the amount that a double adds to the bets on a hand.
///
/// The amount may be at most `staked`, the stake on the hand (2.10(a)#3, 2A.10(a), 26.9(a), 36.8(a)).
pub fn double(choices: &Choices, amount: Cents, staked: Cents) -> Result<(), Refusal> {
    let text = choices.text();
    let by = text.double.amount;
    if amount <= Cents::ZERO || amount > staked {
        return refuse(
            by,
            message!(
                "double-amount",
                "a double must be greater than 0 and at most {most}, not {amount}",
                most = staked,
                amount
            ),
        );
    }
    chips(choices, amount, text.wagers.chips)?;
    // 26.8(a)#4 halves a doubled stake, 2.3(e)2 pays it 3 to 2; neither is rounded (Q36)
    let needs_halves = text.halves_all() || choices.bonus_payouts.three_sevens.is_yes();
    if needs_halves && amount.half().is_none() {
        return refuse(by, not_halved(amount));
    }
    Ok(())
}

/// Checks the amount of an attack bet against the first bet, `first` (A1).
///
/// Depending on the table, an attack bet may be up to the first bet or must equal it: 26.1, 26.7(d), 36.1,
/// 36.7(d.2), (e).
pub fn attack(choices: &Choices, offer: Offer, amount: Cents, first: Cents) -> Result<(), Refusal> {
    let text = choices.text();
    let Some(attack) = text.wagers.attacks.iter().find(|attack| attack.offer == offer) else {
        return refuse(
            attack_by(choices, Some(offer)),
            message!("no-attack-offered", "no attack bet is offered now"),
        );
    };
    let (up_to, equal) = (attack.up_to, attack.by);
    if amount <= Cents::ZERO || amount > first {
        return refuse(
            up_to,
            message!("attack-too-high", "an attack bet may not exceed the first bet of {first}", first),
        );
    }
    if choices.attack_amount == AttackAmount::Equal && amount != first {
        return refuse(
            equal,
            message!("attack-not-equal", "an attack bet must equal the first bet of {first}", first),
        );
    }
    chips(choices, amount, text.wagers.chips)?;
    if text.halves_all() && amount.half().is_none() {
        return refuse(up_to, message!("not-halved", "{amount} cannot be halved in whole cents", amount));
    }
    Ok(())
}

/// Returns the clause that offers the attack bet of `offer`.
///
/// If `offer` is `None` or has no attack bet, returns the clause of the regulation's first attack bet. In a
/// regulation without attack bets, returns the clause that closes betting.
pub fn attack_by(choices: &Choices, offer: Option<Offer>) -> Clause {
    let wagers = &choices.text().wagers;
    let made = wagers.attacks.iter().find(|attack| Some(attack.offer) == offer);
    made.or(wagers.attacks.first()).map_or(wagers.closed, |attack| attack.by)
}

/// Returns the clause that allows insurance against this upcard, or the refusal.
///
/// The clauses are 2.9(a), 2A.8(a), 26.11(a), 36.10(a). With the hole card face up there is no insurance (2.6(k)3).
pub fn may_insure(choices: &Choices, up: Option<Card>) -> Result<Clause, Refusal> {
    let rule = &choices.text().insurance;
    let by = rule.by;
    if let Some(why) = rule.none {
        return Err(Refusal::new(by, why));
    }
    if !up.is_some_and(|up| up.is_ace()) {
        return Err(Refusal::new(
            by,
            message!("insurance-needs-ace", "insurance is offered only when the dealer shows an ace"),
        ));
    }
    Ok(by)
}

/// Returns the maximum insurance for a bet: half of the bet, rounded up to an amount of chips.
///
/// `wager` is the original bet on the hand: in multiple action the bet against one dealer hand, in Triple Attack
/// the first bet and its attack bets. The clauses are 2.9(b), 2A.8(b), 26.11(b), 36.10(b).
pub fn most_insurance(choices: &Choices, wager: Cents) -> Cents {
    let chip = choices
        .text()
        .wagers
        .unit
        .map_or(choices.chip.0.max(1), |(unit, _)| lcm(unit.0, choices.chip.0.max(1)));
    Cents((wager.0 + 2 * chip - 1) / (2 * chip) * chip)
}

/// Checks the amount of insurance for the original bet `wager` (2.9(b), 2A.8(b), 26.11(b), 36.10(b)).
pub fn insurance(choices: &Choices, amount: Cents, wager: Cents) -> Result<(), Refusal> {
    let rule = &choices.text().insurance;
    let by = rule.most;
    let most = most_insurance(choices, wager);
    if amount <= Cents::ZERO || amount > most {
        return refuse(
            by,
            message!(
                "insurance-too-high",
                "insurance may be at most {most}, half of {bet}",
                most,
                bet = wager
            ),
        );
    }
    chips(choices, amount, choices.text().wagers.chips)?;
    if rule.pays.on(amount).is_none() {
        return refuse(by, not_paid(amount));
    }
    Ok(())
}

/// Checks the amount of a side bet against the side bet's limits and the main bet `main`.
///
/// In multiple action, `main` is the player's smallest main bet (Q20).
pub fn side_wager(choices: &Choices, bet: SideBet, amount: Cents, main: Cents) -> Result<(), Refusal> {
    let (wager, text) = (bet.wager(), choices.text());
    let (Some(side), Some(offer)) = (text.side(wager), choices.offer(wager)) else {
        let by = (text.sides.refused)(wager);
        return refuse(
            by,
            message!(
                "side-bet-not-offered",
                "{side_bet} is not offered at this table",
                side_bet = wager.word()
            ),
        );
    };
    match side.amounts {
        Amounts::OneDollar(by, _) if amount != Cents::dollars(1) => {
            return refuse(
                by,
                message!(
                    "one-dollar-bet",
                    "the {side_bet} bet must be 1.00, not {amount}",
                    side_bet = wager.word(),
                    amount
                ),
            );
        }
        _ => {}
    }
    if wager.kind().prize == Prize::Button && !offer.awards.contains_key(&amount) {
        return refuse(
            side.by,
            message!("bonus-bet-amount", "the bonus bet must be 1.00 or 5.00, not {amount}", amount),
        );
    }
    if amount <= Cents::ZERO || amount < offer.minimum {
        return refuse(
            side.least,
            message!(
                "below-side-minimum",
                "{amount} is below the minimum of {minimum}",
                amount,
                minimum = offer.minimum
            ),
        );
    }
    if let Some(by) = side.within_main
        && amount > main
    {
        return refuse(
            by,
            message!("above-main-bet", "{amount} is more than the main bet of {main}", amount, main),
        );
    }
    if amount > offer.maximum {
        return refuse(
            side.most,
            message!(
                "above-side-maximum",
                "{amount} is above the maximum of {maximum}",
                amount,
                maximum = offer.maximum
            ),
        );
    }
    chips(choices, amount, side.chips)?;
    let odd = |pays| matches!(pays, Pays::Odds(odds) if odds.on(amount).is_none());
    if own::lines(choices, wager).iter().any(|line| odd(line.pays)) {
        return refuse(side.by, not_paid(amount));
    }
    Ok(())
}
