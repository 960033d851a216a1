//! Computes the twenty point bonus bet, 2.24: the dealer blackjack with the queens of hearts, both readings of ace and
//! nine, and the aggregate maximum.

use crate::dealt::Dealt;
use crate::prize::{paytable_name, prizes};
use crate::report::{SideReport, Variant, edge, write_up};
use rules::ruling::AceNineTwenty;
use rules::wager::{Pays, own, twenty};
use rules::{Cents, SideBet, SideWager};

/// 2.24(f): reports the bet for one box.
pub fn twenty_point(choices: &Dealt<'_>) -> Option<SideReport> {
    let offer = choices.offer(SideWager::TwentyPoint)?;
    let found = prizes(choices, SideBet::TwentyPoint, Cents::ZERO);
    let paytable = paytable_name(choices, SideWager::TwentyPoint);
    let mut report = write_up(SideBet::TwentyPoint, paytable, &found);
    for &reading in AceNineTwenty::ALL {
        if reading != choices.rulings.ace_nine_twenty {
            let other = choices.changed(|other| other.rulings.ace_nine_twenty = reading);
            report.variants.push(Variant::new(
                format!("rulings.ace_nine_twenty={}", reading.word()),
                edge(&prizes(&other, SideBet::TwentyPoint, Cents::ZERO)),
            ));
        }
    }
    let top = own::lines(choices, SideWager::TwentyPoint).first()?.pays;
    if let (Some(cap), Pays::Odds(odds)) = (offer.cap, top) {
        let unaffected = Cents(cap.0 / i64::from(odds.pays().max(1)) * i64::from(odds.per()));
        report.notes.push(format!(
            "all queen of hearts pairs with a dealer blackjack win together at most ${cap} in a round (19:47-2.24(h)): the \
             figures hold for wagers up to ${unaffected}"
        ));
    } else {
        report.notes.push(format!(
            "no aggregate maximum is set; one may be, of at least ${} (19:47-2.24(h))",
            twenty::least_cap(choices, offer.minimum)
        ));
    }
    Some(report)
}
