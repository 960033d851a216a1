//! Settles the side bets of the batch engine.
//!
//! The first cards of a round are read from the shoe again. The engine supplies only the dealer's third card and
//! the results of a box's hands.

use super::{Lanes, Run, SPLIT, place};
use crate::lane::lanes_of;
use crate::rng::LANES;
use crate::round::Round;
use crate::sides::{Layout, Memory};
use program::Program;
use program::class::{BLACKJACK, FINALS};
use program::side::{Record, Sees};

/// The state of the side bets, in all lanes.
pub struct Wagers {
    pub memories: Vec<Memory>,
    pub layout: Layout,
    /// Whether a side bet depends on the dealer's third card, so that the engine always draws that card.
    pub third_card: bool,
    /// Whether a streak bet is made; streak bets depend on the results of a box's hands.
    streaks: bool,
    /// The faces of the cards that the dealer's first hand draws after the players' turns.
    ///
    /// The field `count` holds their number.
    drawn: [Lanes<u8>; 2],
    count: Lanes<usize>,
}

impl Wagers {
    pub fn new(program: &Program, boxes: usize, memories: Vec<Memory>) -> Wagers {
        let sees = |is: fn(Sees) -> bool| program.sides.iter().any(|side| is(side.sees));
        Wagers {
            memories,
            layout: Layout::new(program, boxes),
            third_card: sees(|sees| sees == Sees::DealerThree),
            streaks: sees(|sees| matches!(sees, Sees::Streak(_))),
            drawn: [[0; LANES]; 2],
            count: [0; LANES],
        }
    }
}

impl Run<'_> {
    /// Returns the face of the card at index `card` of a lane's round; the lane's round starts at `begun`.
    fn face(&self, lane: usize, begun: &Lanes<usize>, card: usize) -> u8 {
        self.shoes.rows()[begun[lane] + card].0[lane]
    }

    /// Returns the bit mask of the active lanes in which a side bet depends on further cards of a hand.
    pub(super) fn waits_for_cards(&self, active: u64, begun: &Lanes<usize>) -> u64 {
        let series: Vec<_> =
            self.program.sides.iter().filter(|side| matches!(side.sees, Sees::Sevens | Sees::Aces)).collect();
        if series.is_empty() {
            return 0;
        }
        self.lanes_where(active, |run, lane| {
            run.wagers.layout.own[..run.job.boxes].iter().any(|own| {
                let faces = [own[0], own[1]].map(|card| usize::from(run.face(lane, begun, card)));
                series.iter().any(|side| {
                    let two = faces.map(|face| side.class_of[face]);
                    side.waits(two) || (side.sees == Sees::Aces && side.line(&two) != 0)
                })
            })
        })
    }

    /// Records the lane's last drawn card as the next card of the dealer's first hand.
    pub(super) fn note_dealer(&mut self, lane: usize) {
        let face = self.shoes.card(self.at[lane] - 1, lane);
        let wagers = &mut self.wagers;
        if let Some(place) = wagers.drawn.get_mut(wagers.count[lane]) {
            place[lane] = face;
        }
        wagers.count[lane] += 1;
    }

    /// Settles the side bets of a finished round in `lanes`; `begun` has the index of each round's first card.
    pub(super) fn settle_wagers(&mut self, lanes: u64, begun: &Lanes<usize>) {
        if self.program.sides.is_empty() {
            return;
        }
        let mut round = Round::default();
        for lane in lanes_of(lanes) {
            self.write_round(lane, begun, &mut round);
            let (memory, sides) = (&mut self.wagers.memories[lane], &mut self.tally.sides);
            memory.settle_round(self.program, &round, self.job.boxes, sides);
        }
        self.wagers.count = [0; LANES];
    }

    /// Fills in the parts of `round` on which side bets depend, for one lane.
    fn write_round(&self, lane: usize, begun: &Lanes<usize>, round: &mut Round) {
        let Wagers { layout, third_card, streaks, drawn, count, .. } = &self.wagers;
        for (box_, own) in layout.own[..self.job.boxes].iter().enumerate() {
            round.boxes[box_].faces = own.map(|card| self.face(lane, begun, card));
            round.boxes[box_].start_series();
            if *streaks {
                round.boxes[box_].record = self.record(lane, box_);
            }
        }
        round.dealer_blackjack = usize::from(self.lasts[0][lane]) == BLACKJACK;
        round.dealer[0] = self.face(lane, begun, layout.up);
        if *third_card {
            let hole = usize::from(self.program.has_hole);
            round.dealer[1] = if hole == 1 { self.face(lane, begun, layout.hole) } else { drawn[0][lane] };
            round.dealer[2] = drawn[1 - hole][lane];
            round.dealer_cards = 1 + hole + count[lane];
        }
    }

    /// Returns the numbers of hands of a box that won, lost and pushed.
    fn record(&self, lane: usize, box_: usize) -> Record {
        let (program, mut record) = (self.program, Record::default());
        let attacks = self.attacks[box_][lane];
        let hands = box_ * program.hands_per_box..(box_ + 1) * program.hands_per_box;
        for lasts in &self.lasts[..program.dealer_hands] {
            for hand in hands.clone() {
                let split = self.splits.iter().find(|split| (split.lane, split.hand) == (lane, hand));
                let classes = match (self.classes[hand][lane], split) {
                    (SPLIT, Some(split)) => &split.classes[..split.count],
                    (_, _) => &self.classes[hand][lane..=lane],
                };
                for &class in classes {
                    let pay = self.pays.net[place(class, attacks) * FINALS + usize::from(lasts[lane])];
                    record.won += u8::from(pay > 0);
                    record.lost += u8::from(pay < 0);
                    record.pushed += u8::from(pay == 0);
                }
            }
        }
        record
    }
}
