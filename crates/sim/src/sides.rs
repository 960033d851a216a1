//! Settles side bets during a run.
//!
//! Looks up paytable lines, and keeps the streaks and meters of each lane between rounds.

use crate::rng::mix;
use crate::round::{MOST_BOXES, Round};
use crate::tally::SideTally;
use program::Program;
use program::moves::Move;
use program::outcome::Outcome;
use program::side::{Effect, Pay, Sees, Side};

/// The first cards of a round as side bets see them, as faces: those of a box, and the dealer's.
pub struct Dealt {
    /// The faces of the player's first cards.
    pub own: [u8; 4],
    /// The face of the dealer's upcard.
    pub up: u8,
}

/// The positions of a round's first cards, in the order dealt.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The positions of the players' cards, indexed by box.
    ///
    /// The cards of a box are in the order dealt.
    pub own: [[usize; 4]; MOST_BOXES],
    /// The position of the dealer's upcard.
    pub up: usize,
    /// The position of the hole card, or zero if the dealer has none.
    pub hole: usize,
    /// The minimum number of cards in a round, including burn cards.
    pub cards: usize,
}

impl Layout {
    /// Returns the positions of the first cards in a round.
    pub fn new(program: &Program, boxes: usize) -> Layout {
        let mut layout = Layout::default();
        let (mut given, mut at) = (0, program.stack.burned_each_round);
        let mut next = || {
            at += 1;
            at - 1
        };
        for step in &program.moves {
            match step {
                Move::Each => {
                    for own in &mut layout.own[..boxes] {
                        own[given..given + program.hands_per_box].fill_with(&mut next);
                    }
                    given += program.hands_per_box;
                }
                Move::Up => layout.up = next(),
                Move::HoleDown | Move::HoleUp => layout.hole = next(),
                _ => {}
            }
        }
        layout.cards = at;
        layout
    }

    /// Returns the first cards of a box and the dealer.
    ///
    /// The function `card` maps a position in the round to a face.
    #[inline]
    pub fn read(&self, box_: usize, card: impl Fn(usize) -> u8) -> Dealt {
        Dealt { own: self.own[box_].map(&card), up: card(self.up) }
    }
}

/// The state of the side bets in one lane between rounds: unfinished streaks and progressive meters.
#[derive(Clone, Debug)]
pub struct Memory {
    streaks: Vec<[u8; MOST_BOXES]>,
    meters: Vec<i64>,
    button: u64,
}

impl Memory {
    /// Creates a state with no streaks and with the meters at their starting amounts.
    pub fn new(program: &Program, seed: u64) -> Memory {
        Memory {
            streaks: vec![[0; MOST_BOXES]; program.sides.len()],
            meters: program.sides.iter().map(|side| side.meter.start).collect(),
            button: seed,
        }
    }

    /// Presses the bonus button, and returns an award that is drawn at random by weight.
    fn press(&mut self, awards: &[(i64, u64)]) -> i64 {
        let all: u64 = awards.iter().map(|a| a.1).sum();
        if all == 0 {
            return 0;
        }
        // numbers beyond the last whole multiple of the weights would favor the first awards
        let fair = u64::MAX - u64::MAX % all;
        let mut at = loop {
            let number = mix(&mut self.button);
            if number < fair {
                break number % all;
            }
        };
        for &(award, weight) in awards {
            if at < weight {
                return award;
            }
            at -= weight;
        }
        0
    }

    /// Settles every side bet of one box after a round.
    pub fn settle(&mut self, program: &Program, round: &Round, box_: usize, tallies: &mut [SideTally]) {
        for (at, (side, tally)) in program.sides.iter().zip(tallies).enumerate() {
            self.settle_one(side, at, round, box_, tally);
        }
    }

    /// Settles every side bet of all boxes after a round.
    pub fn settle_round(
        &mut self,
        program: &Program,
        round: &Round,
        boxes: usize,
        tallies: &mut [SideTally],
    ) {
        if boxes == 1 {
            return self.settle(program, round, 0, tallies);
        }
        for (at, (side, tally)) in program.sides.iter().zip(tallies).enumerate() {
            let before = tally.net;
            for box_ in 0..boxes {
                self.settle_one(side, at, round, box_, tally);
            }
            tally.rounds.add(tally.net.sum - before.sum, tally.net.count - before.count);
        }
    }

    fn settle_one(&mut self, side: &Side, at: usize, round: &Round, box_: usize, tally: &mut SideTally) {
        match side.sees {
            Sees::Streak(hands) => {
                let effect = side.effect(round.boxes[box_].record);
                self.streak(side, hands, (at, box_), effect, tally);
            }
            _ => self.pay(side, at, line(side, round, box_), tally),
        }
    }

    /// Settles the side bets of a round with one box that the fused lookup table has finished.
    ///
    /// The bets depend on `dealt`, the round's first cards; on the outcome; and on `effects`, the outcome's effect
    /// on each streak bet.
    pub fn settle_dealt(
        &mut self,
        program: &Program,
        dealt: &Dealt,
        outcome: &Outcome,
        effects: &[Effect],
        tallies: &mut [SideTally],
    ) {
        for (at, (side, tally)) in program.sides.iter().zip(tallies).enumerate() {
            let line = match side.sees {
                Sees::Streak(hands) => {
                    self.streak(side, hands, (at, 0), effects[at], tally);
                    continue;
                }
                Sees::DealerThree => outcome.third_card_line,
                _ => early_line(side, dealt),
            };
            self.pay(side, at, line, tally);
        }
    }

    /// Returns whether a side bet depends on cards after the first cards, so that the general engine must settle
    /// it.
    #[inline]
    pub fn needs_cards(&self, program: &Program, dealt: &Dealt) -> bool {
        program.sides.iter().any(|side| {
            let two = [side.class_of[usize::from(dealt.own[0])], side.class_of[usize::from(dealt.own[1])]];
            match side.sees {
                Sees::Sevens => side.waits(two),
                Sees::Aces => side.line(&two) != 0,
                Sees::TwoAndBlackjack => side.line(&two) != side.line_v_blackjack(two),
                _ => false,
            }
        })
    }

    #[inline]
    fn pay(&mut self, side: &Side, at: usize, line: u8, tally: &mut SideTally) {
        self.meters[at] += side.meter.adds;
        let net = match side.lines[usize::from(line)].pay {
            Pay::Net(net) => net,
            Pay::Award => self.press(&side.awards),
            Pay::Meter(besides) => std::mem::replace(&mut self.meters[at], side.meter.reset) + besides,
        };
        tally.net.add(net);
        tally.lines[usize::from(line)] += 1;
    }

    /// Applies a round's effect to a streak bet. A decided streak bet is settled, and the next one begins at once.
    #[inline]
    fn streak(
        &mut self,
        side: &Side,
        hands: u8,
        (at, box_): (usize, usize),
        effect: Effect,
        tally: &mut SideTally,
    ) {
        let won = &mut self.streaks[at][box_];
        let line = match effect {
            Effect::Holds => return,
            Effect::Advances if *won + 1 < hands => {
                *won += 1;
                return;
            }
            Effect::Advances => 1,
            Effect::Loses => 0,
        };
        *won = 0;
        if let Pay::Net(net) = side.lines[line].pay {
            tally.net.add(net);
            tally.lines[line] += 1;
        }
    }
}

/// Returns the index of the paytable line that a box's first cards reach in a side bet.
#[inline]
fn early_line(side: &Side, dealt: &Dealt) -> u8 {
    let class = |face: u8| side.class_of[usize::from(face)];
    let [first, second, ..] = dealt.own;
    match side.sees {
        Sees::TwoAndUp => side.line(&[class(first), class(second), class(dealt.up)]),
        Sees::Four => side.line(&dealt.own.map(class)),
        _ => side.line(&[class(first), class(second)]),
    }
}

/// Returns the index of the paytable line that a side bet of box `box_` reaches in a finished round.
pub fn line(side: &Side, round: &Round, box_: usize) -> u8 {
    let faces = &round.boxes[box_].faces;
    let class = |face: u8| side.class_of[usize::from(face)];
    match side.sees {
        Sees::Two => side.line(&[class(faces[0]), class(faces[1])]),
        Sees::TwoAndUp => side.line(&[class(faces[0]), class(faces[1]), class(round.dealer[0])]),
        Sees::Four => side.line(&faces.map(class)),
        Sees::TwoAndBlackjack if round.dealer_blackjack => {
            side.line_v_blackjack([class(faces[0]), class(faces[1])])
        }
        Sees::TwoAndBlackjack => side.line(&[class(faces[0]), class(faces[1])]),
        Sees::DealerThree if round.dealer_cards < 3 => 0,
        Sees::DealerThree => side.line(&round.dealer.map(class)),
        Sees::Sevens | Sees::Aces => {
            let most = if side.sees == Sees::Aces { 4 } else { 3 };
            let series = round.series(box_);
            let mut classes = [0; 4];
            let count = series.len().clamp(2, most);
            for (place, &face) in classes.iter_mut().zip(series) {
                *place = class(face);
            }
            side.line(&classes[..count])
        }
        Sees::Streak(_) => 0,
    }
}
