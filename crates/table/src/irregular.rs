//! Irregularities as inputs: 2.15, 2A.15, MA 15, 26.15, 36.14. What may be reported when, and its cited remedy.

use crate::event::{Event, Fact};
use crate::ids::{BoxId, Place};
use crate::round::Hole;
use crate::shoe::Procedure;
use crate::table::{Awaiting, Table};
use rules::choice::ReaderReveals;
use rules::play::Refusal;
use rules::script::{Slot, Step};
use rules::{Card, Clause, HoleCard, Shoe, clause};

/// Something that went wrong at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Irregularity {
    /// (a): a card found face up in the shoe is not used.
    FoundFaceUp(Card),
    /// 26.15(b), 36.14(b): a ten found in a 48-card shoe.
    TenFound(Card),
    /// 2.15(b): a card drawn in error, its face not seen, is used as the next card.
    DrawnUnexposed,
    /// 2.15(c): a card drawn in error and seen; it is the next card, and may be refused.
    Exposed(Card),
    /// 2.15(d): the dealer drew although standing; the card is burned.
    DrewOnStanding(Card),
    /// 2.15(e), 26.15(d), 36.14(d): the dealer missed the own first card.
    MissedOwnCard,
    /// 2.15(g): a hand got none of the initial cards, or only one.
    MissedBox(BoxId),
    /// 2.15(i): a requested card was not dealt.
    MissedDraw(BoxId),
    /// 2.15(h): the round was dealt from the wrong side of a double shoe.
    WrongSide,
    /// 2.15(j): the hole card went into the reader although the up card was 2 to 9.
    ReaderMisused,
    /// 2.15(k).
    ReaderFailed,
    /// 2.15(l): the up card was not moved to the next hand's area.
    UpCardNotMoved,
    /// 2.15(m): the up card was put in the discard rack.
    UpCardDiscarded,
    /// 2.15(n): the light of a progressive betting area does not work.
    LightFailed(BoxId),
    /// 2.15(o): the bonus system shows no amount.
    BonusFailed(BoxId),
    /// 2.15(p): the double card was dealt face up although due face down.
    DoubleDealtUp(BoxId),
    /// 2.15(f) and counterparts: too few cards to finish the round.
    OutOfCards,
    /// 2A.15(i), 26.15(j), 36.14(j): the shuffling device jammed or stopped.
    ShufflerFailed,
    /// 2A.15(j), 26.15(k), 36.14(k): the device was taken off the table.
    ShufflerRemoved,
    /// MA 15(n) (A32): the burn was forgotten; the hand goes on.
    BurnForgotten,
    /// 2.4(c), 2A.3(c)#2, 26.3(c)#2, 36.3(c)#2: a card was turned over while mixing or stacking.
    SeenInMixing,
    /// MA 15(a): a misdelivered card that nobody can use is burned.
    Misdelivered(Card),
    /// MA 15(a)#2: a misdelivered card moves forward and is the next card, or the dealer's.
    MovedForward(Card),
    /// MA 15(a)#3: a player is let out of the hand in which a card was misdelivered.
    LetOut(BoxId),
}

impl Irregularity {
    /// Returns the card that the irregularity names.
    pub const fn card(self) -> Option<Card> {
        match self {
            Irregularity::FoundFaceUp(card)
            | Irregularity::TenFound(card)
            | Irregularity::Exposed(card)
            | Irregularity::DrewOnStanding(card)
            | Irregularity::Misdelivered(card)
            | Irregularity::MovedForward(card) => Some(card),
            Irregularity::MissedBox(_)
            | Irregularity::MissedDraw(_)
            | Irregularity::LightFailed(_)
            | Irregularity::BonusFailed(_)
            | Irregularity::DoubleDealtUp(_)
            | Irregularity::LetOut(_)
            | Irregularity::DrawnUnexposed
            | Irregularity::MissedOwnCard
            | Irregularity::WrongSide
            | Irregularity::ReaderMisused
            | Irregularity::ReaderFailed
            | Irregularity::UpCardNotMoved
            | Irregularity::UpCardDiscarded
            | Irregularity::OutOfCards
            | Irregularity::ShufflerFailed
            | Irregularity::ShufflerRemoved
            | Irregularity::BurnForgotten
            | Irregularity::SeenInMixing => None,
        }
    }

    /// Returns whether the card that the irregularity names is yet to be dealt, or refused and burned: 2.15(c),
    /// MA 15(a)#2.
    pub const fn stays_next(self) -> bool {
        matches!(self, Irregularity::Exposed(_) | Irregularity::MovedForward(_))
    }
}

impl Table {
    /// Returns the event of this irregularity with the clause of its remedy, or the reason why it cannot have
    /// happened now.
    pub(crate) fn report(&self, irregularity: Irregularity) -> Result<Event, Refusal> {
        let by = remedy_by(self, irregularity);
        let refuse = |why: &'static str| Err(Refusal::new(by, why));
        let in_round = self.round.step > 0;
        let awaiting = self.awaiting();
        let step = self.step();
        // 2.15(c): a card drawn in error is the next card, before any other that comes out of the shoe
        let waits = self.round.mishaps.exposed.is_some() && takes_a_card(irregularity);
        // 2.6(d)1: the first card that comes out of a double shoe is the determinant card, never one drawn in error
        let determines = awaiting == Some(Awaiting::Card(Place::Determinant));
        // 2.2(e): at 6 to 5 there is no other way to shuffle
        if let (Irregularity::ShufflerRemoved, Some(by)) = (irregularity, self.text().shuffle.device_only) {
            return Err(Refusal::new(
                by,
                "this game is dealt with a shuffling device; it stays on the table",
            ));
        }
        // 2.15(c): elsewhere a card that went to the wrong place was drawn in error, and is the next card or nobody's
        let misdelivery = matches!(
            irregularity,
            Irregularity::Misdelivered(_) | Irregularity::MovedForward(_) | Irregularity::LetOut(_)
        );
        if misdelivery && self.text().irregular.forward.is_none() {
            return refuse(
                "this text has no remedy for a misdelivered card; one drawn in error is the next card",
            );
        }
        let possible = match irregularity {
            _ if waits => false,
            Irregularity::Exposed(_) | Irregularity::Misdelivered(_) if determines => false,
            Irregularity::FoundFaceUp(card) => {
                let burning = awaiting == Some(Awaiting::Procedure(Procedure::Burn));
                (in_round || burning) && self.custody.may_hold(card)
            }
            Irregularity::Misdelivered(card) => {
                let decision = matches!(awaiting, Some(Awaiting::Decision(_)));
                in_round && (decision || self.shoe_card_awaited()) && self.custody.may_hold(card)
            }
            Irregularity::TenFound(card) => {
                in_round && !self.rules.deck().holds(card) && self.removed_found_by().is_some()
            }
            Irregularity::SeenInMixing => !in_round && self.custody.may_be_remixed(&self.rules),
            Irregularity::MovedForward(card) => {
                in_round && self.round.mishaps.exposed.is_none() && self.custody.may_hold(card)
            }
            Irregularity::LetOut(box_id) => {
                self.round.mishaps.misdelivered
                    && matches!(step, Step::Play | Step::SecondCard | Step::DealerDraws)
                    && self.round.co.is_none()
                    && self.round.box_at(box_id).is_some()
            }
            Irregularity::DrawnUnexposed => in_round,
            Irregularity::Exposed(card) => {
                in_round && self.round.mishaps.exposed.is_none() && self.custody.may_hold(card)
            }
            Irregularity::DrewOnStanding(card) => self.dealer_stands() && self.custody.may_hold(card),
            Irregularity::MissedOwnCard => self.own_card_can_be_missed(),
            Irregularity::MissedBox(box_id) => {
                matches!((step, awaiting), (Step::Deal(_), Some(Awaiting::Card(Place::Hand(to, _)))) if to == box_id)
            }
            Irregularity::MissedDraw(box_id) => {
                matches!((step, awaiting), (Step::Play, Some(Awaiting::Card(Place::Hand(to, _)))) if to == box_id)
            }
            Irregularity::WrongSide => in_round && self.rules.shoe == Shoe::Double,
            Irregularity::ReaderMisused => {
                in_round
                    && self.rules.hole_card == HoleCard::Reader
                    && self.round.up().is_some_and(|up| !rules::play::may_be_blackjack(up))
                    && matches!(self.round.hole, Hole::Down(_))
            }
            Irregularity::ReaderFailed => {
                self.rules.hole_card == HoleCard::Reader && !self.memory.reader_failed
            }
            Irregularity::UpCardNotMoved | Irregularity::UpCardDiscarded => in_round && self.round.spot > 0,
            Irregularity::LightFailed(_) => {
                !in_round && self.rules.offer(rules::SideWager::Progressive).is_some()
            }
            Irregularity::BonusFailed(box_id) => {
                matches!(awaiting, Some(Awaiting::Award(asked, _)) if asked == box_id)
            }
            Irregularity::DoubleDealtUp(box_id) => self.round.box_at(box_id).is_some_and(|at| {
                self.round.boxes[at].hands.iter().any(|hand| hand.face_down && hand.card_due)
            }),
            Irregularity::OutOfCards if in_round && self.shoe_card_awaited() && !self.runs_out() => {
                return refuse(
                    "the shoe has been dealt from in no round before, or no discards could finish this one",
                );
            }
            Irregularity::OutOfCards => in_round && self.shoe_card_awaited(),
            Irregularity::ShufflerFailed => !in_round && self.custody.device_on_table,
            Irregularity::ShufflerRemoved => !in_round && self.custody.device_on_table,
            Irregularity::BurnForgotten => !in_round && self.text().irregular.burn_forgotten.is_some(),
        };
        if possible {
            Ok(self.event(Fact::Irregular(irregularity), by))
        } else {
            refuse("this cannot have happened at this point of the round")
        }
    }

    /// A card is awaited that comes from the shoe, not the hole card that is to be turned.
    fn shoe_card_awaited(&self) -> bool {
        match self.awaiting() {
            Some(Awaiting::Card(place)) => place != Place::Dealer || self.round.hole != Hole::Down(None),
            _ => false,
        }
    }

    /// 2.15(f) and counterparts: the shoe is not a full one, and the rack holds more than the card that is burned first.
    fn runs_out(&self) -> bool {
        let full = self.memory.rounds_since_shuffle == 0 && self.custody.stack() > 0;
        !full && self.custody.rack.len() > 1
    }

    /// The dealer's hand is complete and not yet picked up.
    fn dealer_stands(&self) -> bool {
        let dealer = &self.round.dealer;
        dealer.len() >= 2
            && !rules::play::dealer_draws(&self.rules, dealer.total())
            && self.round.step > self.script.iter().position(|&s| s == Step::Play).unwrap_or(0)
    }

    fn own_card_can_be_missed(&self) -> bool {
        match (self.step(), self.awaiting()) {
            (Step::Deal(Slot::Up), Some(Awaiting::Card(Place::Dealer))) => true,
            // 2.15(e), 2A.15(e): or the second, where it comes before the players' further cards
            (
                Step::Deal(Slot::HoleDown | Slot::HoleUp),
                Some(Awaiting::Card(Place::HoleDown | Place::Dealer)),
            ) => !self.text().irregular.missed_own_voids,
            // 26.15(d), 36.14(d): found out when a player already has a card that should have come later
            (Step::Deal(Slot::EachBox), _) => {
                self.round.dealer.is_empty() && self.text().irregular.missed_own_voids
            }
            _ => false,
        }
    }
}

/// Returns whether the irregularity takes a card out of the shoe.
pub(crate) fn takes_a_card(irregularity: Irregularity) -> bool {
    matches!(
        irregularity,
        Irregularity::FoundFaceUp(_)
            | Irregularity::TenFound(_)
            | Irregularity::DrewOnStanding(_)
            | Irregularity::Misdelivered(_)
            | Irregularity::MovedForward(_)
    )
}

/// The clause that gives the remedy. What only blackjack has, as a second dealer's hand or a light, is cited as it stands
/// there.
fn remedy_by(table: &Table, irregularity: Irregularity) -> Clause {
    let (text, by) = (table.text(), &table.text().irregular);
    match irregularity {
        Irregularity::FoundFaceUp(_) if table.round.mishaps.found_face_up > 0 => by.face_up_again,
        Irregularity::FoundFaceUp(_) => by.face_up,
        Irregularity::TenFound(_) => table.removed_found_by().unwrap_or(by.face_up),
        Irregularity::SeenInMixing => text.opening.seen,
        Irregularity::MovedForward(_) => by.forward.map_or(by.misdelivered, |forward| forward.card),
        Irregularity::LetOut(_) => by.forward.map_or(by.misdelivered, |forward| forward.let_out),
        Irregularity::DrawnUnexposed => by.unexposed,
        Irregularity::Exposed(_) => by.exposed,
        Irregularity::DrewOnStanding(_) => by.drew_on_standing,
        Irregularity::MissedOwnCard => by.missed_own,
        Irregularity::MissedBox(_) => by.missed_box,
        Irregularity::MissedDraw(_) => by.missed_draw,
        Irregularity::ReaderMisused if table.rules.reader_reveals == ReaderReveals::HoleCard => {
            by.reader_seen
        }
        Irregularity::ReaderMisused => by.reader_unseen,
        Irregularity::ReaderFailed => by.reader_failed,
        Irregularity::WrongSide => clause!("19:47-2.15(h)"),
        Irregularity::UpCardNotMoved => clause!("19:47-2.15(l)"),
        Irregularity::UpCardDiscarded => clause!("19:47-2.15(m)"),
        Irregularity::LightFailed(_) => clause!("19:47-2.15(n)"),
        Irregularity::BonusFailed(_) => clause!("19:47-2.15(o)"),
        Irregularity::DoubleDealtUp(_) => clause!("19:47-2.15(p)"),
        Irregularity::OutOfCards => by.out_of_cards,
        Irregularity::ShufflerFailed => by.shuffler_failed,
        Irregularity::ShufflerRemoved => by.shuffler_removed,
        Irregularity::BurnForgotten => by.burn_forgotten.unwrap_or(text.deal.burn),
        Irregularity::Misdelivered(_) => by.misdelivered,
    }
}
