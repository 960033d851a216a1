//! Computes the progressive bet (2.19): its house edge at the table's meter, the meter at which it is fair, and
//! variants.

use crate::dealt::Dealt;
use crate::fraction::Fraction;
use crate::prize::{of_tally, paytable_name};
use crate::report::{BreakEven, Prize, SideReport, Variant, edge, side_report};
use crate::tally::{Tally, tally_from, tally_of_two};
use rules::ruling::{ProgressivePays, ProgressiveSplitAces};
use rules::wager::{self, Pays, aces};
use rules::{Cents, Choices, SideBet};

/// Returns the meter for which the progressive bet's odds are computed: the table's meter, or its seed if no meter
/// is set.
///
/// Returns zero if the table does not offer the bet.
pub fn meter_shown(choices: &Choices) -> Cents {
    choices.bet_for(wager::Prize::Meter).map_or(Cents::ZERO, |(_, offer)| offer.meter.unwrap_or(offer.seed))
}

/// Returns the report on the progressive bet (2.19), or `None` if `bet` is a streak bet.
///
/// Assumes that only one box plays the bet, so that the meter is not shared.
pub fn progressive(choices: &Dealt<'_>, bet: SideBet) -> Option<SideReport> {
    let paid = meter_shown(choices);
    let counted = tally_from(choices, bet)?;
    let found = of_tally(choices, &counted, paid);
    let mut report = side_report(bet, paytable_name(choices, bet.wager()), &found);
    report.break_even = break_even(&found, &counted, paid);
    report.variants = variants(choices, bet, &counted, paid);
    report.notes = vec![
        format!("the figures are for a meter of ${paid}, before this round's bets are added to it (19:47-2.19(b))"),
        "the player takes another card with two or three aces; splitting them ends the series by ruling \
            progressive_split_aces=end".to_string(),
        "only one box is played, so the meter is not shared; several players with four aces of one color would share \
            it equally (19:47-2.19(h)#2)".to_string(),
    ];
    if let Some(cents) =
        report.break_even.as_ref().and_then(|even| (even.exact.clone() * Fraction::whole(100)).ceil())
    {
        report.notes.push(format!("the player has the edge once the meter pays more than ${}", Cents(cents)));
    }
    Some(report)
}

/// Returns the meter at which the house edge of the progressive bet is zero.
///
/// Each dollar in the meter lowers the house edge by the probability of the paytable line that pays the meter.
fn break_even(prizes: &[Prize], counted: &Tally, paid: Cents) -> Option<BreakEven> {
    let ways = counted.lines.iter().find(|(line, _)| line.pays == Pays::Meter)?.1;
    let chance = Fraction::of(ways, counted.of)?;
    let now = Fraction::of(paid.0, Cents::dollars(1).0)?;
    let exact = now + edge(prizes).over(&chance)?;
    Some(BreakEven { of: "meter", dollars: exact.to_f64(), exact })
}

fn variants(choices: &Dealt<'_>, bet: SideBet, counted: &Tally, paid: Cents) -> Vec<Variant> {
    let mut variants = Vec::new();
    for &reading in ProgressivePays::ALL {
        if reading != choices.rulings.progressive_pays {
            let other = choices.changed(|other| other.rulings.progressive_pays = reading);
            let edge = edge(&of_tally(&other, counted, paid));
            variants.push(Variant::new(format!("rulings.progressive_pays={}", reading.word()), edge));
        }
    }
    let Some(offer) = choices.offer(bet.wager()) else {
        return variants;
    };
    let registered = paid + aces::contribution(1, offer.rate);
    variants.push(Variant::new(
        "the meter including this bet's contribution, which 2.19(b) adds before the deal",
        edge(&of_tally(choices, counted, registered)),
    ));
    variants.push(Variant::new(
        "over many jackpots: every contribution is eventually won, and each jackpot starts at the seed",
        long_run(choices, bet, counted),
    ));
    if choices.rulings.progressive_split_aces == ProgressiveSplitAces::End {
        variants.push(Variant::new(
            "the player splits aces, which is the best play in the main game",
            edge(&split(choices, bet)),
        ));
    }
    variants
}

/// Returns the house edge of the progressive bet in the long run, when every dollar in the meter is paid out.
///
/// In the long run, a bet gets back the payouts of the fixed paytable lines, its own contribution to the meter,
/// and its chance of winning the seed.
fn long_run(choices: &Choices, bet: SideBet, counted: &Tally) -> Fraction {
    let Some(offer) = choices.offer(bet.wager()) else {
        return Fraction::zero();
    };
    let contribution = Fraction::whole(aces::contribution(1, offer.rate).0);
    let dollars = Fraction::of(1, Cents::dollars(1).0).unwrap_or_else(Fraction::zero);
    edge(&of_tally(choices, counted, offer.seed)) - contribution * dollars
}

/// Returns the prizes of the progressive bet if the player splits aces, which ends the series at two cards (Q27).
fn split(choices: &Dealt<'_>, bet: SideBet) -> Vec<Prize> {
    of_tally(choices, &tally_of_two(choices, bet), Cents::ZERO)
}
