//! Computes the blackjack bonus bet (2.20) from its award table.
//!
//! Each denomination is computed separately, with the range of awards that the regulation allows.

use crate::dealt::Dealt;
use crate::fraction::Fraction;
use crate::prize::paytable_name;
use crate::report::{BreakEven, Prize as Won, SideReport, Variant, edge, side_report};
use crate::tally::tally_from;
use rules::ruling::BonusPays;
use rules::wager::{PayLine, Prize, bonus};
use rules::{Cents, Choices, SideBet};
use std::collections::BTreeMap;

/// Returns a report for each denomination of the blackjack bonus that has awards (2.20(a)).
pub fn blackjack_bonus(choices: &Dealt<'_>) -> Vec<SideReport> {
    let Some((bet, offer)) = choices.bet_for(Prize::Button) else {
        return Vec::new();
    };
    let denomination = |(&wager, awards)| denomination(choices, bet, wager, awards);
    offer.awards.iter().filter_map(denomination).collect()
}

/// Returns the one winning paytable line of the blackjack bonus, and the probability of that line.
///
/// Returns `None` if the cards left in the shoe cannot make a blackjack.
fn blackjack(choices: &Dealt<'_>, bet: SideBet) -> Option<(PayLine, Fraction)> {
    let counted = tally_from(choices, bet)?;
    let &(line, ways) = counted.lines.first()?;
    Some((line, Fraction::of(ways, counted.of)?))
}

fn denomination(
    choices: &Dealt<'_>,
    bet: SideBet,
    wager: Cents,
    awards: &BTreeMap<Cents, u32>,
) -> Option<SideReport> {
    let (line, chance) = blackjack(choices, bet)?;
    let found = prizes(choices.rulings.bonus_pays, wager, awards, (line, &chance))?;
    let paytable = paytable_name(choices, bet.wager());
    let mut report = side_report(bet, paytable, &found);
    report.stake = Some(wager);
    let [_, most] = means(choices, wager)?;
    report.break_even = Some(BreakEven { of: "mean award", dollars: most.to_f64(), exact: most });
    for &reading in BonusPays::ALL {
        if reading != choices.rulings.bonus_pays {
            let edge = edge(&prizes(reading, wager, awards, (line, &chance))?);
            report.variants.push(Variant::new(format!("rulings.bonus_pays={}", reading.word()), edge));
        }
    }
    report.notes = notes(choices, wager).unwrap_or_default();
    Some(report)
}

fn prizes(
    pays: BonusPays,
    wager: Cents,
    awards: &BTreeMap<Cents, u32>,
    (line, blackjack): (PayLine, &Fraction),
) -> Option<Vec<Won>> {
    let weights: u64 = awards.values().map(|&weight| u64::from(weight)).sum();
    let prize = |(award, &weight): (&Cents, &u32)| {
        let won = Fraction::of(award.0, wager.0)?;
        Some(Won {
            outcome: format!("{}, and the bonus button shows ${award}", line.hand),
            chance: blackjack.clone() * Fraction::of(weight, weights)?,
            pays: format!("${award}"),
            net: match pays {
                BonusPays::ToOne => won,
                BonusPays::ForOne => won - Fraction::one(),
            },
            by: line.by,
        })
    };
    awards.iter().rev().filter(|&(_, &weight)| weight > 0).map(prize).collect()
}

/// Returns the lowest and the highest lawful mean award for the denomination `wager` of the bonus bet, in dollars
/// (2.20(k)).
///
/// The house advantage is 30 percent at the lowest mean award, and zero at the highest. In addition, 2.20(j)
/// requires each single award to be within [`bonus::LIMITS`]. Returns `None` if the table does not offer the bet.
pub fn lawful_means(choices: &Choices, wager: Cents) -> Option<[Fraction; 2]> {
    means(&Dealt::fresh(choices), wager)
}

fn means(choices: &Dealt<'_>, wager: Cents) -> Option<[Fraction; 2]> {
    let (bet, _) = choices.bet_for(Prize::Button)?;
    let (_, chance) = blackjack(choices, bet)?;
    let stake = Fraction::of(wager.0, Cents::dollars(1).0)?;
    let beside = match choices.rulings.bonus_pays {
        BonusPays::ToOne => Fraction::one(),
        BonusPays::ForOne => Fraction::zero(),
    };
    let mean = |returned: Fraction| Some(stake.clone() * (returned.over(&chance)? - beside.clone()));
    Some([mean(Fraction::of(7, 10)?)?, mean(Fraction::one())?])
}

fn notes(choices: &Choices, wager: Cents) -> Option<Vec<String>> {
    let [least, most] = lawful_means(choices, wager)?;
    let (_, lowest, highest) = bonus::LIMITS.into_iter().find(|(stake, ..)| *stake == wager)?;
    let cents = |amount: Fraction| amount * Fraction::whole(Cents::dollars(1).0);
    let (least, most) = (Cents(cents(least).ceil()?), Cents(cents(most).floor()?));
    Some(vec![
        format!(
            "for a bet of ${wager}, every award must be between ${lowest} and ${highest} (19:47-2.20(j))"
        ),
        format!(
            "the house advantage is between 0 and 30 percent if the average award is from ${least} to ${most} \
                (19:47-2.20(k))"
        ),
    ])
}
