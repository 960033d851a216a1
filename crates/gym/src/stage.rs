//! The stages of a seat's round, derived from the program's moves.
//!
//! All cards dealt between two questions form one stage.

use crate::observation::Question;
use program::Program;
use program::moves::Move;

/// The upcard's position among a round's first cards.
///
/// The box's own cards come first, in the order dealt, then the dealer's two.
pub(crate) const UP_CARD: usize = 4;
pub(crate) const HOLE_CARD: usize = 5;
/// The position of the last second card that a dealer hand without a hole card received.
pub(crate) const SECOND_CARD: usize = 6;
/// The number of positions for a round's first cards, a power of two.
pub(crate) const PLACES: usize = 8;
/// The face number that marks a position without a card.
pub(crate) const NONE: u8 = u8::MAX;

/// A step of a round's procedure, after which a question may be due.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Stage {
    /// A deal of one or more cards.
    Deal(Deal),
    /// An offer of an attack bet.
    Attack(Question),
    /// An offer of insurance and even money.
    Insurance,
    /// A check for a dealer's blackjack, which ends the round; `open` says whether the hole card is face up.
    Peek { open: bool },
    /// The player's turn at the box.
    Play,
}

/// The cards that are dealt between two questions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deal {
    /// The position of each card among the round's first cards, in the order dealt.
    places: [u8; PLACES],
    cards: u8,
    /// The number of cards that each hand of the box has after this deal.
    pub(crate) given: u8,
    /// Whether the cards include a face-down hole card.
    pub(crate) hides: bool,
}

impl Deal {
    fn push(&mut self, place: usize) {
        if let Some(last) = self.places.get_mut(usize::from(self.cards)) {
            *last = place as u8;
            self.cards += 1;
        }
    }

    /// Returns the positions of the cards, in the order dealt.
    #[inline]
    pub(crate) fn places(&self) -> &[u8] {
        &self.places[..usize::from(self.cards)]
    }
}

/// Returns the stages of a round, up to the point where only the dealer's hands remain to be played.
pub(crate) fn stages(program: &Program) -> Vec<Stage> {
    let mut stages = Vec::new();
    let mut given = 0;
    for &step in program.moves.iter().take_while(|&&step| step != Move::Finish) {
        let stage = match step {
            Move::Each | Move::Up | Move::HoleDown | Move::HoleUp => {
                let mut deal = match stages.pop() {
                    Some(Stage::Deal(deal)) => deal,
                    other => {
                        stages.extend(other);
                        Deal { given, ..Deal::default() }
                    }
                };
                match step {
                    Move::Each => {
                        let hands = program.hands_per_box;
                        (0..hands).for_each(|hand| deal.push(usize::from(given) * hands + hand));
                        given += 1;
                        deal.given = given;
                    }
                    Move::Up => deal.push(UP_CARD),
                    _ => deal.push(HOLE_CARD),
                }
                deal.hides |= step == Move::HoleDown;
                Stage::Deal(deal)
            }
            Move::Attack => Stage::Attack(Question::Attack),
            Move::SecondAttack => Stage::Attack(Question::SecondAttack),
            Move::ThirdAttack => Stage::Attack(Question::ThirdAttack),
            Move::Insurance => Stage::Insurance,
            Move::Peek | Move::OpenBlackjack => Stage::Peek { open: step == Move::OpenBlackjack },
            Move::Play => Stage::Play,
            Move::Finish => break,
        };
        stages.push(stage);
    }
    stages
}
