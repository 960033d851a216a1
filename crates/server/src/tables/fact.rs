//! Events as people see them: in words for programs, with the clause, and without what must stay hidden.

use super::live::By;
use super::seats::Seats;
use super::told::{Details, Told, details};
use ledger::PersonId;
use table::event::{Announcement, Finding};
use table::shoe::Procedure;
use table::{Event, Fact, Person, Place, Settlement, Word};

/// Returns the view of an event. `hidden` means that the dealt card is still face down.
pub fn view(by: By, event: &Event, seats: &Seats, hidden: bool) -> Told {
    let details = describe(&event.fact, seats, hidden);
    Told { event: event.fact.word(), details, clause: event.by.citation(), by }
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
    let word = step.word();
    match step {
        Procedure::Cut { by, at } => details!({ "step": word, "box": by.map(|b| b.0), "at": at }),
        Procedure::PlaceCuttingCard { behind } => details!({ "step": word, "behind": behind }),
        Procedure::VerifyTens(person) => details!({ "step": word, "person": who(seats, person) }),
        _ => details!({ "step": word }),
    }
}

fn announcement(said: Announcement) -> Details {
    let words = said.word();
    match said {
        Announcement::NoMoreBets | Announcement::DealersCard => details!({ "words": words }),
        Announcement::Blackjack(b) | Announcement::SplittingSevens(b) => {
            details!({ "words": words, "box": b.0 })
        }
        Announcement::DealerTotal(total) => details!({ "words": words, "total": total }),
        Announcement::OrSwitch(b, hand, total) | Announcement::PlayerTotal(b, hand, total) => {
            details!({ "words": words, "box": b.0, "hand": hand.0, "total": total })
        }
        Announcement::Bonus(b, bettor, amount) => {
            details!({ "words": words, "box": b.0, "bettor": bettor.0, "amount": amount })
        }
    }
}

fn describe(fact: &Fact, seats: &Seats, hidden: bool) -> Details {
    match *fact {
        Fact::Burned(_)
        | Fact::ReshuffleOrdered
        | Fact::RecutOrdered
        | Fact::FellIdle
        | Fact::WagersClosed
        | Fact::PickedUp
        | Fact::SupervisorNotified
        | Fact::Voided => details!({}),
        Fact::CutOffered(b)
        | Fact::CutDeclined(b)
        | Fact::BatchAskedFor(b)
        | Fact::CardsRemoved(b)
        | Fact::CardsLookedAt(b)
        | Fact::CardsTurned(b)
        | Fact::CardsTucked(b)
        | Fact::Consented(b)
        | Fact::SwitchDeclined(b)
        | Fact::Switched(b)
        | Fact::Revoked(b)
        | Fact::Refused(b)
        | Fact::LightOn(b) => details!({ "box": b.0 }),
        Fact::BurnDisclosed(card)
        | Fact::SetAside(card)
        | Fact::Destroyed(card)
        | Fact::UpCardFound(card)
        | Fact::UpCardPutBack(card)
        | Fact::HoleTurned(card) => details!({ "card": card }),
        Fact::CardsThrownIn { box_id, hand }
        | Fact::Stood { box_id, hand }
        | Fact::Drew { box_id, hand }
        | Fact::Surrendered { box_id, hand }
        | Fact::DoubleTurned { box_id, hand } => details!({ "box": box_id.0, "hand": hand.0 }),
        Fact::Withdrawn { box_id, bettor }
        | Fact::EvenMoneyTaken { box_id, bettor, .. }
        | Fact::Covered { box_id, bettor }
        | Fact::CardsVerified { box_id, bettor }
        | Fact::LightVerified { box_id, bettor }
        | Fact::ButtonPlaced { box_id, bettor } => details!({ "box": box_id.0, "bettor": bettor.0 }),
        Fact::Awarded { box_id, bettor, amount } | Fact::AmountVerified { box_id, bettor, amount } => {
            details!({ "box": box_id.0, "bettor": bettor.0, "amount": amount })
        }
        Fact::SevensCard { box_id, taken } | Fact::LateCard { box_id, taken } => {
            details!({ "box": box_id.0, "taken": taken })
        }
        Fact::Settled(ref s) | Fact::Reversed(ref s) => settlement(s, seats),
        Fact::Performed(step) => procedure(step, seats),
        Fact::CuttingCardOut(to) => details!({ "to": to }),
        Fact::Determined { card, drawn_from, deals } => details!({
            "card": card, "drawn_from": drawn_from.word(), "deals": deals.word(), "burned": drawn_from != deals,
        }),
        Fact::DealerRelieved(person) | Fact::Admitted(person) => {
            details!({ "person": who(seats, person) })
        }
        Fact::Seated { box_id, person } => details!({ "box": box_id.0, "person": who(seats, person) }),
        Fact::Wagered { box_id, person, seated, amounts } => {
            details!({ "box": box_id.0, "person": who(seats, person), "seated": seated, "amounts": amounts })
        }
        Fact::SideWagered { box_id, bettor, bet, amount } => {
            details!({ "box": box_id.0, "bettor": bettor.0, "wager": bet.name(), "amount": amount })
        }
        Fact::LightsCounted(count) => details!({ "count": count }),
        Fact::MeterRaised { by_amount, meter } => details!({ "amount": by_amount, "meter": meter }),
        Fact::MeterReset(meter) => details!({ "meter": meter }),
        Fact::Dealt { to, card } => {
            let shown = card.filter(|_| !hidden && to != Place::HoleDown);
            details!({ "to": to, "card": shown })
        }
        Fact::Announced(said) => announcement(said),
        Fact::Attacked { box_id, bettor, offer, amount } => {
            details!({ "box": box_id.0, "bettor": bettor.0, "offer": offer.word(), "amount": amount })
        }
        Fact::Declined { box_id, bettor, offer } => {
            details!({ "box": box_id.0, "bettor": bettor.0, "offer": offer.word() })
        }
        Fact::Insured { box_id, bettor, hand, amounts } => {
            details!({ "box": box_id.0, "bettor": bettor.0, "hand": hand.0, "amounts": amounts })
        }
        Fact::ReaderUsed(finding) => details!({ "blackjack": finding == Finding::Blackjack }),
        Fact::Doubled { box_id, hand, bettor, amounts, face_down } => details!({
            "box": box_id.0, "hand": hand.0, "bettor": bettor.0, "amounts": amounts, "face_down": face_down,
        }),
        Fact::NotDoubled { box_id, hand, bettor } => {
            details!({ "box": box_id.0, "hand": hand.0, "bettor": bettor.0 })
        }
        Fact::Split { box_id, hand, new } => {
            details!({ "box": box_id.0, "hand": hand.0, "new": new.0 })
        }
        Fact::Followed { box_id, bettor, hand } => {
            details!({ "box": box_id.0, "bettor": bettor.0, "hand": hand.0 })
        }
        Fact::Approved { what, by, person } => {
            let (b, bettor) = what.whose();
            details!({ "what": what.word(), "box": b.0, "bettor": bettor.0, "role": by.word(),
                "person": who(seats, person) })
        }
        Fact::LammerMoved { box_id, bettor, to } => {
            details!({ "box": box_id.0, "bettor": bettor.0, "to": to })
        }
        Fact::NextDealerHand(spot) => details!({ "spot": spot.0 + 1 }),
        Fact::Irregular(irregularity) => details!({ "name": irregularity.word() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::view::CORRECTED;
    use table::Irregularity;

    /// A word that the page does not tell would be shown bare, and one that it tells in vain is dead.
    #[test]
    fn the_page_tells_every_event_and_no_other() {
        let page = include_str!("../../web/page/tell.js");
        let told: Vec<&str> =
            page.split("case '").skip(1).filter_map(|rest| rest.split('\'').next()).collect();
        let words: Vec<&str> = Fact::WORDS.iter().copied().chain([CORRECTED]).collect();
        for word in &words {
            assert!(told.contains(word), "{word} is not told in words");
        }
        for word in told {
            assert!(words.contains(&word), "{word} is no event");
        }
    }

    #[test]
    fn the_page_names_every_irregularity() {
        let page = include_str!("../../web/page/words/en.json");
        for word in Irregularity::WORDS {
            let id = format!("\"term.irregularity.{}\": ", word.replace('-', "_"));
            assert!(page.contains(&id), "{word} has no name");
        }
    }
}
