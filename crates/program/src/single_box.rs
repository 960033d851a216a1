//! Fuses a whole round of one box into a single lookup table, from the state and the next card to the next state.
//!
//! The states are found by walking the other lookup tables from the start of a round, so this module contains no
//! rules. Where the count decides, a [`Consult`] holds the next step at every count. Rounds that would need too
//! many states (resplit pairs) either end in [`Step::Replay`], and the caller replays them card by card, or leave
//! the fused table and continue in the lookup tables of [`crate::resplit`].

use crate::chart::Take;
use crate::class::{BLACKJACK, ClassId, Ending, taken};
use crate::compile::Program;
use crate::consult::{Consult, only_asked};
use crate::dealer::DealerRow;
use crate::face::Symbol;
use crate::hand::{LEAST_COUNT, MOST_COUNT, Next, Start};
use crate::minimise::{minimise, often_first};
use crate::moves::Move;
use crate::numbers::Numbers;
use crate::outcome::Outcome;
use crate::side::Sees;
use crate::view::ViewId;

/// The maximum number of states in a fused table, which must stay in the cache.
const MOST_STATES: usize = 1 << 15;
/// The maximum number of decisions that depend on the count.
const MOST_CONSULTS: usize = 1 << 13;
/// The maximum number of distinct outcomes.
const MOST_OUTCOMES: usize = 2000;
/// The range of counts that a fused table distinguishes.
const COUNTS: std::ops::RangeInclusive<i32> = LEAST_COUNT..=MOST_COUNT;

/// The next step of a fused round after a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The round continues in the state with this number.
    Go(u32),
    /// The round is over, with the outcome at this index of [`SingleBox::outcomes`].
    End(u16),
    /// The count decides the next step, as given at this index of [`SingleBox::consults`].
    Consult(u16),
    /// The caller must replay the round card by card.
    Replay,
    /// The round leaves the fused table, through the exit at this index of [`SingleBox::exits`].
    Leave(u32),
}

/// A point where a round leaves the fused table, such as a resplit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Exit {
    pub(crate) table: Table,
    pub(crate) pending: Pending,
    pub(crate) done: Option<ClassId>,
    /// Whether the current hand was formed by a split.
    pub(crate) split: bool,
    pub(crate) next: Next,
}

/// The fused lookup table of a round with one box. A round starts in state 0.
#[derive(Clone, Debug)]
pub struct SingleBox {
    /// The length of a row of the lookup table: the number of symbols.
    pub symbols: usize,
    /// The step that each card leads to, indexed by state, then by symbol.
    pub steps: Vec<Step>,
    /// The decisions that depend on the count.
    pub consults: Vec<Consult>,
    /// The distinct outcomes of rounds.
    pub outcomes: Vec<Outcome>,
    /// The points where rounds leave the fused table, empty if exits were not requested.
    pub exits: Vec<Exit>,
}

/// Which kinds of rounds a lookup table fuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extent {
    /// Whether hands that are split once are fused.
    splits: bool,
    /// Whether decisions that depend on the count are fused.
    consults: bool,
    /// Whether rounds that the fused table does not finish take an exit instead of being replayed.
    leaves: bool,
}

/// A hand to be played after the current one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pending {
    None,
    /// The other hand of a split pair of cards with this point value.
    Split(u8),
    /// The second hand of a Switch box.
    Second(Start, Symbol, Symbol),
}

/// A state of a round that waits for a card.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum State {
    /// A deal that waits for a card of the move `at`, with the cards and bets so far.
    Deal {
        at: usize,
        own: Vec<Symbol>,
        dealer: Vec<Symbol>,
        attacks: u8,
        insured: bool,
    },
    Hand {
        row: u16,
        table: Table,
        pending: Pending,
        done: Option<ClassId>,
        split: bool,
    },
    Dealer {
        row: DealerRow,
        /// The dealer's cards while a bet on the dealer's third card is undecided, or `None`.
        seen: Option<Vec<Symbol>>,
        classes: Vec<ClassId>,
        split: bool,
        table: Table,
        dealer_hand: usize,
        so_far: Outcome,
        /// Whether the dealer draws only one more card, for a bet on the dealer's third card.
        only_third: bool,
    },
}

/// The dealer's known cards, the number of attack bets, and whether the box is insured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Table {
    pub up: Symbol,
    pub hole: Option<Symbol>,
    pub attacks: u8,
    pub insured: bool,
}

impl SingleBox {
    /// Passes fused lookup tables to `fits` until `fits` accepts one, and returns its result or `None`.
    ///
    /// The first table includes single splits and decisions that depend on the count; later ones leave out one
    /// or both.
    pub fn fitting<T>(program: &Program, fits: impl Fn(SingleBox) -> Option<T>) -> Option<T> {
        SingleBox::extents(program, false).find_map(|extent| fits(SingleBox::fuse(program, extent)?))
    }

    /// Fuses rounds into a lookup table that has exits besides [`Step::Replay`].
    ///
    /// Only rounds that [`crate::resplit`] can follow take an exit. Returns `None` if the states are too many.
    pub fn with_exits(program: &Program) -> Option<SingleBox> {
        SingleBox::extents(program, true).find_map(|extent| SingleBox::fuse(program, extent))
    }

    fn extents(program: &Program, leaves: bool) -> impl Iterator<Item = Extent> {
        let offers = &program.offers;
        let by_count =
            !program.hands.consults.is_empty() || offers.insurance != Take::Never || pays_even_money(program);
        // cards burned before each round are not counted, and only the general engine tracks them
        let by_count = by_count && program.stack.burned_each_round == 0;
        let extents = [(true, true), (false, true), (true, false), (false, false)];
        let extents = extents.map(|(splits, consults)| Extent { splits, consults, leaves });
        extents.into_iter().filter(move |extent| by_count || !extent.consults)
    }

    fn fuse(program: &Program, extent: Extent) -> Option<SingleBox> {
        let mut fusion = Fusion {
            program,
            extent,
            hides: program.moves.contains(&Move::HoleDown),
            exits: Numbers::new(),
            consults: Numbers::new(),
            states: Numbers::new(),
            outcomes: Numbers::new(),
        };
        fusion.go(State::Deal { at: 0, own: vec![], dealer: vec![], attacks: 0, insured: false });
        let symbols = program.symbols();
        let (mut steps, mut at) = (Vec::new(), 0);
        while let Some(state) = fusion.states.get(at) {
            if fusion.states.len() > 4 * MOST_STATES || fusion.consults.len() > MOST_CONSULTS {
                return None;
            }
            for symbol in 0..symbols {
                steps.push(fusion.step(&state, symbol as Symbol));
            }
            at += 1;
        }
        let Fusion { exits, consults, states, outcomes, .. } = fusion;
        drop(states);
        let mut consults = consults.into_all();
        let steps = minimise(&steps, symbols, &mut consults);
        if steps.len() / symbols > MOST_STATES || outcomes.len() > MOST_OUTCOMES {
            return None;
        }
        let steps = often_first(&steps, &program.faces.chances(), &mut consults);
        let (steps, consults) = only_asked(steps, &consults);
        Some(SingleBox { symbols, steps, consults, outcomes: outcomes.into_all(), exits: exits.into_all() })
    }
}

/// Returns whether even money is offered and sometimes taken by the strategy.
fn pays_even_money(program: &Program) -> bool {
    program.even_money.is_some() && program.offers.even_money != Take::Never
}

struct Fusion<'p> {
    program: &'p Program,
    extent: Extent,
    /// Whether the dealer's second card is face down while the players decide.
    hides: bool,
    exits: Numbers<Exit>,
    consults: Numbers<Consult>,
    /// The states, whose steps are computed in the order of their numbers.
    states: Numbers<State>,
    outcomes: Numbers<Outcome>,
}

impl Fusion<'_> {
    fn go(&mut self, state: State) -> Step {
        Step::Go(self.states.of(state))
    }

    fn end(&mut self, outcome: Outcome) -> Step {
        Step::End(self.outcomes.of(outcome) as u16)
    }

    /// Returns the step that leaves the fused table at `exit`, or [`Step::Replay`] if there are no exits.
    fn leave(&mut self, exit: Exit) -> Step {
        if self.extent.leaves { Step::Leave(self.exits.of(exit)) } else { Step::Replay }
    }

    /// Returns the step for a decision that depends on the count, with one step per count in `steps`.
    fn consult(&mut self, hole: Option<Symbol>, steps: impl Iterator<Item = Step>) -> Step {
        // no card comes between two consecutive decisions, so the same count answers both
        let answered = |(at, step)| match step {
            Step::Consult(next) => self.consults.get(usize::from(next)).map_or(step, |next| next.steps[at]),
            _ => step,
        };
        let steps: Vec<Step> = steps.enumerate().map(answered).collect();
        if steps.iter().all(|step| *step == steps[0]) {
            return steps[0];
        }
        let hidden = hole.filter(|_| self.hides);
        Step::Consult(self.consults.of(Consult { hidden, steps }) as u16)
    }

    /// Returns the step for an offer that the player accepts only at some counts.
    fn consult_offer(&mut self, hole: Option<Symbol>, take: Take, [declined, taken]: [Step; 2]) -> Step {
        self.consult(hole, COUNTS.map(|count| if take.at(count) { taken } else { declined }))
    }

    /// Returns the step for a hand whose decision depends on the count. `follow` turns a decision into a step.
    fn consult_hand(
        &mut self,
        at: u16,
        hole: Option<Symbol>,
        mut follow: impl FnMut(&mut Self, Next) -> Step,
    ) -> Step {
        let (mut steps, mut answered) = (Vec::new(), None);
        for count in COUNTS {
            let next = self.program.hands.consult(at, count);
            let step = match answered {
                Some((before, step)) if before == next => step,
                _ => follow(self, next),
            };
            answered = Some((next, step));
            steps.push(step);
        }
        self.consult(hole, steps.into_iter())
    }

    fn step(&mut self, state: &State, symbol: Symbol) -> Step {
        match state.clone() {
            State::Deal { at, mut own, mut dealer, attacks, insured } => {
                match self.program.moves[at] {
                    Move::Each => own.push(symbol),
                    _ => dealer.push(symbol),
                }
                // the card just dealt may not be the last card of its move
                if self.program.moves[at] == Move::Each
                    && !own.len().is_multiple_of(self.program.hands_per_box)
                {
                    return self.go(State::Deal { at, own, dealer, attacks, insured });
                }
                self.deal(at, own, dealer, (attacks, insured))
            }
            State::Hand { row, table, pending, done, split } => {
                let next = self.program.hands.next(row, symbol);
                self.play(next, table, pending, done, split)
            }
            State::Dealer { row, mut seen, classes, split, table, dealer_hand, mut so_far, only_third } => {
                let drawn = self.program.dealer.next(row, symbol);
                if let Some(cards) = &mut seen {
                    cards.push(symbol);
                }
                if let Some(three) = seen.take_if(|cards| cards.len() == 3) {
                    so_far.third_card_line = self.third_card_line(&three);
                }
                let done = Finish { classes, split, table, dealer_hand };
                if row == self.program.dealer.up(table.up) {
                    return self.second_card(done, seen, so_far, symbol);
                }
                match drawn.last {
                    Some(last) => self.settle(done, so_far, usize::from(last)),
                    None if only_third => self.settle(done, so_far, 0),
                    None => self.draw_on(done, seen, so_far, drawn.row, false),
                }
            }
        }
    }

    /// Runs the moves of the deal until the next card is needed, and returns the next step.
    fn deal(
        &mut self,
        mut at: usize,
        own: Vec<Symbol>,
        dealer: Vec<Symbol>,
        (mut attacks, mut insured): (u8, bool),
    ) -> Step {
        let program = self.program;
        let hands = program.hands_per_box;
        let first = own.first().map_or(0, |&s| usize::from(s));
        loop {
            at += 1;
            let up = dealer.first().copied().unwrap_or(0);
            let offers = &program.offers;
            match program.moves[at] {
                Move::Each | Move::Up | Move::HoleDown | Move::HoleUp => {
                    return self.go(State::Deal { at, own, dealer, attacks, insured });
                }
                Move::Attack => attacks += u8::from(offers.attack[usize::from(up)]),
                Move::SecondAttack => attacks += u8::from(offers.second_attack[first]),
                Move::ThirdAttack => {
                    attacks += u8::from(offers.third_attack[first * program.symbols() + usize::from(up)]);
                }
                Move::Insurance if offers.insurable[usize::from(up)] => match offers.insurance {
                    _ if !self.extent.consults && pays_even_money(program) => return Step::Replay,
                    Take::Never => {}
                    _ if !self.extent.consults => return Step::Replay,
                    Take::Always => insured = true,
                    take => {
                        let hole = dealer.get(1).copied();
                        let follow = [false, true]
                            .map(|taken| self.deal(at, own.clone(), dealer.clone(), (attacks, taken)));
                        return self.consult_offer(hole, take, follow);
                    }
                },
                Move::Insurance => {}
                step @ (Move::Peek | Move::OpenBlackjack) => {
                    let found_out = step == Move::OpenBlackjack || offers.read[usize::from(up)];
                    if found_out && dealer.get(1).is_some_and(|&hole| program.is_blackjack(up, hole)) {
                        return self.open_blackjack(&own, &dealer, attacks, insured);
                    }
                }
                Move::Play | Move::Finish => break,
            }
        }
        let (up, hole) = (dealer.first().copied().unwrap_or(0), dealer.get(1).copied());
        let table = Table { up, hole, attacks, insured };
        let view = self.view(table);
        if hands == 2 {
            let [a, c, b, d] = [own[0], own[1], own[2], own[3]];
            let switched = program.switches(table.up, [a, b], [c, d]);
            let (start, b, d) = if switched { (Start::Switched, d, b) } else { (Start::Dealt, b, d) };
            let follow = |fusion: &mut Self, next| {
                let pending = Pending::Second(program.second_start(start, next, [a, b]), c, d);
                fusion.play(next, table, pending, None, false)
            };
            // the actions open to the second hand depend on what the first hand does
            return match program.hands.start(start, view, a, b) {
                Next::Consult(_) if !self.extent.consults => Step::Replay,
                Next::Consult(at) => self.consult_hand(at, hole, follow),
                next => follow(self, next),
            };
        }
        let next = program.hands.start(Start::Dealt, view, own[0], own[1]);
        let dealt = self.play(next, table, Pending::None, None, false);
        match (next, program.even_money) {
            // a blackjack against an ace may take even money
            (Next::Done(class), Some(paid))
                if program.offers.insurable[usize::from(up)]
                    && program.classes.all[usize::from(class)].ending == Ending::Blackjack
                    && program.offers.even_money != Take::Never =>
            {
                let paid = self.play(Next::Done(paid), table, Pending::None, None, false);
                self.consult_offer(hole, program.offers.even_money, [dealt, paid])
            }
            _ => dealt,
        }
    }

    fn view(&self, table: Table) -> ViewId {
        self.program.view(table.up, table.hole.unwrap_or(0))
    }

    /// Settles a round in which the dealer is known to have blackjack before any player draws.
    fn open_blackjack(&mut self, own: &[Symbol], dealer: &[Symbol], attacks: u8, insured: bool) -> Step {
        // a side bet may be owed a further card; such rounds are replayed card by card
        if self.program.sides.iter().any(|side| side.sees == Sees::Sevens) {
            return Step::Replay;
        }
        let hands = self.program.hands_per_box;
        let classes = (0..hands).map(|hand| self.program.stood(own[hand], own[hands + hand])).collect();
        let table = Table { up: dealer[0], hole: Some(dealer[1]), attacks, insured };
        let done = Finish { classes, split: false, table, dealer_hand: 0 };
        let so_far = self.insure(&done, Outcome::default(), dealer[1]);
        self.settle(done, so_far, BLACKJACK)
    }

    /// Settles insurance by the dealer's second card, and returns `so_far` with the result added.
    ///
    /// A blackjack that took even money has no insurance.
    fn insure(&self, done: &Finish, mut so_far: Outcome, second: Symbol) -> Outcome {
        let program = self.program;
        if !done.table.insured || done.classes.iter().any(|&class| Some(class) == program.even_money) {
            return so_far;
        }
        let (insured, net) = program.insured(done.table.attacks, done.table.up, second);
        so_far.insured += insured;
        so_far.staked += insured;
        so_far.insurance += net;
        so_far.net += net;
        so_far
    }

    fn play(
        &mut self,
        next: Next,
        table: Table,
        pending: Pending,
        done: Option<ClassId>,
        split: bool,
    ) -> Step {
        match next {
            Next::Draw(row) => self.go(State::Hand { row, table, pending, done, split }),
            Next::Consult(at) if self.extent.consults => self
                .consult_hand(at, table.hole, |fusion, next| fusion.play(next, table, pending, done, split)),
            Next::Consult(_) => self.leave(Exit { table, pending, done, split, next }),
            // the table splits a hand once; resplits, and splits in a Switch box, leave it
            Next::Split(value)
                if self.extent.splits && !split && pending == Pending::None && done.is_none() =>
            {
                let row = self.program.hands.split(self.view(table), value, self.program.split_hands > 2);
                self.go(State::Hand { row, table, pending: Pending::Split(value), done: None, split: true })
            }
            Next::Split(_) => self.leave(Exit { table, pending, done, split, next }),
            Next::Done(class) => self.finished(class, table, pending, done, split),
        }
    }

    fn finished(
        &mut self,
        class: ClassId,
        table: Table,
        pending: Pending,
        done: Option<ClassId>,
        split: bool,
    ) -> Step {
        match pending {
            Pending::None => {
                let classes = done.into_iter().chain([class]).collect();
                self.dealer(Finish { classes, split, table, dealer_hand: 0 }, Outcome::default())
            }
            Pending::Split(value) => {
                let row = self.program.hands.split(self.view(table), value, self.program.split_hands > 2);
                self.go(State::Hand { row, table, pending: Pending::None, done: Some(class), split })
            }
            Pending::Second(start, a, b) => {
                let next = self.program.hands.start(start, self.view(table), a, b);
                self.play(next, table, Pending::None, Some(class), split)
            }
        }
    }

    /// Returns the first step of the dealer's turn for one of the dealer's hands.
    fn dealer(&mut self, done: Finish, so_far: Outcome) -> Step {
        let program = self.program;
        let high = program.offers.high[usize::from(done.table.up)];
        let attacks = usize::from(done.table.attacks);
        let waits = |(nth, &class): (usize, &ClassId)| {
            let other = usize::from(done.split && nth > 0);
            program.classes.all[usize::from(class)].waits[other][attacks]
        };
        let waits = high && done.classes.iter().enumerate().any(waits);
        let third = self.third_card_wager() && done.dealer_hand == 0;
        let needed =
            self.depends(&done) || waits || done.table.insured || third || program.second_card_always;
        let row = program.dealer.up(done.table.up);
        let cards = [Some(done.table.up), done.table.hole].into_iter().flatten();
        let seen = third.then(|| cards.collect());
        match done.table.hole {
            Some(hole) => self.second_card(done, seen, so_far, hole),
            None if needed => self.draw_on(done, seen, so_far, row, false),
            None => self.settle(done, so_far, 0),
        }
    }

    fn third_card_wager(&self) -> bool {
        self.program.sides.iter().any(|side| side.sees == Sees::DealerThree)
    }

    fn blackjack_wager(&self) -> bool {
        self.program.sides.iter().any(|side| side.sees == Sees::TwoAndBlackjack)
    }

    /// Returns the index of the paytable line that a bet on the dealer's third card reaches.
    ///
    /// Symbols are fine enough for this bet; see [`crate::compile()`].
    fn third_card_line(&self, seen: &[Symbol]) -> u8 {
        let side = self.program.sides.iter().find(|side| side.sees == Sees::DealerThree);
        side.map_or(0, |side| {
            let classes: Vec<u8> =
                seen.iter().map(|&s| side.class_of[self.program.face_of_symbol(s)]).collect();
            side.line(&classes)
        })
    }

    fn depends(&self, done: &Finish) -> bool {
        done.classes.iter().any(|&class| self.program.classes.all[usize::from(class)].depends)
    }

    fn second_card(
        &mut self,
        done: Finish,
        seen: Option<Vec<Symbol>>,
        so_far: Outcome,
        second: Symbol,
    ) -> Step {
        let so_far = self.insure(&done, so_far, second);
        let drawn = self.program.dealer.next(self.program.dealer.up(done.table.up), second);
        let third = seen.is_some() && !self.program.dealer.decided_on_two[usize::from(drawn.row)];
        match drawn.last {
            Some(last) => self.settle(done, so_far, usize::from(last)),
            None if self.depends(&done) => self.draw_on(done, seen, so_far, drawn.row, false),
            None if third => self.draw_on(done, seen, so_far, drawn.row, true),
            None => self.settle(done, so_far, 0),
        }
    }

    fn draw_on(
        &mut self,
        done: Finish,
        seen: Option<Vec<Symbol>>,
        so_far: Outcome,
        row: DealerRow,
        only_third: bool,
    ) -> Step {
        self.go(State::Dealer {
            row,
            seen,
            classes: done.classes,
            split: done.split,
            table: Table { hole: None, ..done.table },
            dealer_hand: done.dealer_hand,
            so_far,
            only_third,
        })
    }

    fn settle(&mut self, done: Finish, mut so_far: Outcome, last: usize) -> Step {
        let program = self.program;
        let attacks = usize::from(done.table.attacks);
        let (mut net, mut squares) = (0i32, 0);
        let mut lost = Vec::new();
        for (nth, &class) in done.classes.iter().enumerate() {
            let class = &program.classes.all[usize::from(class)];
            let pay = class.pay[attacks][last];
            net += pay;
            squares += u64::from(pay.unsigned_abs()).pow(2);
            so_far.staked += class.staked[attacks];
            lost.push(class.split[usize::from(nth > 0)][attacks]);
            let way = if pay > 0 { 0 } else { u8::from(pay < 0) + 1 };
            so_far.endings.push((class.ending as u8, way));
            match way {
                0 => so_far.record.0 += 1,
                1 => so_far.record.2 += 1,
                _ => so_far.record.1 += 1,
            }
        }
        if last == BLACKJACK && done.split {
            net = taken(&lost, program.original[attacks], program.shared);
        }
        so_far.dealer_blackjack |= done.dealer_hand == 0 && last == BLACKJACK && self.blackjack_wager();
        so_far.net += net;
        // the two hands of a Switch box have a bet each; other hands come from one bet
        so_far.wager_squares +=
            if program.hands_per_box == 1 { u64::from(net.unsigned_abs()).pow(2) } else { squares };
        so_far.hands = done.classes.len() as u8;
        so_far.endings.sort_unstable();
        if done.dealer_hand + 1 < program.dealer_hands {
            let classes = done.classes.iter().map(|&class| program.classes.later(class)).collect();
            let next = Finish { dealer_hand: done.dealer_hand + 1, classes, ..done };
            return self.dealer(next, so_far);
        }
        self.end(so_far)
    }
}

/// A box whose hands are finished and wait for the dealer.
struct Finish {
    classes: Vec<ClassId>,
    split: bool,
    table: Table,
    dealer_hand: usize,
}
