//! The end of a round: the dealer's hands are completed and every wager is paid.

use crate::cards::Cards;
use crate::core::Core;
use crate::seat::{Over, Seat};
use crate::sight::STAKE;
use program::class::BLACKJACK;
use program::dealer::DealerRow;
use program::face::Symbol;
use program::side::{Pay, Sees};
use sim::round::settle_group;

/// A hand of the dealer that is being completed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drawing {
    row: DealerRow,
    last: Option<u8>,
    second: Option<Symbol>,
    /// Whether what is drawn can change what anybody is paid.
    depends: bool,
    /// Whether a side wager looks at the third card.
    third: bool,
}

impl Drawing {
    /// Whether a card is to be drawn.
    #[inline]
    pub(crate) fn goes_on(&self) -> bool {
        self.last.is_none() & (self.depends | self.third)
    }
}

/// What a round has come to so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    net: i32,
    /// Of the first of the dealer's hands: a blackjack, and its cards.
    blackjack: bool,
    cards: u8,
}

impl<C: Cards> Seat<C> {
    /// Completes the dealer's hands and settles everything; the net win in initial wagers.
    pub(crate) fn settle(&mut self, core: &Core, over: Over) -> f64 {
        let mut sum = Sum::default();
        for spot in 0..over.spots {
            let mut drawing = self.second_card(core, spot);
            while drawing.goes_on() {
                self.draw_on(core, spot, &mut drawing);
            }
            self.add(core, spot, &drawing, &mut sum);
        }
        self.win(core, &sum)
    }

    /// The dealer's second card, where it lies already or somebody needs it.
    #[inline]
    pub(crate) fn second_card(&mut self, core: &Core, spot: u8) -> Drawing {
        let program = &core.tree.program;
        let up = core.symbol(self.up);
        let high = core.face(self.up).high;
        let attacks = self.attacks();
        let (mut depends, mut waits) = (false, false);
        let mut before = u8::MAX;
        for held in &self.held[..usize::from(self.holding)] {
            let class = &program.classes.all[usize::from(held.class)];
            let other = usize::from(held.initial == before);
            before = held.initial;
            depends |= class.depends;
            waits |= high & class.waits[other][attacks];
        }
        let bust = |at: usize| program.sides[at].sees == Sees::DealerThree;
        let third = self.sides != 0
            && spot == 0
            && (0..program.sides.len()).any(|at| self.sides >> at & 1 == 1 && bust(at));
        let needed = depends | waits | self.insured() | third | program.second_card_always;
        let mut drawing = Drawing::default();
        if self.hole.is_some() | needed {
            let face = match self.hole {
                Some(hole) => hole,
                None => self.dealer_card(core, spot),
            };
            self.hidden = 0;
            let drawn = program.dealer.next(program.dealer.up(up), core.symbol(face));
            let third = third && !program.dealer.decided_on_two[usize::from(drawn.row)];
            let second = Some(core.symbol(face));
            drawing = Drawing { row: drawn.row, last: drawn.last, second, depends, third };
        }
        drawing
    }

    /// One more card for the dealer.
    #[inline]
    pub(crate) fn draw_on(&mut self, core: &Core, spot: u8, drawing: &mut Drawing) {
        let face = self.dealer_card(core, spot);
        let drawn = core.tree.program.dealer.next(drawing.row, core.symbol(face));
        (drawing.row, drawing.last, drawing.third) = (drawn.row, drawn.last, false);
    }

    /// What the hands of the box win against this hand of the dealer.
    #[inline]
    pub(crate) fn add(&self, core: &Core, spot: u8, drawing: &Drawing, sum: &mut Sum) {
        let program = &core.tree.program;
        let last = drawing.last.map_or(0, usize::from);
        sum.net += self.hands_net(core, last);
        if let (true, Some(second)) = (self.insured(), drawing.second) {
            let up = core.symbol(self.up);
            let won = program.insurance(self.attacks(), up, second);
            sum.net += won * program.hands_per_box as i32;
        }
        if spot == 0 {
            (sum.blackjack, sum.cards) = (last == BLACKJACK, self.dealer_cards);
        }
    }

    /// The net win in initial wagers.
    #[inline]
    pub(crate) fn win(&mut self, core: &Core, sum: &Sum) -> f64 {
        if self.void {
            return 0.0;
        }
        let main = f64::from(sum.net) / core.tree.program.initial() as f64;
        let sides = if self.sides == 0 { 0.0 } else { self.side_wagers(core, sum.blackjack, sum.cards) };
        f64::from(self.shows[STAKE]) * main + sides
    }

    #[inline]
    fn dealer_card(&mut self, core: &Core, spot: u8) -> u8 {
        let face = self.draw(core);
        if spot == 0 {
            self.note_dealer(face);
        }
        face
    }

    /// What all hands win against this end of the dealer's.
    #[inline]
    fn hands_net(&self, core: &Core, last: usize) -> i32 {
        let program = &core.tree.program;
        let attacks = self.attacks();
        let held = &self.held[..usize::from(self.holding)];
        if let [one] = held {
            return program.classes.all[usize::from(one.class)].pay[attacks][last];
        }
        let mut net = 0;
        let mut at = 0;
        while at < held.len() {
            let end = at + held[at..].iter().take_while(|other| other.initial == held[at].initial).count();
            let classes = held[at..end].iter().map(|held| held.class);
            net += settle_group(program, classes, attacks, last, |_, _| ()).0;
            at = end;
        }
        net
    }

    /// The side wagers that were made, in initial wagers.
    fn side_wagers(&mut self, core: &Core, blackjack: bool, dealer_cards: u8) -> f64 {
        let program = &core.tree.program;
        let mut won = 0.0;
        for (at, side) in program.sides.iter().enumerate().filter(|(at, _)| self.sides >> at & 1 == 1) {
            let class = |face: u8| side.class_of[usize::from(face)];
            let two = [class(self.own[0]), class(self.own[1])];
            let line = match side.sees {
                Sees::TwoAndUp => side.line(&[two[0], two[1], class(self.up)]),
                Sees::Four => side.line(&self.own.map(class)),
                Sees::TwoAndBlackjack if blackjack => side.line_v_blackjack(two),
                Sees::DealerThree if dealer_cards < 3 => 0,
                Sees::DealerThree => side.line(&self.dealer.map(class)),
                _ => side.line(&two),
            };
            let net = match side.lines[usize::from(line)].pay {
                Pay::Net(net) | Pay::Meter(net) => net as f64,
                // the mean of what the button shows
                Pay::Award => {
                    let all: u64 = side.awards.iter().map(|award| award.1).sum();
                    let sum: f64 =
                        side.awards.iter().map(|&(award, weight)| award as f64 * weight as f64).sum();
                    sum / all.max(1) as f64
                }
            };
            won += net * core.side_units[at];
        }
        won
    }
}
