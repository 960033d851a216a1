//! Ends a round by playing the dealer's hands and settling every bet.

use crate::cards::Cards;
use crate::core::Core;
use crate::observation::{HOLE, STAKE};
use crate::seat::Seat;
use crate::stage::NONE;
use program::class::{BLACKJACK, FINALS};
use program::dealer::DealerRow;
use program::side::{Pay, Sees};
use sim::round::settle_group;

/// The state of a round's settlement, after all player hands are played.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ending {
    /// The net win of the box's hands for each final result of a dealer hand, in parts of the bet.
    pay: [i32; FINALS],
    /// The net win settled so far, in parts of the bet.
    net: i32,
    /// The number of dealer hands to settle in this round.
    pub(crate) dealer_hands: u8,
    /// Whether the settlement needs the dealer's second card.
    needed: bool,
    /// Whether any payoff depends on the cards that the dealer draws.
    depends: bool,
    /// Whether a side bet depends on the dealer's third card.
    third: bool,
    /// The row of the current dealer hand in the dealer's lookup table.
    row: DealerRow,
    last: Option<u8>,
    /// The face of the current dealer hand's second card.
    second: u8,
    /// The net win of insurance, in parts of the bet, for the smallest bet.
    insurance: i32,
    /// The faces of the first three cards of the first dealer hand, for the side bets.
    dealer: [u8; 3],
    blackjack: bool,
}

impl<C: Cards> Seat<C> {
    /// Begins the settlement of a round in which only `dealer_hands` dealer hands remain to be played.
    pub(crate) fn begin_settlement(&mut self, core: &Core, dealer_hands: usize) {
        (self.ending.net, self.ending.insurance, self.ending.dealer_hands) = (0, 0, dealer_hands as u8);
        let third = self.sides != 0 && self.looks_at_third(core);
        self.compute_pay(core, third);
    }

    /// Computes the net win of the finished hands for each final result of a dealer hand, and which of the
    /// dealer's cards can change the net win.
    fn compute_pay(&mut self, core: &Core, third: bool) {
        let program = &core.tree.program;
        let high = core.face(self.up()).high;
        let attacks = self.attacks();
        let (mut depends, mut waits) = (false, false);
        let mut pay = [0; FINALS];
        let mut before = u8::MAX;
        for held in self.held() {
            let class = &program.classes.all[usize::from(held.class)];
            let other = usize::from(held.initial == before);
            before = held.initial;
            depends |= class.depends;
            waits |= high & class.waits[other][attacks];
            for (pay, won) in pay.iter_mut().zip(class.pay[attacks]) {
                *pay += won;
            }
        }
        if self.split_before {
            pay = std::array::from_fn(|last| self.split_hands_win(core, last));
        }
        let needed = depends | waits | self.insured() | third | program.second_card_always;
        let ending = &mut self.ending;
        (ending.pay, ending.needed, ending.depends, ending.third) = (pay, needed, depends, third);
    }

    /// Returns the net win of all hands against a dealer hand with the final result `last`.
    ///
    /// Hands that come from one initial hand are settled together.
    #[inline(never)]
    fn split_hands_win(&self, core: &Core, last: usize) -> i32 {
        let grown = self.held().chunk_by(|one, other| one.initial == other.initial);
        let classes = grown.map(|hands| hands.iter().map(|held| held.class));
        let program = &core.tree.program;
        classes.map(|classes| settle_group(program, classes, self.attacks(), last, |_, _| ()).0).sum()
    }

    /// Returns whether any side bet that the seat made depends on the dealer's third card.
    #[inline(never)]
    fn looks_at_third(&self, core: &Core) -> bool {
        let made = |at: usize| self.sides >> at & 1 == 1;
        let sides = core.tree.program.sides.iter().enumerate();
        sides.into_iter().any(|(at, side)| made(at) && side.sees == Sees::DealerThree)
    }

    /// Plays the dealer's hands, settles all bets, and returns the net win in initial bets.
    pub(crate) fn settle(&mut self, core: &Core) -> f64 {
        for dealer_hand in 0..self.ending.dealer_hands {
            self.second_card(core, dealer_hand);
            while self.draws_on() {
                self.draw_on(core, dealer_hand);
            }
            self.add(core, dealer_hand);
        }
        self.win(core)
    }

    /// Gives a dealer hand its second card: the hole card, or a new card if a bet needs one.
    #[inline]
    pub(crate) fn second_card(&mut self, core: &Core, dealer_hand: u8) {
        let dealer = &core.tree.program.dealer;
        let hole = self.hole();
        if hole.is_some() | self.ending.needed {
            let second = match hole {
                Some(hole) => hole,
                None => self.draw(core),
            };
            self.hidden = 0;
            self.shows[HOLE] = core.value(second).into();
            self.keep_second_card(second);
            let drawn = dealer.next(dealer.up(core.symbol(self.up())), core.symbol(second));
            (self.ending.row, self.ending.last, self.ending.second) = (drawn.row, drawn.last, second);
            if self.ending.third {
                self.ending.third = dealer_hand == 0 && !dealer.decided_on_two[usize::from(drawn.row)];
            }
        } else {
            (self.ending.last, self.ending.second) = (None, NONE);
        }
        if self.sides != 0 && dealer_hand == 0 {
            self.ending.dealer = [self.up(), self.ending.second, NONE];
        }
    }

    /// Returns whether the current dealer hand takes another card.
    #[inline]
    pub(crate) fn draws_on(&self) -> bool {
        self.ending.last.is_none() & (self.ending.depends | self.ending.third)
    }

    /// Deals one more card to the current dealer hand.
    #[inline]
    pub(crate) fn draw_on(&mut self, core: &Core, dealer_hand: u8) {
        let face = self.draw(core);
        let ending = &mut self.ending;
        let drawn = core.tree.program.dealer.next(ending.row, core.symbol(face));
        (ending.row, ending.last, ending.third) = (drawn.row, drawn.last, false);
        if self.sides != 0 && dealer_hand == 0 && ending.dealer[2] == NONE {
            ending.dealer[2] = face;
        }
    }

    /// Adds the net win against the current dealer hand to the round's net win.
    #[inline]
    pub(crate) fn add(&mut self, core: &Core, dealer_hand: u8) {
        let last = self.ending.last.map_or(0, usize::from) % FINALS;
        self.ending.net += self.ending.pay[last];
        if self.insured() && self.ending.second != NONE {
            let program = &core.tree.program;
            let (up, second) = (core.symbol(self.up()), core.symbol(self.ending.second));
            self.ending.insurance +=
                program.insurance(self.attacks(), up, second) * program.hands_per_box as i32;
        }
        if dealer_hand == 0 {
            self.ending.blackjack = last == BLACKJACK;
            if core.turns_over {
                self.turn_over(core);
                self.compute_pay(core, false);
            }
        }
    }

    /// Returns the net win of the round, in initial bets.
    #[inline]
    pub(crate) fn win(&self, core: &Core) -> f64 {
        if self.void {
            return 0.0;
        }
        let main = f64::from(self.shows[STAKE]) * (f64::from(self.ending.net) / core.initial);
        let insurance = if self.ending.insurance == 0 { 0.0 } else { self.insurance(core) };
        let sides = if self.sides == 0 { 0.0 } else { self.side_wagers(core) };
        main + insurance + sides
    }

    /// Returns the net win of insurance, in initial bets.
    ///
    /// The maximum insurance is rounded to chips, so it does not grow evenly with the stake.
    fn insurance(&self, core: &Core) -> f64 {
        let stake = core.stakes.iter().position(|&stake| stake as i16 == self.shows[STAKE]).unwrap_or(0);
        f64::from(self.ending.insurance) / core.initial * core.insurance[stake][self.attacks()]
    }

    /// Returns the net win of the seat's side bets, in initial bets.
    fn side_wagers(&self, core: &Core) -> f64 {
        let ending = &self.ending;
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
                // the mean award of the bonus button
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
