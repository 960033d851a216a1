//! The end of a round: the dealer's hands are completed and every wager is paid.

use crate::cards::Cards;
use crate::core::Core;
use crate::seat::{Held, Seat};
use crate::sight::STAKE;
use crate::stage::NONE;
use program::class::BLACKJACK;
use program::dealer::DealerRow;
use program::side::{Pay, Sees};
use sim::round::settle_group;

/// A round in which nothing is asked any more: what its hands depend on, and how far it is settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// Won so far, in parts of the wager.
    net: i32,
    /// Hands of the dealer that are to be completed, one after the other.
    pub(crate) spots: u8,
    /// The dealer's second card is needed.
    needed: bool,
    /// What is drawn after it can change what anybody is paid.
    depends: bool,
    /// A side wager looks at the third card.
    third: bool,
    /// The dealer's hand that is being completed, and how it ended.
    row: DealerRow,
    last: Option<u8>,
    second: u8,
    /// Of the first of the dealer's hands, for the side wagers.
    dealer: [u8; 3],
    blackjack: bool,
}

impl Ending {
    /// Whether a card is to be drawn.
    #[inline]
    pub(crate) fn goes_on(&self) -> bool {
        self.last.is_none() & (self.depends | self.third)
    }
}

impl<C: Cards> Seat<C> {
    /// What the hands that are held depend on, against so many hands of the dealer.
    #[inline]
    pub(crate) fn ending(&self, core: &Core, spots: usize) -> Ending {
        let program = &core.tree.program;
        let high = core.face(self.up()).high;
        let attacks = self.attacks();
        let (mut depends, mut waits) = (false, false);
        let mut before = u8::MAX;
        for held in self.held() {
            let class = &program.classes.all[usize::from(held.class)];
            let other = usize::from(held.initial == before);
            before = held.initial;
            depends |= class.depends;
            waits |= high & class.waits[other][attacks];
        }
        let bust = |at: usize| program.sides[at].sees == Sees::DealerThree;
        let third =
            self.sides != 0 && (0..program.sides.len()).any(|at| self.sides >> at & 1 == 1 && bust(at));
        Ending {
            net: 0,
            spots: spots as u8,
            needed: depends | waits | self.insured() | third | program.second_card_always,
            depends,
            third,
            row: 0,
            last: None,
            second: NONE,
            dealer: [self.up(), NONE, NONE],
            blackjack: false,
        }
    }

    /// Completes the dealer's hands and settles everything; the net win in initial wagers.
    pub(crate) fn settle(&mut self, core: &Core, mut ending: Ending) -> f64 {
        for spot in 0..ending.spots {
            self.second_card(core, spot, &mut ending);
            while ending.goes_on() {
                self.draw_on(core, spot, &mut ending);
            }
            self.add(core, spot, &mut ending);
        }
        self.win(core, &ending)
    }

    /// The dealer's second card, where it lies already or somebody needs it.
    #[inline]
    pub(crate) fn second_card(&mut self, core: &Core, spot: u8, ending: &mut Ending) {
        let dealer = &core.tree.program.dealer;
        (ending.last, ending.second) = (None, NONE);
        let hole = self.hole();
        if hole.is_some() | ending.needed {
            ending.second = match hole {
                Some(hole) => hole,
                None => self.draw(core),
            };
            self.hidden = 0;
            let up = dealer.up(core.symbol(self.up()));
            let drawn = dealer.next(up, core.symbol(ending.second));
            (ending.row, ending.last) = (drawn.row, drawn.last);
            if ending.third {
                ending.third = spot == 0 && !dealer.decided_on_two[usize::from(drawn.row)];
            }
        }
        if spot == 0 {
            ending.dealer[1] = ending.second;
        }
    }

    /// One more card for the dealer.
    #[inline]
    pub(crate) fn draw_on(&mut self, core: &Core, spot: u8, ending: &mut Ending) {
        let face = self.draw(core);
        let drawn = core.tree.program.dealer.next(ending.row, core.symbol(face));
        (ending.row, ending.last, ending.third) = (drawn.row, drawn.last, false);
        if self.sides != 0 && spot == 0 && ending.dealer[2] == NONE {
            ending.dealer[2] = face;
        }
    }

    /// What the hands of the box win against this hand of the dealer.
    #[inline]
    pub(crate) fn add(&self, core: &Core, spot: u8, ending: &mut Ending) {
        let program = &core.tree.program;
        let last = ending.last.map_or(0, usize::from);
        ending.net += self.hands_net(core, last);
        if self.insured() && ending.second != NONE {
            let won = program.insurance(self.attacks(), core.symbol(self.up()), core.symbol(ending.second));
            ending.net += won * program.hands_per_box as i32;
        }
        if spot == 0 {
            ending.blackjack = last == BLACKJACK;
        }
    }

    /// The net win in initial wagers.
    #[inline]
    pub(crate) fn win(&self, core: &Core, ending: &Ending) -> f64 {
        if self.void {
            return 0.0;
        }
        let main = f64::from(ending.net) / core.tree.program.initial() as f64;
        let sides = if self.sides == 0 { 0.0 } else { self.side_wagers(core, ending) };
        f64::from(self.shows[STAKE]) * main + sides
    }

    /// What all hands win against this end of the dealer's.
    #[inline]
    fn hands_net(&self, core: &Core, last: usize) -> i32 {
        let program = &core.tree.program;
        let attacks = self.attacks();
        let held = self.held();
        if !self.split_before {
            let pay = |held: &Held| program.classes.all[usize::from(held.class)].pay[attacks][last];
            return held.iter().map(pay).sum();
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
    fn side_wagers(&self, core: &Core, ending: &Ending) -> f64 {
        let program = &core.tree.program;
        let mut won = 0.0;
        for (at, side) in program.sides.iter().enumerate().filter(|(at, _)| self.sides >> at & 1 == 1) {
            let class = |face: u8| side.class_of[usize::from(face)];
            let own: [u8; 4] = std::array::from_fn(|at| self.own(at));
            let two = [class(own[0]), class(own[1])];
            let line = match side.sees {
                Sees::TwoAndUp => side.line(&[two[0], two[1], class(self.up())]),
                Sees::Four => side.line(&own.map(class)),
                Sees::TwoAndBlackjack if ending.blackjack => side.line_v_blackjack(two),
                Sees::DealerThree if ending.dealer[2] == NONE => 0,
                Sees::DealerThree => side.line(&ending.dealer.map(class)),
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
