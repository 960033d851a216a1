//! A whole round of one box fused into a single table: the state of the round and the next card give the next state.
//!
//! States are found by walking from the start of a round over the other tables, so nothing here knows a rule. Rounds
//! that would need too many states (pairs split again, decisions that ask the count, insurance) end in [`Step::Replay`]:
//! whoever runs the table plays those again card by card.

use crate::chart::Take;
use crate::class::{BLACKJACK, ClassId, Ending, taken};
use crate::compile::Program;
use crate::dealer::DealerRow;
use crate::face::Symbol;
use crate::hand::{Next, Start};
use crate::minimise::{minimise, often_first};
use crate::moves::Move;
pub use crate::outcome::Outcome;
use crate::side::Sees;
use crate::view::ViewId;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// The most states that a table may have; more would not stay in the cache.
const MOST_STATES: usize = 1 << 15;

/// What a card leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The round goes on in this state.
    Go(u32),
    /// The round is over; an index into [`Solo::outcomes`].
    End(u16),
    /// The round must be played again card by card.
    Replay,
    /// The round goes on beyond the table; an index into [`Solo::exits`].
    Leave(u32),
    /// The mark of a state that awaits an answer instead of a card.
    Asked(Asked),
}

/// Insurance or even money is offered, and the count decides. The state's row holds what follows at [`DECLINED`] and
/// [`TAKEN`], and this at [`MARK`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Asked {
    pub even_money: bool,
    /// The dealer's card that nobody has seen.
    pub hidden: Option<Symbol>,
}

pub const DECLINED: usize = 0;
pub const TAKEN: usize = 1;
pub const MARK: usize = 2;

/// A round that leaves the table because a hand is split again, or asks the count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Exit {
    pub(crate) table: Table,
    pub(crate) pending: Pending,
    pub(crate) done: Option<ClassId>,
    /// Whether the hand at play came of a split.
    pub(crate) split: bool,
    pub(crate) next: Next,
}

/// The fused table; state 0 is the start of a round.
#[derive(Clone, Debug)]
pub struct Solo {
    pub symbols: usize,
    /// Row by row, `symbols` entries each.
    pub steps: Vec<Step>,
    pub outcomes: Vec<Outcome>,
    /// Where rounds go on beyond the table, if that was asked for.
    pub exits: Vec<Exit>,
}

/// A hand that is still to be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pending {
    None,
    /// The other hand of a split, of this value.
    Split(u8),
    /// The second hand of a Switch spot.
    Second(Start, Symbol, Symbol),
}

/// A round that waits for a card.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum State {
    /// In the deal, at this move: own cards so far, the dealer's so far, attack wagers.
    Deal {
        at: usize,
        own: Vec<Symbol>,
        dealer: Vec<Symbol>,
        attacks: u8,
    },
    /// The count decides on an offer made at this move.
    Asked {
        at: usize,
        own: Vec<Symbol>,
        dealer: Vec<Symbol>,
        attacks: u8,
        insured: bool,
        even_money: bool,
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
        /// The dealer's cards, as long as a wager on the third of them is undecided.
        seen: Option<Vec<Symbol>>,
        classes: Vec<ClassId>,
        split: bool,
        table: Table,
        spot: usize,
        so_far: Outcome,
        /// Only the compulsory third card is still to come.
        only_third: bool,
    },
}

/// What lies on the table while a hand is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Table {
    pub up: Symbol,
    pub hole: Option<Symbol>,
    pub attacks: u8,
    pub insured: bool,
}

impl Solo {
    /// The states that await an answer, in their order.
    pub fn asked(&self) -> Vec<(u32, Asked)> {
        let marked = |(state, row): (usize, &[Step])| match row[MARK] {
            Step::Asked(asked) => Some((state as u32, asked)),
            _ => None,
        };
        self.steps.chunks_exact(self.symbols).enumerate().filter_map(marked).collect()
    }

    /// Fuses the round, if it can be done within bounds: with hands split once if there is room for it.
    pub fn new(program: &Program) -> Option<Solo> {
        [true, false].into_iter().find_map(|splits| Solo::fuse(program, splits, false))
    }

    /// The same with exits in place of [`Step::Replay`], as far as [`crate::beyond`] can follow.
    pub fn with_exits(program: &Program) -> Option<Solo> {
        [true, false].into_iter().find_map(|splits| Solo::fuse(program, splits, true))
    }

    fn fuse(program: &Program, splits: bool, leaves: bool) -> Option<Solo> {
        let mut fusion = Fusion {
            program,
            splits,
            leaves,
            exits: HashMap::new(),
            known: HashMap::new(),
            todo: VecDeque::new(),
            outcomes: HashMap::new(),
        };
        fusion.intern(State::Deal { at: 0, own: vec![], dealer: vec![], attacks: 0 });
        let symbols = program.symbols();
        let mut steps = Vec::new();
        while let Some(state) = fusion.todo.pop_front() {
            if fusion.known.len() > 4 * MOST_STATES {
                return None;
            }
            for symbol in 0..symbols {
                steps.push(fusion.step(&state, symbol as Symbol));
            }
        }
        fusion.known = HashMap::new();
        let steps = minimise(&steps, symbols);
        if steps.len() / symbols > MOST_STATES || fusion.outcomes.len() > 2000 {
            return None;
        }
        let steps = often_first(&steps, &program.faces.chances());
        let mut outcomes: Vec<(Outcome, u16)> = fusion.outcomes.into_iter().collect();
        outcomes.sort_by_key(|o| o.1);
        let mut exits: Vec<(Exit, u32)> = fusion.exits.into_iter().collect();
        exits.sort_by_key(|exit| exit.1);
        Some(Solo {
            symbols,
            steps,
            outcomes: outcomes.into_iter().map(|o| o.0).collect(),
            exits: exits.into_iter().map(|exit| exit.0).collect(),
        })
    }
}

struct Fusion<'p> {
    program: &'p Program,
    splits: bool,
    leaves: bool,
    exits: HashMap<Exit, u32>,
    known: HashMap<Rc<State>, u32>,
    /// States whose steps are still to be found, in the order of their numbers.
    todo: VecDeque<Rc<State>>,
    outcomes: HashMap<Outcome, u16>,
}

impl Fusion<'_> {
    fn intern(&mut self, state: State) -> u32 {
        if let Some(&at) = self.known.get(&state) {
            return at;
        }
        let (at, state) = (self.known.len() as u32, Rc::new(state));
        self.known.insert(state.clone(), at);
        self.todo.push_back(state);
        at
    }

    fn go(&mut self, state: State) -> Step {
        Step::Go(self.intern(state))
    }

    fn end(&mut self, outcome: Outcome) -> Step {
        let next = self.outcomes.len() as u16;
        Step::End(*self.outcomes.entry(outcome).or_insert(next))
    }

    /// The table goes no further than this.
    fn leave(&mut self, exit: Exit) -> Step {
        if !self.leaves {
            return Step::Replay;
        }
        let next = self.exits.len() as u32;
        Step::Leave(*self.exits.entry(exit).or_insert(next))
    }

    fn step(&mut self, state: &State, symbol: Symbol) -> Step {
        match state.clone() {
            State::Deal { at, mut own, mut dealer, attacks } => {
                match self.program.moves[at] {
                    Move::Each => own.push(symbol),
                    _ => dealer.push(symbol),
                }
                self.deal(at, own, dealer, attacks)
            }
            State::Hand { row, table, pending, done, split } => {
                let next = self.program.hands.next(row, symbol);
                self.play(next, table, pending, done, split)
            }
            State::Asked { at, own, dealer, attacks, insured, even_money } => match usize::from(symbol) {
                MARK => {
                    let down = self.program.moves.contains(&Move::HoleDown);
                    Step::Asked(Asked { even_money, hidden: dealer.get(1).copied().filter(|_| down) })
                }
                answer if even_money => self.begin(own, dealer, attacks, insured, Some(answer == TAKEN)),
                answer => self.moves(at, own, dealer, attacks, answer == TAKEN),
            },
            State::Dealer { row, mut seen, classes, split, table, spot, mut so_far, only_third } => {
                let drawn = self.program.dealer.next(row, symbol);
                if let Some(cards) = &mut seen {
                    cards.push(symbol);
                }
                if let Some(three) = seen.take_if(|cards| cards.len() == 3) {
                    so_far.third_card_line = self.third_card_line(&three);
                }
                let done = Finish { classes, split, table, spot };
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

    /// Goes through the moves of the deal until the next card is needed.
    fn deal(&mut self, at: usize, own: Vec<Symbol>, dealer: Vec<Symbol>, attacks: u8) -> Step {
        let program = self.program;
        let hands = program.hands_per_box;
        // the card just dealt may not be the last of its move
        if program.moves[at] == Move::Each && !own.len().is_multiple_of(hands) {
            return self.go(State::Deal { at, own, dealer, attacks });
        }
        self.moves(at, own, dealer, attacks, false)
    }

    /// Goes on behind this move.
    fn moves(
        &mut self,
        mut at: usize,
        own: Vec<Symbol>,
        dealer: Vec<Symbol>,
        mut attacks: u8,
        mut insured: bool,
    ) -> Step {
        let program = self.program;
        let first = own.first().map_or(0, |&s| usize::from(s));
        loop {
            at += 1;
            let up = dealer.first().copied().unwrap_or(0);
            let offers = &program.offers;
            match program.moves[at] {
                Move::Each | Move::Up | Move::HoleDown | Move::HoleUp => {
                    return self.go(State::Deal { at, own, dealer, attacks });
                }
                Move::Attack => attacks += u8::from(offers.attack[usize::from(up)]),
                Move::SecondAttack => attacks += u8::from(offers.second_attack[first]),
                Move::ThirdAttack => {
                    attacks += u8::from(offers.third_attack[first * program.symbols() + usize::from(up)]);
                }
                Move::Insurance => {
                    let asked = offers.insurance != Take::Never
                        || (program.even_money.is_some() && offers.even_money != Take::Never);
                    if asked && offers.insurable[usize::from(up)] {
                        if !self.leaves {
                            return Step::Replay;
                        }
                        if let Take::FromCount(_) = offers.insurance {
                            let even_money = false;
                            return self.go(State::Asked { at, own, dealer, attacks, insured, even_money });
                        }
                        insured = offers.insurance == Take::Always;
                    }
                }
                step @ (Move::Peek | Move::OpenBlackjack) => {
                    let found_out = step == Move::OpenBlackjack || offers.read[usize::from(up)];
                    if found_out && dealer.get(1).is_some_and(|&hole| program.is_blackjack(up, hole)) {
                        return self.open_blackjack(&own, &dealer, attacks, insured);
                    }
                }
                Move::Play | Move::Finish => break,
            }
        }
        self.begin(own, dealer, attacks, insured, None)
    }

    /// Play begins, with what was said about even money.
    fn begin(
        &mut self,
        own: Vec<Symbol>,
        dealer: Vec<Symbol>,
        attacks: u8,
        insured: bool,
        answer: Option<bool>,
    ) -> Step {
        let program = self.program;
        let up = dealer.first().copied().unwrap_or(0);
        let table = Table { up, hole: dealer.get(1).copied(), attacks, insured };
        let view = self.view(table);
        if program.hands_per_box == 2 {
            let [a, c, b, d] = [own[0], own[1], own[2], own[3]];
            let switched = program.switches(table.up, [a, b], [c, d]);
            let (start, b, d) = if switched { (Start::Switched, d, b) } else { (Start::Dealt, b, d) };
            let next = program.hands.start(start, view, a, b);
            let pending = Pending::Second(program.second_start(start, next, [a, b]), c, d);
            return self.play(next, table, pending, None, false);
        }
        let mut next = program.hands.start(Start::Dealt, view, own[0], own[1]);
        let blackjack = |class: ClassId| program.classes.all[usize::from(class)].ending == Ending::Blackjack;
        if let (Next::Done(class), Some(paid)) = (next, program.even_money)
            && program.offers.insurable[usize::from(up)]
            && blackjack(class)
        {
            match (program.offers.even_money, answer) {
                (Take::FromCount(_), None) => {
                    let (at, even_money) = (0, true);
                    return self.go(State::Asked { at, own, dealer, attacks, insured, even_money });
                }
                (Take::Always, _) | (_, Some(true)) => next = Next::Done(paid),
                _ => {}
            }
        }
        self.play(next, table, Pending::None, None, false)
    }

    fn view(&self, table: Table) -> ViewId {
        self.program.view(table.up, table.hole.unwrap_or(0))
    }

    /// The dealer has shown a blackjack before anybody drew.
    fn open_blackjack(&mut self, own: &[Symbol], dealer: &[Symbol], attacks: u8, insured: bool) -> Step {
        // a wager may be owed a further card; such rounds are played card by card
        if self.program.sides.iter().any(|side| side.sees == Sees::Sevens) {
            return Step::Replay;
        }
        let hands = self.program.hands_per_box;
        let classes = (0..hands).map(|hand| self.program.stood(own[hand], own[hands + hand])).collect();
        let table = Table { up: dealer[0], hole: Some(dealer[1]), attacks, insured };
        let done = Finish { classes, split: false, table, spot: 0 };
        let so_far = self.insure(&done, Outcome::default(), dealer[1]);
        self.settle(done, so_far, BLACKJACK)
    }

    /// Insurance is settled by the dealer's second card; a blackjack that was paid even money needs none.
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
            Next::Consult(_) => self.leave(Exit { table, pending, done, split, next }),
            // a hand is split once; further splits, and those of a Switch spot, are played card by card
            Next::Split(value) if self.splits && !split && pending == Pending::None && done.is_none() => {
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
                self.dealer(Finish { classes, split, table, spot: 0 }, Outcome::default())
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

    /// The dealer's turn for one spot begins.
    fn dealer(&mut self, done: Finish, so_far: Outcome) -> Step {
        let program = self.program;
        let high = program.offers.high[usize::from(done.table.up)];
        let attacks = usize::from(done.table.attacks);
        let waits = |(nth, &class): (usize, &ClassId)| {
            let other = usize::from(done.split && nth > 0);
            program.classes.all[usize::from(class)].waits[other][attacks]
        };
        let waits = high && done.classes.iter().enumerate().any(waits);
        let third = self.third_card_wager() && done.spot == 0;
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

    /// Wagers on the third card see symbols as finely as faces; see [`crate::compile()`].
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
            spot: done.spot,
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
        so_far.dealer_blackjack |= done.spot == 0 && last == BLACKJACK && self.blackjack_wager();
        so_far.net += net;
        // the two hands of a Switch spot have a wager each; other hands grew from one wager
        so_far.wager_squares +=
            if program.hands_per_box == 1 { u64::from(net.unsigned_abs()).pow(2) } else { squares };
        so_far.hands = done.classes.len() as u8;
        so_far.endings.sort_unstable();
        if done.spot + 1 < program.spots {
            let next = Finish { spot: done.spot + 1, ..done };
            return self.dealer(next, so_far);
        }
        self.end(so_far)
    }
}

/// A box whose hands are finished.
struct Finish {
    classes: Vec<ClassId>,
    split: bool,
    table: Table,
    spot: usize,
}
