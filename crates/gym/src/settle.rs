//! The end of a round: the dealer's hands are completed and every wager is paid.

use crate::cards::Cards;
use crate::core::{Core, Seat};
use crate::sight::Question;
use program::class::BLACKJACK;
use program::side::{Pay, Sees};
use sim::round::settle_group;

impl<C: Cards> Seat<C> {
    /// Completes the dealer's hands and settles everything; the net win in initial wagers.
    pub(crate) fn settle(&mut self, core: &Core, spots: usize) -> f64 {
        self.question = Question::Nothing;
        let mut net = 0;
        let (mut blackjack, mut third) = (false, self.dealer_cards);
        for spot in 0..spots {
            let (won, last) = self.spot(core, spot);
            net += won;
            if spot == 0 {
                (blackjack, third) = (last == BLACKJACK, self.dealer_cards);
            }
        }
        if self.void {
            return 0.0;
        }
        let main = f64::from(net) / core.tree.program.initial() as f64;
        let sides = if self.sides == 0 { 0.0 } else { self.side_wagers(core, blackjack, third) };
        f64::from(self.stake) * main + sides
    }

    fn spot(&mut self, core: &Core, spot: usize) -> (i32, usize) {
        let program = &core.tree.program;
        let up = core.symbol(self.up);
        let high = program.offers.high[usize::from(up)];
        let attacks = usize::from(self.attacks);
        let (mut depends, mut waits) = (false, false);
        let mut before = u8::MAX;
        for held in &self.held[..usize::from(self.holding)] {
            let class = &program.classes.all[usize::from(held.class)];
            let other = usize::from(held.initial == before);
            before = held.initial;
            depends |= class.depends;
            waits |= high && class.waits[other][attacks];
        }
        let bust = |at: usize| program.sides[at].sees == Sees::DealerThree;
        let third = spot == 0 && (0..program.sides.len()).any(|at| self.sides >> at & 1 == 1 && bust(at));
        let needed = depends || waits || self.insured || third || program.second_card_always;
        let (mut last, mut second) = (0, None);
        if self.hole.is_some() || needed {
            let face = match self.hole {
                Some(hole) => hole,
                None => self.dealer_card(core, spot),
            };
            self.hidden = 0;
            second = Some(core.symbol(face));
            let mut drawn = program.dealer.next(program.dealer.up(up), core.symbol(face));
            let mut third = third && !program.dealer.decided_on_two[usize::from(drawn.row)];
            last = loop {
                match drawn.last {
                    Some(last) => break usize::from(last),
                    None if !depends && !third => break 0,
                    None => {
                        let face = self.dealer_card(core, spot);
                        drawn = program.dealer.next(drawn.row, core.symbol(face));
                        third = false;
                    }
                }
            };
        }
        let mut net = self.hands_net(core, last);
        if let (true, Some(second)) = (self.insured, second) {
            net += program.insurance(attacks, up, second) * program.hands_per_box as i32;
        }
        (net, last)
    }

    fn dealer_card(&mut self, core: &Core, spot: usize) -> u8 {
        let face = self.draw(core);
        if spot == 0 {
            self.note_dealer(face);
        }
        face
    }

    /// What all hands win against this end of the dealer's.
    fn hands_net(&self, core: &Core, last: usize) -> i32 {
        let program = &core.tree.program;
        let attacks = usize::from(self.attacks);
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
