//! Computes the twenty point bonus bet (2.24).
//!
//! The report covers the dealer's blackjack with the queens of hearts, both readings of ace and nine, and the
//! aggregate maximum.

use crate::dealt::Dealt;
use crate::prize::{paytable_name, prizes};
use crate::report::{SideReport, Variant, edge, side_report};
use rules::ruling::AceNineTwenty;
use rules::wager::{Pays, own, twenty};
use rules::{Cents, SideBet};

/// Returns the report on the twenty point bonus bet (2.24(f)).
///
/// Assumes that only one box plays the bet.
pub fn twenty_point(choices: &Dealt<'_>, bet: SideBet) -> SideReport {
    let wager = bet.wager();
    let found = prizes(choices, bet, Cents::ZERO);
    let paytable = paytable_name(choices, wager);
    let mut report = side_report(bet, paytable, &found);
    for &reading in AceNineTwenty::ALL {
        if reading != choices.rulings.ace_nine_twenty {
            let other = choices.changed(|other| other.rulings.ace_nine_twenty = reading);
            report.variants.push(Variant::new(
                format!("rulings.ace_nine_twenty={}", reading.word()),
                edge(&prizes(&other, bet, Cents::ZERO)),
            ));
        }
    }
    let top = own::lines(choices, wager).first().map(|line| line.pays);
    let offer = choices.offer(wager);
    if let (Some(cap), Some(Pays::Odds(odds))) = (offer.and_then(|offer| offer.cap), top) {
        let unaffected = Cents(cap.0 / i64::from(odds.pays().max(1)) * i64::from(odds.per()));
        report.notes.push(format!(
            "all queen of hearts pairs with a dealer blackjack together win at most ${cap} per round (19:47-2.24(h)), \
                so the figures hold for bets up to ${unaffected}"
        ));
    } else if let Some(offer) = offer {
        report.notes.push(format!(
            "the table sets no maximum on the total payout for queen of hearts pairs with a dealer \
                blackjack; a maximum of ${} or more is allowed (19:47-2.24(h))",
            twenty::least_cap(choices, offer.minimum)
        ));
    }
    report
}
