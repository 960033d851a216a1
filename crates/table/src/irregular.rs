//! Irregularities: at which points of a round each can happen, and the clause that gives its remedy.
//!
//! See 2.15, 2A.15, MA 15, 26.15, 36.14.

use crate::event::{Event, Fact};
use crate::ids::{BoxId, CardPlace};
use crate::round::{Hole, Phase, Void};
use crate::shoe::Procedure;
use crate::table::{Awaiting, Table};
use rules::choice::ReaderReveals;
use rules::message;
use rules::message::Fixed;
use rules::play::Refusal;
use rules::script::{Slot, Step};
use rules::wager::Prize;
use rules::{Card, Clause, HoleCard, Shoe};

/// A dealing error with a remedy in the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Irregularity {
    /// A card that is found face up in the shoe and is not used (2.15(a) and counterparts).
    FoundFaceUp(Card),
    /// A ten found in a 48-card shoe (26.15(b), 36.14(b)).
    TenFound(Card),
    /// A card that was drawn in error, was not seen, and becomes the next card (2.15(b)).
    DrawnUnexposed,
    /// A card that was drawn in error and seen; the card becomes the next card and may be refused (2.15(c)).
    Exposed(Card),
    /// A card that the dealer drew on a standing hand, which is burned (2.15(d)).
    DrewOnStanding(Card),
    /// The dealer's own first card was missed (2.15(e), 26.15(d), 36.14(d)).
    MissedOwnCard,
    /// A hand got none of its initial cards, or only one (2.15(g)).
    MissedBox(BoxId),
    /// A requested card was not dealt (2.15(i)).
    MissedDraw(BoxId),
    /// The round was dealt from the wrong side of a double shoe (2.15(h)).
    WrongSide,
    /// The hole card was put into the card reader although the upcard was 2 to 9 (2.15(j)).
    ReaderMisused,
    /// The card reader failed (2.15(k)).
    ReaderFailed,
    /// The upcard was not moved to the area of the next dealer hand (2.15(l)).
    UpCardNotMoved,
    /// The upcard was put in the discard rack (2.15(m)).
    UpCardDiscarded,
    /// The light of this box's progressive betting area does not work (2.15(n)).
    LightFailed(BoxId),
    /// The bonus system shows no amount for this box (2.15(o)).
    BonusFailed(BoxId),
    /// The double card was dealt face up instead of face down (2.15(p)).
    DoubleDealtUp(BoxId),
    /// There are too few cards to finish the round (2.15(f) and counterparts).
    OutOfCards,
    /// The shuffling device jammed or stopped (2A.15(i), 26.15(j), 36.14(j)).
    ShufflerFailed,
    /// The shuffling device was removed from the table (2A.15(j), 26.15(k), 36.14(k)).
    ShufflerRemoved,
    /// The dealer forgot to burn a card; the hand continues (MA 15(n), A32).
    BurnForgotten,
    /// A card was turned over while mixing or stacking (2.4(c), 2A.3(c)#2, 26.3(c)#2, 36.3(c)#2).
    SeenInMixing,
    /// A misdelivered card that is burned because no hand can use it (MA 15(a)).
    Misdelivered(Card),
    /// A misdelivered card that moves forward to become the next card or the dealer's card (MA 15(a)#2).
    MovedForward(Card),
    /// A player is let out of the hand in which a card was misdelivered (MA 15(a)#3).
    LetOut(BoxId),
}

impl Irregularity {
    /// Returns the card of the irregularity, or `None` if it has none.
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

    /// Returns whether the irregularity's card becomes the next card: it is then dealt, or refused and burned.
    ///
    /// See 2.15(c), MA 15(a)#2.
    pub const fn stays_next(self) -> bool {
        matches!(self, Irregularity::Exposed(_) | Irregularity::MovedForward(_))
    }
}

impl Table {
    /// Returns the event of an irregularity, or a refusal if the irregularity cannot have happened now.
    ///
    /// The event cites the clause of the remedy.
    pub(crate) fn report(&self, irregularity: Irregularity) -> Result<Event, Refusal> {
        let by = remedy_by(self, irregularity);
        let refuse = |why: Fixed| Err(Refusal::new(by, why));
        let in_round = self.round.step > 0;
        // 2.2(e): a 6 to 5 game must be shuffled by a device
        if let (Irregularity::ShufflerRemoved, Some(by)) = (irregularity, self.text().shuffle.device_only) {
            return Err(Refusal::new(
                by,
                message!("device-stays", "this game must be shuffled by the device, so it cannot be removed"),
            ));
        }
        // 2.15(c): elsewhere a card dealt to the wrong place was drawn in error, and is the next card or burned
        let misdelivery = matches!(
            irregularity,
            Irregularity::Misdelivered(_) | Irregularity::MovedForward(_) | Irregularity::LetOut(_)
        );
        if misdelivery && self.text().irregular.misdelivered_remedies.is_none() {
            return refuse(message!(
                "no-misdelivery-remedy",
                "these rules have no remedy for a misdelivered card; report it as a card drawn in error, which is \
                    dealt next"
            ));
        }
        if irregularity == Irregularity::OutOfCards
            && in_round
            && self.shoe_card_awaited()
            && !self.runs_out()
        {
            return refuse(message!(
                "cannot-run-out",
                "the cards cannot run out here: this is the first round of the shoe, or there are no discards to \
                    finish it with"
            ));
        }
        // 2.15(c): a card drawn in error is the next card, before any other from the shoe
        let waits = self.round.mishaps.exposed.is_some() && takes_a_card(irregularity);
        // 2.6(d)1: the first card from a double shoe is the determinant card, never one drawn in error
        let determines = self.awaiting() == Some(Awaiting::Card(CardPlace::Determinant))
            && matches!(irregularity, Irregularity::Exposed(_) | Irregularity::Misdelivered(_));
        if !waits && !determines && self.can_have_happened(irregularity) {
            Ok(self.event(Fact::Irregular(irregularity), by))
        } else {
            refuse(message!("cannot-have-happened", "this cannot happen at this point of the round"))
        }
    }

    /// Returns whether this irregularity can have happened at this point of the round.
    fn can_have_happened(&self, irregularity: Irregularity) -> bool {
        let in_round = self.round.step > 0;
        let (awaiting, step) = (self.awaiting(), self.step());
        let irregular = &self.text().irregular;
        match irregularity {
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
                matches!((step, awaiting), (Step::Deal(_), Some(Awaiting::Card(CardPlace::Hand(to, _)))) if to == box_id)
            }
            Irregularity::MissedDraw(box_id) => {
                matches!((step, awaiting), (Step::Play, Some(Awaiting::Card(CardPlace::Hand(to, _)))) if to == box_id)
            }
            Irregularity::WrongSide => {
                in_round && self.rules.shoe == Shoe::Double && irregular.wrong_side.is_some()
            }
            Irregularity::ReaderMisused => {
                in_round
                    && self.rules.hole_card == HoleCard::Reader
                    && self.round.up().is_some_and(|up| !rules::play::may_be_blackjack(up))
                    && matches!(self.round.hole, Hole::Down(_))
            }
            Irregularity::ReaderFailed => {
                self.rules.hole_card == HoleCard::Reader && !self.memory.reader_failed
            }
            Irregularity::UpCardNotMoved | Irregularity::UpCardDiscarded => {
                in_round && self.round.dealer_hand_index > 0 && irregular.up_card.is_some()
            }
            Irregularity::LightFailed(_) => {
                !in_round && self.rules.bet_for(Prize::Meter).is_some() && irregular.light_failed.is_some()
            }
            Irregularity::BonusFailed(box_id) => {
                matches!(awaiting, Some(Awaiting::Award(asked, _)) if asked == box_id)
            }
            Irregularity::DoubleDealtUp(box_id) => self.round.box_at(box_id).is_some_and(|at| {
                self.round.boxes[at].hands.iter().any(|hand| hand.face_down && hand.card_due)
            }),
            Irregularity::OutOfCards => in_round && self.shoe_card_awaited(),
            Irregularity::ShufflerFailed => !in_round && self.custody.device_on_table,
            Irregularity::ShufflerRemoved => !in_round && self.custody.device_on_table,
            Irregularity::BurnForgotten => !in_round && irregular.burn_forgotten.is_some(),
        }
    }

    /// Returns how the irregularity makes the round void, or `None` if the round goes on.
    ///
    /// Must be called before the irregularity is applied. See 2.15(j)1, 2A.15(a)#2, 26.15(a)#2, (b)#2, (d) and
    /// counterparts.
    pub(crate) fn void_after(&self, irregularity: Irregularity, by: Clause) -> Option<Void> {
        let (text, mishaps) = (&self.text().irregular, &self.round.mishaps);
        let again = mishaps.found_face_up > 0 && self.round.step > 0;
        let reverses = match irregularity {
            Irregularity::FoundFaceUp(_) if again && text.second_voids => true,
            Irregularity::TenFound(_) if mishaps.tens_found > 0 => true,
            Irregularity::MissedOwnCard if text.missed_own_voids => true,
            Irregularity::ReaderMisused if self.rules.reader_reveals == ReaderReveals::HoleCard => false,
            _ => return None,
        };
        Some(Void { by, reverses })
    }

    /// Returns whether the table awaits a card from the shoe, and not the turning of the hole card.
    fn shoe_card_awaited(&self) -> bool {
        match self.awaiting() {
            Some(Awaiting::Card(place)) => place != CardPlace::Dealer || self.round.hole != Hole::Down(None),
            _ => false,
        }
    }

    /// Returns whether the cards can run out now (2.15(f) and counterparts).
    ///
    /// The cards can run out unless the shoe is full, if the discard rack holds a card besides the one to burn
    /// first.
    fn runs_out(&self) -> bool {
        let full = self.memory.rounds_since_shuffle == 0 && self.custody.stack() > 0;
        !full && self.custody.rack.len() > 1
    }

    /// Returns whether the dealer's hand is complete and not yet picked up.
    fn dealer_stands(&self) -> bool {
        let dealer = &self.round.dealer;
        dealer.len() >= 2
            && !rules::play::dealer_draws(&self.rules, dealer.total())
            && self.round.step > self.script.iter().position(|&s| s == Step::Play).unwrap_or(0)
    }

    fn own_card_can_be_missed(&self) -> bool {
        match (self.step(), self.awaiting()) {
            (Step::Deal(Slot::Up), Some(Awaiting::Card(CardPlace::Dealer))) => true,
            // 2.15(e), 2A.15(e): or the second card, if it comes before the players' further cards
            (
                Step::Deal(Slot::HoleDown | Slot::HoleUp),
                Some(Awaiting::Card(CardPlace::HoleDown | CardPlace::Dealer)),
            ) => !self.text().irregular.missed_own_voids,
            // 26.15(d), 36.14(d): noticed when a player already has a card that should have come later
            (Step::Deal(Slot::EachBox), _) if self.text().irregular.missed_own_voids => {
                self.round.dealer.is_empty()
            }
            (Step::Deal(Slot::EachBox), Some(_)) => self.own_second_card_follows_late_ones(),
            _ => false,
        }
    }

    /// Returns whether the dealer's second card has yet to be dealt and follows the players' missed second cards.
    ///
    /// The dealer's card can then be missed as well as a player's: 2.15(e), (g), 2A.15(e), (g), MA 15(f), (h).
    fn own_second_card_follows_late_ones(&self) -> bool {
        let follows = self.script[self.round.step + 1..].iter().any(|step| match step {
            Step::Deal(Slot::HoleDown) => !self.memory.reader_failed || self.text().deal.face_down.is_none(),
            Step::Deal(Slot::HoleUp) => true,
            _ => false,
        });
        follows && self.round.phase == Phase::Play && self.round.dealer.len() < 2
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

/// Returns the clause that gives the remedy of an irregularity.
///
/// If the regulation has no such remedy, the clause is a related one, mostly on a card dealt to the wrong place.
fn remedy_by(table: &Table, irregularity: Irregularity) -> Clause {
    let (text, by) = (table.text(), &table.text().irregular);
    match irregularity {
        Irregularity::FoundFaceUp(_) if table.round.mishaps.found_face_up > 0 => by.face_up_again,
        Irregularity::FoundFaceUp(_) => by.face_up,
        Irregularity::TenFound(_) => table.removed_found_by().unwrap_or(by.face_up),
        Irregularity::SeenInMixing => text.opening.seen,
        Irregularity::MovedForward(_) => {
            by.misdelivered_remedies.map_or(by.misdelivered, |remedies| remedies.card)
        }
        Irregularity::LetOut(_) => {
            by.misdelivered_remedies.map_or(by.misdelivered, |remedies| remedies.withdraw)
        }
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
        Irregularity::WrongSide => by.wrong_side.unwrap_or(by.misdelivered),
        Irregularity::UpCardNotMoved => by.up_card.map_or(by.misdelivered, |moved| moved.missed),
        Irregularity::UpCardDiscarded => by.up_card.map_or(by.misdelivered, |moved| moved.discarded),
        Irregularity::LightFailed(_) => by.light_failed.unwrap_or(by.misdelivered),
        Irregularity::BonusFailed(_) => by.bonus_failed.unwrap_or(by.misdelivered),
        Irregularity::DoubleDealtUp(_) => by.double_dealt_up.unwrap_or(by.misdelivered),
        Irregularity::OutOfCards => by.out_of_cards,
        Irregularity::ShufflerFailed => by.shuffler_failed,
        Irregularity::ShufflerRemoved => by.shuffler_removed,
        Irregularity::BurnForgotten => by.burn_forgotten.unwrap_or(text.deal.burn),
        Irregularity::Misdelivered(_) => by.misdelivered,
    }
}
