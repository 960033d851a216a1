//! The procedure of a round as a seat follows it: the moves of the program, with the cards between two questions taken
//! together.

use crate::sight::Question;
use program::Program;
use program::moves::Move;

/// Where cards lie: the box's own in the order dealt, then the dealer's two.
pub(crate) const UP_CARD: usize = 4;
pub(crate) const HOLE_CARD: usize = 5;
/// Places for cards, a power of two of them.
pub(crate) const PLACES: usize = 8;
/// No card lies there.
pub(crate) const NONE: u8 = u8::MAX;

/// What happens until something may be asked.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Stage {
    /// Cards are dealt.
    Deal(Deal),
    /// An attack wager is offered.
    Attack(Question),
    /// Insurance and even money.
    Insurance,
    /// The round ends if the dealer has a blackjack, and either it lies open or the procedure has found it out.
    Peek { open: bool },
    /// The players' turns.
    Play,
}

/// Cards that are dealt one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deal {
    /// Where each of them goes.
    places: [u8; PLACES],
    cards: u8,
    /// How many each hand of the box has then.
    pub(crate) given: u8,
    /// The dealer's second card is among them and lies face down.
    pub(crate) hides: bool,
}

impl Deal {
    fn push(&mut self, place: usize) {
        if let Some(last) = self.places.get_mut(usize::from(self.cards)) {
            *last = place as u8;
            self.cards += 1;
        }
    }

    /// Where each of them goes.
    #[inline]
    pub(crate) fn places(&self) -> &[u8] {
        &self.places[..usize::from(self.cards)]
    }
}

/// The stages of a round; after the last of them the dealer's hand is completed.
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
