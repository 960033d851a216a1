//! Events as people see them: in words for programs, with the clause, and without what must stay hidden.

use super::deed::{approval_words, irregularity_word, offer_word, role_word, side_word, step_word};
use super::live::By;
use super::seats::Seats;
use super::told::{Details, Told, details};
use ledger::PersonId;
use table::event::{Announcement, Finding};
use table::shoe::Procedure;
use table::{Event, Fact, Person, Place, Settlement};

/// What is shown of an event. `hidden` says that the card dealt is still face down.
pub fn view(by: By, event: &Event, seats: &Seats, hidden: bool) -> Told {
    let (name, details) = describe(&event.fact, seats, hidden);
    Told { event: name, details, clause: event.by.citation(), by }
}

fn who(seats: &Seats, person: Person) -> Option<PersonId> {
    seats.seat(person).map(|seat| seat.person)
}

pub fn settlement(s: &Settlement, seats: &Seats) -> Details {
    details!({
        "box": s.box_id.0, "hand": s.hand.0, "person": who(seats, s.person), "wager": s.wager.name(),
        "spot": s.spot.0 + 1, "amount": s.staked, "net": s.net, "result": s.ending.word(),
        "when": s.when.word(),
    })
}

fn procedure(step: Procedure, seats: &Seats) -> Details {
    match step {
        Procedure::Cut { by, at } => details!({ "step": "cut", "box": by.map(|b| b.0), "at": at }),
        Procedure::PlaceCuttingCard { behind } => {
            details!({ "step": "place-cutting-card", "behind": behind })
        }
        Procedure::VerifyTens(person) => details!({ "step": "verify-tens", "person": who(seats, person) }),
        step => details!({ "step": step_word(step) }),
    }
}

fn announcement(words: Announcement) -> Details {
    match words {
        Announcement::NoMoreBets => details!({ "words": "no more bets" }),
        Announcement::DealersCard => details!({ "words": "dealer's card" }),
        Announcement::Blackjack(b) => details!({ "words": "blackjack", "box": b.0 }),
        Announcement::SplittingSevens(b) => details!({ "words": "splitting sevens", "box": b.0 }),
        Announcement::DealerTotal(total) => details!({ "words": "dealer's total", "total": total }),
        Announcement::OrSwitch(b, hand, total) => {
            details!({ "words": "total, or switch", "box": b.0, "hand": hand.0, "total": total })
        }
        Announcement::PlayerTotal(b, hand, total) => {
            details!({ "words": "total", "box": b.0, "hand": hand.0, "total": total })
        }
        Announcement::Bonus(b, bettor, amount) => {
            details!({ "words": "bonus", "box": b.0, "bettor": bettor.0, "amount": amount })
        }
    }
}

fn describe(fact: &Fact, seats: &Seats, hidden: bool) -> (&'static str, Details) {
    let bb = |b: table::BoxId, bettor: table::Bettor| details!({ "box": b.0, "bettor": bettor.0 });
    let bh = |b: table::BoxId, hand: table::HandNumber| details!({ "box": b.0, "hand": hand.0 });
    match *fact {
        Fact::Performed(step) => ("performed", procedure(step, seats)),
        Fact::CutOffered(b) => ("cut-offered", details!({ "box": b.0 })),
        Fact::CutDeclined(b) => ("cut-declined", details!({ "box": b.0 })),
        Fact::CuttingCardOut(to) => ("cutting-card-out", details!({ "to": to })),
        Fact::Burned(_) => ("burned", details!({})),
        Fact::BurnDisclosed(card) => ("burn-disclosed", details!({ "card": card })),
        Fact::SetAside(card) => ("set-aside", details!({ "card": card })),
        Fact::Destroyed(card) => ("destroyed", details!({ "card": card })),
        Fact::Determined { card, drawn_from, deals } => (
            "determined",
            details!({ "card": card, "drawn_from": side_word(drawn_from), "deals": side_word(deals),
                "burned": drawn_from != deals }),
        ),
        Fact::DealerRelieved(person) => ("dealer-relieved", details!({ "person": who(seats, person) })),
        Fact::ReshuffleOrdered => ("reshuffle-ordered", details!({})),
        Fact::RecutOrdered => ("recut-ordered", details!({})),
        Fact::FellIdle => ("fell-idle", details!({})),
        Fact::CardsRemoved(b) => ("cards-removed", details!({ "box": b.0 })),
        Fact::CardsLookedAt(b) => ("cards-looked-at", details!({ "box": b.0 })),
        Fact::CardsTurned(b) => ("cards-turned", details!({ "box": b.0 })),
        Fact::CardsThrownIn { box_id, hand } => ("cards-thrown-in", bh(box_id, hand)),
        Fact::UpCardFound(card) => ("up-card-found", details!({ "card": card })),
        Fact::UpCardPutBack(card) => ("up-card-put-back", details!({ "card": card })),
        Fact::Seated { box_id, person } => {
            ("seated", details!({ "box": box_id.0, "person": who(seats, person) }))
        }
        Fact::Consented(b) => ("consented", details!({ "box": b.0 })),
        Fact::Admitted(person) => ("admitted", details!({ "person": who(seats, person) })),
        Fact::Wagered { box_id, person, seated, amounts: made } => (
            "wagered",
            details!({ "box": box_id.0, "person": who(seats, person), "seated": seated, "amounts": made }),
        ),
        Fact::SideWagered { box_id, bettor, bet, amount } => (
            "side-wagered",
            details!({ "box": box_id.0, "bettor": bettor.0, "wager": bet.name(), "amount": amount }),
        ),
        Fact::Withdrawn { box_id, bettor } => ("withdrawn", bb(box_id, bettor)),
        Fact::WagersClosed => ("wagers-closed", details!({})),
        Fact::MeterRaised { by_amount, meter } => {
            ("meter-raised", details!({ "amount": by_amount, "meter": meter }))
        }
        Fact::Dealt { to, card } => {
            let shown = card.filter(|_| !hidden && to != Place::HoleDown);
            ("dealt", details!({ "to": to, "card": shown }))
        }
        Fact::Announced(words) => ("announced", announcement(words)),
        Fact::Attacked { box_id, bettor, offer, amount } => (
            "attacked",
            details!({ "box": box_id.0, "bettor": bettor.0, "offer": offer_word(offer), "amount": amount }),
        ),
        Fact::Declined { box_id, bettor, offer } => {
            ("declined", details!({ "box": box_id.0, "bettor": bettor.0, "offer": offer_word(offer) }))
        }
        Fact::Insured { box_id, bettor, hand, amounts: made } => {
            ("insured", details!({ "box": box_id.0, "bettor": bettor.0, "hand": hand.0, "amounts": made }))
        }
        Fact::EvenMoneyTaken { box_id, bettor } => ("even-money-taken", bb(box_id, bettor)),
        Fact::ReaderUsed(finding) => {
            ("reader-used", details!({ "blackjack": finding == Finding::Blackjack }))
        }
        Fact::SwitchDeclined(b) => ("switch-declined", details!({ "box": b.0 })),
        Fact::Switched(b) => ("switched", details!({ "box": b.0 })),
        Fact::Revoked(b) => ("revoked", details!({ "box": b.0 })),
        Fact::Stood { box_id, hand } => ("stood", bh(box_id, hand)),
        Fact::Drew { box_id, hand } => ("drew", bh(box_id, hand)),
        Fact::Doubled { box_id, hand, bettor, amounts: made, face_down } => (
            "doubled",
            details!({ "box": box_id.0, "hand": hand.0, "bettor": bettor.0, "amounts": made, "face_down": face_down }),
        ),
        Fact::NotDoubled { box_id, hand, bettor } => {
            ("not-doubled", details!({ "box": box_id.0, "hand": hand.0, "bettor": bettor.0 }))
        }
        Fact::Split { box_id, hand, new } => {
            ("split", details!({ "box": box_id.0, "hand": hand.0, "new": new.0 }))
        }
        Fact::Covered { box_id, bettor } => ("covered", bb(box_id, bettor)),
        Fact::Followed { box_id, bettor, hand } => {
            ("followed", details!({ "box": box_id.0, "bettor": bettor.0, "hand": hand.0 }))
        }
        Fact::Surrendered { box_id, hand } => ("surrendered", bh(box_id, hand)),
        Fact::SevensCard { box_id, taken } => ("sevens-card", details!({ "box": box_id.0, "taken": taken })),
        Fact::LateCard { box_id, taken } => ("late-card", details!({ "box": box_id.0, "taken": taken })),
        Fact::Refused(b) => ("card-refused", details!({ "box": b.0 })),
        Fact::HoleTurned(card) => ("hole-turned", details!({ "card": card })),
        Fact::DoubleTurned { box_id, hand } => ("double-turned", bh(box_id, hand)),
        Fact::CardsTucked(b) => ("cards-tucked", details!({ "box": b.0 })),
        Fact::Approved { what, by, person } => {
            let (word, b, bettor) = approval_words(what);
            let details = details!({ "what": word, "box": b.0, "bettor": bettor.0, "role": role_word(by),
                "person": who(seats, person) });
            ("approved", details)
        }
        Fact::Awarded { box_id, bettor, amount } => {
            ("awarded", details!({ "box": box_id.0, "bettor": bettor.0, "amount": amount }))
        }
        Fact::Settled(ref s) => ("settled", settlement(s, seats)),
        Fact::LammerMoved { box_id, bettor, to } => {
            ("lammer-moved", details!({ "box": box_id.0, "bettor": bettor.0, "to": to }))
        }
        Fact::NextDealerHand(spot) => ("next-dealer-hand", details!({ "spot": spot.0 + 1 })),
        Fact::MeterReset(meter) => ("meter-reset", details!({ "meter": meter })),
        Fact::PickedUp => ("picked-up", details!({})),
        Fact::Irregular(irregularity) => {
            ("irregularity", details!({ "name": irregularity_word(irregularity) }))
        }
        Fact::SupervisorNotified => ("supervisor-notified", details!({})),
        Fact::LightOn(b) => ("light-on", details!({ "box": b.0 })),
        Fact::LightsCounted(count) => ("lights-counted", details!({ "count": count })),
        Fact::CardsVerified { box_id, bettor } => ("cards-verified", bb(box_id, bettor)),
        Fact::LightVerified { box_id, bettor } => ("light-verified", bb(box_id, bettor)),
        Fact::AmountVerified { box_id, bettor, amount } => {
            ("amount-verified", details!({ "box": box_id.0, "bettor": bettor.0, "amount": amount }))
        }
        Fact::ButtonPlaced { box_id, bettor } => ("button-placed", bb(box_id, bettor)),
        Fact::Voided => ("voided", details!({})),
        Fact::Reversed(ref s) => ("reversed", settlement(s, seats)),
    }
}

#[cfg(test)]
mod tests {
    /// An event that the page had no words for would be shown by its bare name.
    #[test]
    fn the_page_has_words_for_every_event() {
        let page = include_str!("../../web/page/tell.js");
        let source = include_str!("fact.rs").split("#[cfg(test)]").next().unwrap();
        let described: Vec<&str> = source.split("fn describe(").nth(1).unwrap().split('"').collect();
        let names: Vec<&str> = described
            .windows(3)
            .filter(|part| part[0].trim_end().ends_with('(') && part[2].starts_with(','))
            .map(|part| part[1])
            .collect();
        assert!(names.len() > 60, "{names:?}");
        for name in names {
            assert!(page.contains(&format!("case '{name}':")), "{name} is not told in words");
        }
    }
}
