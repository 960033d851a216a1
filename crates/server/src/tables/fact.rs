//! Events as people see them: in words for programs, with the clause, and without what must stay hidden.

use super::deed::{approval_words, irregularity_word, offer_word, role_word, step_word};
use super::live::By;
use super::seats::Seats;
use rules::Cents;
use serde_json::{Map, Value, json};
use table::event::{Announcement, Finding};
use table::ids::Side;
use table::shoe::Procedure;
use table::{Event, Fact, Person, Place, Settlement};

/// What is shown of an event. `hidden` says that the card dealt is still face down.
pub fn view(by: By, event: &Event, seats: &Seats, hidden: bool) -> Value {
    let (name, details) = describe(&event.fact, seats, hidden);
    let mut view = Map::new();
    view.insert("event".into(), name.into());
    if let Value::Object(details) = details {
        view.extend(details);
    }
    view.insert("clause".into(), event.by.citation().into());
    match by {
        By::Person => {}
        By::House => {
            view.insert("by".into(), "house".into());
        }
        By::Absent => {
            view.insert("by".into(), "platform-for-absent".into());
        }
    }
    Value::Object(view)
}

fn who(seats: &Seats, person: Person) -> Value {
    seats.seat(person).map_or(Value::Null, |seat| seat.person.0.into())
}

fn money(cents: Cents) -> Value {
    cents.to_string().into()
}

fn amounts(amounts: [Cents; 3]) -> Value {
    let made = amounts.iter().rposition(|c| *c > Cents::ZERO).map_or(0, |at| at + 1);
    amounts[..made].iter().map(|c| money(*c)).collect()
}

fn place(to: Place) -> Value {
    match to {
        Place::Hand(box_id, hand) => json!({ "box": box_id.0, "hand": hand.0 }),
        Place::Dealer => "dealer".into(),
        Place::HoleDown => "hole".into(),
        Place::Determinant => "determinant".into(),
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

pub fn settlement(s: &Settlement, seats: &Seats) -> Value {
    json!({
        "box": s.box_id.0, "hand": s.hand.0, "person": who(seats, s.person), "wager": s.wager.name(),
        "spot": s.spot.0 + 1, "amount": money(s.staked), "net": money(s.net), "result": s.ending.word(),
        "when": s.when.word(),
    })
}

fn procedure(step: Procedure, seats: &Seats) -> Value {
    match step {
        Procedure::Cut { by, at } => json!({ "step": "cut", "box": by.map(|b| b.0), "at": at }),
        Procedure::PlaceCuttingCard { behind } => json!({ "step": "place-cutting-card", "behind": behind }),
        Procedure::VerifyTens(person) => json!({ "step": "verify-tens", "person": who(seats, person) }),
        step => json!({ "step": step_word(step) }),
    }
}

fn announcement(words: Announcement) -> Value {
    match words {
        Announcement::NoMoreBets => json!({ "words": "no more bets" }),
        Announcement::DealersCard => json!({ "words": "dealer's card" }),
        Announcement::Blackjack(b) => json!({ "words": "blackjack", "box": b.0 }),
        Announcement::SplittingSevens(b) => json!({ "words": "splitting sevens", "box": b.0 }),
        Announcement::DealerTotal(total) => json!({ "words": "dealer's total", "total": total }),
        Announcement::OrSwitch(b, hand, total) => {
            json!({ "words": "total, or switch", "box": b.0, "hand": hand.0, "total": total })
        }
        Announcement::PlayerTotal(b, hand, total) => {
            json!({ "words": "total", "box": b.0, "hand": hand.0, "total": total })
        }
        Announcement::Bonus(b, bettor, amount) => {
            json!({ "words": "bonus", "box": b.0, "bettor": bettor.0, "amount": money(amount) })
        }
    }
}

fn describe(fact: &Fact, seats: &Seats, hidden: bool) -> (&'static str, Value) {
    let bb = |b: table::BoxId, bettor: table::Bettor| json!({ "box": b.0, "bettor": bettor.0 });
    let bh = |b: table::BoxId, hand: table::HandNumber| json!({ "box": b.0, "hand": hand.0 });
    match *fact {
        Fact::Performed(step) => ("performed", procedure(step, seats)),
        Fact::CutOffered(b) => ("cut-offered", json!({ "box": b.0 })),
        Fact::CutDeclined(b) => ("cut-declined", json!({ "box": b.0 })),
        Fact::CuttingCardOut(to) => ("cutting-card-out", json!({ "to": place(to) })),
        Fact::Burned(_) => ("burned", json!({})),
        Fact::BurnDisclosed(card) => ("burn-disclosed", json!({ "card": card.to_string() })),
        Fact::SetAside(card) => ("set-aside", json!({ "card": card.to_string() })),
        Fact::Destroyed(card) => ("destroyed", json!({ "card": card.to_string() })),
        Fact::Determined { card, drawn_from, deals } => (
            "determined",
            json!({ "card": card.to_string(), "drawn_from": side(drawn_from), "deals": side(deals),
                "burned": drawn_from != deals }),
        ),
        Fact::DealerRelieved(person) => ("dealer-relieved", json!({ "person": who(seats, person) })),
        Fact::ReshuffleOrdered => ("reshuffle-ordered", json!({})),
        Fact::RecutOrdered => ("recut-ordered", json!({})),
        Fact::FellIdle => ("fell-idle", json!({})),
        Fact::CardsRemoved(b) => ("cards-removed", json!({ "box": b.0 })),
        Fact::CardsLookedAt(b) => ("cards-looked-at", json!({ "box": b.0 })),
        Fact::CardsTurned(b) => ("cards-turned", json!({ "box": b.0 })),
        Fact::CardsThrownIn { box_id, hand } => ("cards-thrown-in", bh(box_id, hand)),
        Fact::UpCardFound(card) => ("up-card-found", json!({ "card": card.to_string() })),
        Fact::UpCardPutBack(card) => ("up-card-put-back", json!({ "card": card.to_string() })),
        Fact::Seated { box_id, person } => {
            ("seated", json!({ "box": box_id.0, "person": who(seats, person) }))
        }
        Fact::Consented(b) => ("consented", json!({ "box": b.0 })),
        Fact::Admitted(person) => ("admitted", json!({ "person": who(seats, person) })),
        Fact::Wagered { box_id, person, seated, amounts: made } => (
            "wagered",
            json!({ "box": box_id.0, "person": who(seats, person), "seated": seated, "amounts": amounts(made) }),
        ),
        Fact::SideWagered { box_id, bettor, bet, amount } => (
            "side-wagered",
            json!({ "box": box_id.0, "bettor": bettor.0, "wager": bet.name(), "amount": money(amount) }),
        ),
        Fact::Withdrawn { box_id, bettor } => ("withdrawn", bb(box_id, bettor)),
        Fact::WagersClosed => ("wagers-closed", json!({})),
        Fact::MeterRaised { by_amount, meter } => {
            ("meter-raised", json!({ "amount": money(by_amount), "meter": money(meter) }))
        }
        Fact::Dealt { to, card } => {
            let shown = card.filter(|_| !hidden && to != Place::HoleDown);
            ("dealt", json!({ "to": place(to), "card": shown.map(|c| c.to_string()) }))
        }
        Fact::Announced(words) => ("announced", announcement(words)),
        Fact::Attacked { box_id, bettor, offer, amount } => (
            "attacked",
            json!({ "box": box_id.0, "bettor": bettor.0, "offer": offer_word(offer), "amount": money(amount) }),
        ),
        Fact::Declined { box_id, bettor, offer } => {
            ("declined", json!({ "box": box_id.0, "bettor": bettor.0, "offer": offer_word(offer) }))
        }
        Fact::Insured { box_id, bettor, hand, amounts: made } => (
            "insured",
            json!({ "box": box_id.0, "bettor": bettor.0, "hand": hand.0, "amounts": amounts(made) }),
        ),
        Fact::EvenMoneyTaken { box_id, bettor } => ("even-money-taken", bb(box_id, bettor)),
        Fact::ReaderUsed(finding) => ("reader-used", json!({ "blackjack": finding == Finding::Blackjack })),
        Fact::SwitchDeclined(b) => ("switch-declined", json!({ "box": b.0 })),
        Fact::Switched(b) => ("switched", json!({ "box": b.0 })),
        Fact::Revoked(b) => ("revoked", json!({ "box": b.0 })),
        Fact::Stood { box_id, hand } => ("stood", bh(box_id, hand)),
        Fact::Drew { box_id, hand } => ("drew", bh(box_id, hand)),
        Fact::Doubled { box_id, hand, bettor, amounts: made, face_down } => (
            "doubled",
            json!({ "box": box_id.0, "hand": hand.0, "bettor": bettor.0, "amounts": amounts(made), "face_down": face_down }),
        ),
        Fact::NotDoubled { box_id, hand, bettor } => {
            ("not-doubled", json!({ "box": box_id.0, "hand": hand.0, "bettor": bettor.0 }))
        }
        Fact::Split { box_id, hand, new } => {
            ("split", json!({ "box": box_id.0, "hand": hand.0, "new": new.0 }))
        }
        Fact::Covered { box_id, bettor } => ("covered", bb(box_id, bettor)),
        Fact::Followed { box_id, bettor, hand } => {
            ("followed", json!({ "box": box_id.0, "bettor": bettor.0, "hand": hand.0 }))
        }
        Fact::Surrendered { box_id, hand } => ("surrendered", bh(box_id, hand)),
        Fact::SevensCard { box_id, taken } => ("sevens-card", json!({ "box": box_id.0, "taken": taken })),
        Fact::LateCard { box_id, taken } => ("late-card", json!({ "box": box_id.0, "taken": taken })),
        Fact::Refused(b) => ("card-refused", json!({ "box": b.0 })),
        Fact::HoleTurned(card) => ("hole-turned", json!({ "card": card.to_string() })),
        Fact::DoubleTurned { box_id, hand } => ("double-turned", bh(box_id, hand)),
        Fact::CardsTucked(b) => ("cards-tucked", json!({ "box": b.0 })),
        Fact::Approved { what, by, person } => {
            let (word, b, bettor) = approval_words(what);
            let details = json!({ "what": word, "box": b.0, "bettor": bettor.0, "role": role_word(by),
                "person": who(seats, person) });
            ("approved", details)
        }
        Fact::Awarded { box_id, bettor, amount } => {
            ("awarded", json!({ "box": box_id.0, "bettor": bettor.0, "amount": money(amount) }))
        }
        Fact::Settled(ref s) => ("settled", settlement(s, seats)),
        Fact::LammerMoved { box_id, bettor, to } => {
            ("lammer-moved", json!({ "box": box_id.0, "bettor": bettor.0, "to": to }))
        }
        Fact::NextDealerHand(spot) => ("next-dealer-hand", json!({ "spot": spot.0 + 1 })),
        Fact::MeterReset(meter) => ("meter-reset", json!({ "meter": money(meter) })),
        Fact::PickedUp => ("picked-up", json!({})),
        Fact::Irregular(irregularity) => ("irregularity", json!({ "name": irregularity_word(irregularity) })),
        Fact::SupervisorNotified => ("supervisor-notified", json!({})),
        Fact::LightOn(b) => ("light-on", json!({ "box": b.0 })),
        Fact::LightsCounted(count) => ("lights-counted", json!({ "count": count })),
        Fact::CardsVerified { box_id, bettor } => ("cards-verified", bb(box_id, bettor)),
        Fact::LightVerified { box_id, bettor } => ("light-verified", bb(box_id, bettor)),
        Fact::AmountVerified { box_id, bettor, amount } => {
            ("amount-verified", json!({ "box": box_id.0, "bettor": bettor.0, "amount": money(amount) }))
        }
        Fact::ButtonPlaced { box_id, bettor } => ("button-placed", bb(box_id, bettor)),
        Fact::Voided => ("voided", json!({})),
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
