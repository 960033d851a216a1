//! Irregularities as inputs: 2.15, 2A.15, MA 15, 26.15, 36.14. What may be reported when, and its cited remedy.

use crate::event::{Event, Fact};
use crate::ids::{BoxId, Place};
use crate::round::Hole;
use crate::table::{Awaiting, Table};
use rules::choice::{ReaderReveals, Shuffle};
use rules::play::Refusal;
use rules::script::{Slot, Step};
use rules::{Card, Clause, HoleCard, Jurisdiction, Shoe, Variation, clause};

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
    /// The card that it names.
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

    /// Whether the card that it names is yet to be dealt, or refused and burned: 2.15(c), MA 15(a)#2.
    pub const fn stays_next(self) -> bool {
        matches!(self, Irregularity::Exposed(_) | Irregularity::MovedForward(_))
    }
}

impl Table {
    /// Whether this can have happened now, and the clause of its remedy.
    pub(crate) fn report(&self, irregularity: Irregularity) -> Result<Event, Refusal> {
        let by = remedy_by(self, irregularity);
        let refuse = |why: &'static str| Err(Refusal::new(by, why));
        let in_round = self.round.step > 0;
        let awaiting = self.awaiting();
        let step = self.step();
        // 2.15(c): a card drawn in error is the next card, before any other that comes out of the shoe
        let waits = self.round.exposed.is_some() && takes_a_card(irregularity);
        // 2.6(d)1: the first card that comes out of a double shoe is the determinant card, never one drawn in error
        let determines = awaiting == Some(Awaiting::Card(Place::Determinant));
        let possible = match irregularity {
            _ if waits => false,
            Irregularity::Exposed(_) | Irregularity::Misdelivered(_) if determines => false,
            Irregularity::FoundFaceUp(card) => in_round && self.custody.may_hold(card),
            Irregularity::Misdelivered(card) => {
                in_round && self.shoe_card_awaited() && self.custody.may_hold(card)
            }
            Irregularity::TenFound(card) => {
                in_round && card.rank() == rules::Rank::Ten && self.rules.deck() == rules::Deck::FORTY_EIGHT
            }
            Irregularity::SeenInMixing => !in_round && self.custody.may_be_remixed(),
            Irregularity::MovedForward(card) => {
                in_round
                    && self.rules.jurisdiction == Jurisdiction::Ma
                    && self.round.exposed.is_none()
                    && self.custody.may_hold(card)
            }
            Irregularity::LetOut(box_id) => {
                self.round.misdelivered
                    && step == Step::Play
                    && self.rules.jurisdiction == Jurisdiction::Ma
                    && self.round.co.is_none()
                    && self.round.box_at(box_id).is_some()
            }
            Irregularity::DrawnUnexposed => in_round,
            Irregularity::Exposed(card) => {
                in_round && self.round.exposed.is_none() && self.custody.may_hold(card)
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
            Irregularity::UpCardNotMoved | Irregularity::UpCardDiscarded => {
                in_round && self.rules.variation == Variation::MultipleAction && self.round.spot > 0
            }
            Irregularity::LightFailed(_) => {
                !in_round && self.rules.offer(rules::SideWager::Progressive).is_some()
            }
            Irregularity::BonusFailed(box_id) => {
                matches!(awaiting, Some(Awaiting::Award(asked, _)) if asked == box_id)
            }
            Irregularity::DoubleDealtUp(box_id) => self.round.box_at(box_id).is_some_and(|at| {
                self.round.boxes[at].hands.iter().any(|hand| hand.face_down && hand.card_due)
            }),
            Irregularity::OutOfCards => in_round && self.shoe_card_awaited(),
            Irregularity::ShufflerFailed => !in_round && self.rules.shuffle == Shuffle::Automated,
            Irregularity::ShufflerRemoved => !in_round && self.custody.device_on_table,
            Irregularity::BurnForgotten => !in_round,
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
            ) => self.rules.deck() == rules::Deck::FIFTY_TWO,
            // 26.15(d), 36.14(d): found out when a player already has a card that should have come later
            (Step::Deal(Slot::EachBox), _) => {
                self.round.dealer.is_empty() && self.rules.deck() == rules::Deck::FORTY_EIGHT
            }
            _ => false,
        }
    }
}

/// Whether a card comes out of the shoe with it.
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

/// The clause that gives the remedy, by game.
fn remedy_by(table: &Table, irregularity: Irregularity) -> Clause {
    let game = table.rules.game;
    let row: [Clause; 4] = match irregularity {
        Irregularity::FoundFaceUp(_) if table.round.found_face_up > 0 => [
            clause!("19:47-2.15(a)"),
            clause!("19:47-2A.15(a)#2"),
            clause!("19:47-26.15(a)#2"),
            clause!("19:47-36.14(a)#2"),
        ],
        Irregularity::FoundFaceUp(_) => [
            clause!("19:47-2.15(a)"),
            clause!("19:47-2A.15(a)"),
            clause!("19:47-26.15(a)"),
            clause!("19:47-36.14(a)"),
        ],
        Irregularity::TenFound(_) => [table.ten_found_by(); 4],
        Irregularity::SeenInMixing => [
            clause!("19:47-2.4(c)"),
            clause!("19:47-2A.3(c)#2"),
            clause!("19:47-26.3(c)#2"),
            clause!("19:47-36.3(c)#2"),
        ],
        Irregularity::MovedForward(_) => [clause!("MA-BJS 15(a)#2"); 4],
        Irregularity::LetOut(_) => [clause!("MA-BJS 15(a)#3"); 4],
        Irregularity::DrawnUnexposed => [
            clause!("19:47-2.15(b)"),
            clause!("19:47-2A.15(b)"),
            clause!("19:47-26.15(c)"),
            clause!("19:47-36.14(c)"),
        ],
        Irregularity::Exposed(_) => [
            clause!("19:47-2.15(c)"),
            clause!("19:47-2A.15(c)"),
            clause!("19:47-26.15(e)"),
            clause!("19:47-36.14(e)"),
        ],
        Irregularity::DrewOnStanding(_) => [
            clause!("19:47-2.15(d)"),
            clause!("19:47-2A.15(d)"),
            clause!("19:47-26.15(f)"),
            clause!("19:47-36.14(f)"),
        ],
        Irregularity::MissedOwnCard => [
            clause!("19:47-2.15(e)"),
            clause!("19:47-2A.15(e)"),
            clause!("19:47-26.15(d)"),
            clause!("19:47-36.14(d)"),
        ],
        Irregularity::MissedBox(_) => [
            clause!("19:47-2.15(g)"),
            clause!("19:47-2A.15(g)"),
            clause!("19:47-26.15(h)"),
            clause!("19:47-36.14(h)"),
        ],
        Irregularity::MissedDraw(_) => [
            clause!("19:47-2.15(i)"),
            clause!("19:47-2A.15(h)"),
            clause!("19:47-26.15(i)"),
            clause!("19:47-36.14(i)"),
        ],
        Irregularity::WrongSide => [clause!("19:47-2.15(h)"); 4],
        Irregularity::ReaderMisused => {
            if table.rules.reader_reveals == ReaderReveals::HoleCard {
                [
                    clause!("19:47-2.15(j)1"),
                    clause!("19:47-2A.15(k)1"),
                    clause!("19:47-26.15(l)1"),
                    clause!("19:47-36.14(l)1"),
                ]
            } else {
                [
                    clause!("19:47-2.15(j)2"),
                    clause!("19:47-2A.15(k)2"),
                    clause!("19:47-26.15(l)2"),
                    clause!("19:47-36.14(l)2"),
                ]
            }
        }
        Irregularity::ReaderFailed => [
            clause!("19:47-2.15(k)"),
            clause!("19:47-2A.15(l)"),
            clause!("19:47-26.15(m)"),
            clause!("19:47-36.14(m)"),
        ],
        Irregularity::UpCardNotMoved => [clause!("19:47-2.15(l)"); 4],
        Irregularity::UpCardDiscarded => [clause!("19:47-2.15(m)"); 4],
        Irregularity::LightFailed(_) => [clause!("19:47-2.15(n)"); 4],
        Irregularity::BonusFailed(_) => [clause!("19:47-2.15(o)"); 4],
        Irregularity::DoubleDealtUp(_) => [clause!("19:47-2.15(p)"); 4],
        Irregularity::OutOfCards => {
            let blackjack = match table.rules.variation {
                Variation::SixToFive => clause!("19:47-2.15(f)#2"),
                _ => clause!("19:47-2.15(f)"),
            };
            [blackjack, clause!("19:47-2A.15(f)"), clause!("19:47-26.15(g)"), clause!("19:47-36.14(g)")]
        }
        Irregularity::ShufflerFailed => [
            clause!("19:47-2.5(a)"),
            clause!("19:47-2A.15(i)"),
            clause!("19:47-26.15(j)"),
            clause!("19:47-36.14(j)"),
        ],
        Irregularity::ShufflerRemoved => [
            clause!("19:47-2.5(a)"),
            clause!("19:47-2A.15(j)"),
            clause!("19:47-26.15(k)"),
            clause!("19:47-36.14(k)"),
        ],
        // A32: only Massachusetts says so
        Irregularity::BurnForgotten => [
            clause!("19:47-2.6(c)"),
            match table.rules.jurisdiction {
                Jurisdiction::Nj => clause!("19:47-2A.7(c)"),
                Jurisdiction::Ma => clause!("MA-BJS 15(n)"),
            },
            clause!("19:47-26.7(c)"),
            clause!("19:47-36.7(c)"),
        ],
        Irregularity::Misdelivered(_) => [
            clause!("19:47-2.15(c)"),
            match table.rules.jurisdiction {
                Jurisdiction::Nj => clause!("19:47-2A.15(c)"),
                Jurisdiction::Ma => clause!("MA-BJS 15(a)#2"),
            },
            clause!("19:47-26.15(e)"),
            clause!("19:47-36.14(e)"),
        ],
    };
    row[game as usize]
}
