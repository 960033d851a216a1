//! How much may be wagered: the required wagers, doubling, attack and insurance money, and the side wagers.

use crate::card::Card;
use crate::choice::{AttackAmount, Choices, Game, HoleCard, Variation};
use crate::clause::Clause;
use crate::odds::{Cents, Odds};
use crate::play::Refusal;
use crate::script::Offer;
use crate::wager::{SideBet, SideWager};

/// 2.3(d): every wager at 6 to 5 is a multiple of five dollars.
const SIX_TO_FIVE_UNIT: Cents = Cents::dollars(5);

fn refuse<T>(by: Clause, why: String) -> Result<T, Refusal> {
    Err(Refusal::new(by, why))
}

/// 2.3(d)#4 for every amount at a 6 to 5 table; no other unit is prescribed anywhere.
fn unit(choices: &Choices, amount: Cents) -> Result<(), Refusal> {
    if choices.variation == Variation::SixToFive && amount.0 % SIX_TO_FIVE_UNIT.0 != 0 {
        return refuse(clause!("19:47-2.3(d)#4"), format!("{amount} is not a multiple of five dollars"));
    }
    Ok(())
}

/// Where each text asks for the required wager.
pub fn required_wager_by(choices: &Choices) -> Clause {
    match (choices.game, choices.variation) {
        (Game::Blackjack, Variation::MultipleAction) => clause!("19:47-2.18(b)"),
        (Game::Blackjack, _) => clause!("19:47-2.3(a)"),
        (Game::Switch, _) => clause!("19:47-2A.5(a)"),
        (Game::DoubleAttack, _) => clause!("19:47-26.1 \"Initial wager\""),
        (Game::TripleAttack, _) => clause!("19:47-36.1 \"First attack wager\""),
    }
}

/// The posted limits, the unit of the variation, and no fractions of a cent in any payment that could follow.
pub fn required_wager(choices: &Choices, amount: Cents) -> Result<(), Refusal> {
    let by = required_wager_by(choices);
    if amount < choices.minimum || amount <= Cents::ZERO {
        let by = if choices.game == Game::Switch { clause!("19:47-2A.5(a)#2") } else { by };
        return refuse(by, format!("{amount} is below the table minimum of {}", choices.minimum));
    }
    if amount > choices.maximum {
        return refuse(by, format!("{amount} is above the table maximum of {}", choices.maximum));
    }
    unit(choices, amount)?;
    // Q36: no clause rounds a payment, so an amount that would make one necessary is not accepted
    let needs_halves = choices.surrender.is_yes() || choices.bonus_payouts.three_sevens.is_yes();
    let halves = needs_halves && amount.half().is_none();
    if halves || choices.blackjack_odds().on(amount).is_none() {
        return refuse(by, format!("{amount} cannot be paid or halved in whole cents"));
    }
    Ok(())
}

/// 2.10(a)#3, 2A.10(a), 26.9(a), 36.8(a): any amount up to what is staked on the hand.
pub fn double(choices: &Choices, amount: Cents, staked: Cents) -> Result<(), Refusal> {
    let by = match choices.game {
        Game::Blackjack => clause!("19:47-2.10(a)#3"),
        Game::Switch => clause!("19:47-2A.10(a)"),
        Game::DoubleAttack => clause!("19:47-26.9(a)#3"),
        Game::TripleAttack => clause!("19:47-36.8(a)#3"),
    };
    if amount <= Cents::ZERO || amount > staked {
        return refuse(by, format!("a double may be any amount up to {staked}, not {amount}"));
    }
    unit(choices, amount)?;
    // 26.8(a)#4 halves a doubled stake, 2.3(e)2 pays it 3 to 2; neither is rounded (Q36)
    let needs_halves = choices.game == Game::DoubleAttack || choices.bonus_payouts.three_sevens.is_yes();
    if needs_halves && amount.half().is_none() {
        return refuse(by, format!("{amount} cannot be paid or halved in whole cents"));
    }
    Ok(())
}

/// 26.1, 26.7(d), 36.1, 36.7(d.2), (e): up to the first wager, or exactly that where the table says so (A1).
pub fn attack(choices: &Choices, offer: Offer, amount: Cents, first: Cents) -> Result<(), Refusal> {
    let (up_to, equal) = match (choices.game, offer) {
        (Game::DoubleAttack, _) => {
            (clause!("19:47-26.1 \"Double attack wager\""), clause!("19:47-26.7(d)#3"))
        }
        (_, Offer::ThirdAttack) => (clause!("19:47-36.1 \"Third attack wager\""), clause!("19:47-36.7(e)")),
        _ => (clause!("19:47-36.1 \"Second attack wager\""), clause!("19:47-36.7(d.2)")),
    };
    if amount <= Cents::ZERO || amount > first {
        return refuse(up_to, format!("an attack wager may not exceed the first wager of {first}"));
    }
    if choices.attack_amount == AttackAmount::Equal && amount != first {
        return refuse(equal, format!("an attack wager must equal the first wager of {first}"));
    }
    if choices.game == Game::DoubleAttack && amount.half().is_none() {
        return refuse(up_to, format!("{amount} cannot be halved in whole cents"));
    }
    Ok(())
}

/// 2.9(a), 2A.8(a), 26.11(a), 36.10(a): the right to insure.
pub fn insurance_by(choices: &Choices) -> Clause {
    match choices.game {
        Game::Blackjack if choices.hole_card == HoleCard::Up => clause!("19:47-2.6(k)3#2"),
        Game::Blackjack => clause!("19:47-2.9(a)"),
        Game::Switch => clause!("19:47-2A.8(a)"),
        Game::DoubleAttack => clause!("19:47-26.11(a)"),
        Game::TripleAttack => clause!("19:47-36.10(a)"),
    }
}

/// 2.9(a), 2A.8(a), 26.11(a), 36.10(a): whether this up card gives the right to insure; 2.6(k)3: never beside an open one.
pub fn may_insure(choices: &Choices, up: Option<Card>) -> Result<Clause, Refusal> {
    let by = insurance_by(choices);
    if choices.game == Game::Blackjack && choices.hole_card == HoleCard::Up {
        return Err(Refusal::new(by, "there is no insurance with the hole card face up"));
    }
    if !up.is_some_and(|up| up.is_ace()) {
        return Err(Refusal::new(by, "insurance is offered only when the dealer shows an ace"));
    }
    Ok(by)
}

/// 2.9(b), 2A.8(b), 26.11(b), 36.10(b): half of the wager, or the next unit that can be made in chips.
///
/// `wager` is the initial wager of the hand (of the spot in multiple action, all attack wagers in Triple Attack).
pub fn most_insurance(choices: &Choices, wager: Cents) -> Cents {
    let chip = match choices.variation {
        Variation::SixToFive => choices.chip.max(SIX_TO_FIVE_UNIT),
        _ => choices.chip,
    };
    let chip = chip.0.max(1);
    Cents((wager.0 + 2 * chip - 1) / (2 * chip) * chip)
}

/// 2.9(b), 2A.8(b), 26.11(b), 36.10(b).
pub fn insurance(choices: &Choices, amount: Cents, wager: Cents) -> Result<(), Refusal> {
    let by = match choices.game {
        Game::Blackjack => clause!("19:47-2.9(b)"),
        Game::Switch => clause!("19:47-2A.8(b)"),
        Game::DoubleAttack => clause!("19:47-26.11(b)"),
        Game::TripleAttack => clause!("19:47-36.10(b)"),
    };
    let most = most_insurance(choices, wager);
    if amount <= Cents::ZERO || amount > most {
        return refuse(by, format!("insurance may be at most {most}, half of {wager}"));
    }
    unit(choices, amount)?;
    let odds = if choices.game == Game::DoubleAttack { Odds::new(5, 2) } else { Odds::to_1(2) };
    if odds.on(amount).is_none() {
        return refuse(by, format!("{amount} cannot be paid in whole cents"));
    }
    Ok(())
}

/// The clauses that bound each side wager: that it needs a main wager, its least, its most.
struct SideLimits {
    least: Clause,
    main: Option<Clause>,
    most: Clause,
}

fn side_limits(choices: &Choices, wager: SideWager) -> SideLimits {
    match (wager, choices.game) {
        (SideWager::OverUnder13 | SideWager::SameSuit | SideWager::Sevens, _) => SideLimits {
            least: clause!("19:47-2.17(h)"),
            main: Some(clause!("19:47-2.17(g)1")),
            most: clause!("19:47-2.17(g)2"),
        },
        (SideWager::Progressive, _) => {
            SideLimits { least: clause!("19:47-2.19(a)"), main: None, most: clause!("19:47-2.19(a)") }
        }
        (SideWager::BlackjackBonus, _) => {
            SideLimits { least: clause!("19:47-2.20(a)"), main: None, most: clause!("19:47-2.20(a)") }
        }
        (SideWager::Streak, _) => {
            SideLimits { least: clause!("19:47-2.22(b)"), main: None, most: clause!("19:47-2.22(b)") }
        }
        (SideWager::MatchTheDealer, _) => {
            SideLimits { least: clause!("19:47-2.23(c)#2"), main: None, most: clause!("19:47-2.23(c)#2") }
        }
        (SideWager::TwentyPoint, _) => {
            SideLimits { least: clause!("19:47-2.24(c)#3"), main: None, most: clause!("19:47-2.24(c)#3") }
        }
        (SideWager::DealerBust, Game::DoubleAttack) => SideLimits {
            least: clause!("19:47-26.6(b)#2"),
            main: Some(clause!("19:47-26.6(b)1")),
            most: clause!("19:47-26.6(b)2"),
        },
        (SideWager::DealerBust, _) => SideLimits {
            least: clause!("19:47-2.25(c)"),
            main: Some(clause!("19:47-2.25(c)")),
            most: clause!("19:47-2.25(c)"),
        },
        (SideWager::Match, _) => {
            SideLimits { least: clause!("19:47-2A.6(b)#3"), main: None, most: clause!("19:47-2A.6(b)#3") }
        }
        (SideWager::SuitedRoyals | SideWager::TripleMatch, _) => SideLimits {
            least: clause!("19:47-36.6(b)#2"),
            main: Some(clause!("19:47-36.6(b)1")),
            most: clause!("19:47-36.6(b)2"),
        },
    }
}

/// Why a side wager is not there to be made.
fn not_offered(choices: &Choices, wager: SideWager) -> Refusal {
    Refusal::new(wager.refused_by(choices.game), format!("{} is not offered at this table", wager.word()))
}

/// What may be staked on a side wager beside this main wager (in multiple action the smallest, Q20).
pub fn side_wager(choices: &Choices, bet: SideBet, amount: Cents, main: Cents) -> Result<(), Refusal> {
    let wager = bet.wager();
    let Some(offer) = choices.offer(wager) else {
        return Err(not_offered(choices, wager));
    };
    let limits = side_limits(choices, wager);
    match wager {
        // 2.17(a)3.i
        SideWager::Sevens if amount != Cents::dollars(1) => {
            return refuse(clause!("19:47-2.17(a)3.i"), format!("the sevens wager is 1.00, not {amount}"));
        }
        // 2.19(a)
        SideWager::Progressive if amount != Cents::dollars(1) => {
            return refuse(clause!("19:47-2.19(a)"), format!("the progressive wager is 1.00, not {amount}"));
        }
        // 2.20(a)
        SideWager::BlackjackBonus if !offer.awards.contains_key(&amount) => {
            return refuse(
                clause!("19:47-2.20(a)"),
                format!("the bonus wager is 1.00 or 5.00, not {amount}"),
            );
        }
        _ => {}
    }
    if amount <= Cents::ZERO || amount < offer.minimum {
        return refuse(limits.least, format!("{amount} is below the minimum of {}", offer.minimum));
    }
    if let Some(by) = limits.main
        && amount > main
    {
        return refuse(by, format!("{amount} is more than the main wager of {main}"));
    }
    if amount > offer.maximum {
        return refuse(limits.most, format!("{amount} is above the maximum of {}", offer.maximum));
    }
    unit(choices, amount)?;
    let table = crate::wager::paytable(choices, wager);
    let fraction = table.is_some_and(|t| {
        t.lines
            .iter()
            .any(|line| matches!(line.pays, crate::wager::Pays::Odds(odds) if odds.on(amount).is_none()))
    });
    if fraction {
        return refuse(wager.offered_by(choices.game), format!("{amount} cannot be paid in whole cents"));
    }
    Ok(())
}
