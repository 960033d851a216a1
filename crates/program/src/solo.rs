//! A whole round of one box fused into a single table: the state of the round and the next card give the next state.
//!
//! States are found by walking from the start of a round over the other tables, so nothing here knows a rule. Where the
//! count decides, a [`Consult`] says what follows at every count. Rounds that would need too many states (pairs split
//! again, even money by the count) end in [`Step::Replay`]: whoever runs the table plays those again card by card.

use crate::chart::Take;
use crate::class::{BLACKJACK, ClassId, taken};
use crate::compile::Program;
use crate::dealer::{DealerRow, Drawn};
use crate::face::Symbol;
use crate::hand::{LEAST_COUNT, MOST_COUNT, Next, Start};
use crate::minimise::{minimise, often_first};
use crate::moves::Move;
use crate::side::{Record, Sees};
use crate::view::ViewId;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// The most states that a table may have; more would not stay in the cache.
const MOST_STATES: usize = 1 << 15;
/// The most questions to the count.
const MOST_CONSULTS: usize = 1 << 14;

/// What came of a round.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outcome {
    pub net: i32,
    pub staked: i32,
    /// The squares of what each initial wager came to.
    pub wager_squares: u64,
    pub hands: u8,
    /// How each hand ended, and whether it won, pushed or lost; once a spot.
    pub endings: Vec<(u8, u8)>,
    pub record: (u8, u8, u8),
    /// The line of a wager on the dealer's third card.
    pub third_card_line: u8,
    /// Net win on insurance, and what was staked on it.
    pub insurance: i32,
    pub insured: i32,
}

impl Outcome {
    pub fn record(&self) -> Record {
        let (won, lost, pushed) = self.record;
        Record { won, lost, pushed }
    }
}

/// What a card leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The round goes on in this state.
    Go(u32),
    /// The round is over; an index into [`Solo::outcomes`].
    End(u16),
    /// The count decides; an index into [`Solo::consults`].
    Consult(u16),
    /// The round must be played again card by card.
    Replay,
}

/// What follows at each count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Consult {
    /// A card on the table that has not been seen and does not count.
    pub hidden: Option<Symbol>,
    /// By count, from the least that is told apart.
    pub steps: Vec<Step>,
}

/// The fused table; state 0 is the start of a round.
#[derive(Clone, Debug)]
pub struct Solo {
    pub symbols: usize,
    /// Row by row, `symbols` entries each.
    pub steps: Vec<Step>,
    pub consults: Vec<Consult>,
    pub outcomes: Vec<Outcome>,
}

/// How much of a round is fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extent {
    /// Hands that are split once.
    splits: bool,
    /// Decisions that ask the count.
    consults: bool,
}

/// A hand that is still to be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Pending {
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
        /// The dealer's cards, as long as a wager on the third of them is undecided.
        seen: Option<Vec<Symbol>>,
        classes: Vec<ClassId>,
        split: bool,
        attacks: u8,
        insured: bool,
        up: Symbol,
        spot: usize,
        so_far: Outcome,
        /// Only the compulsory third card is still to come.
        only_third: bool,
    },
}

/// What lies on the table while a hand is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Table {
    up: Symbol,
    hole: Option<Symbol>,
    attacks: u8,
    insured: bool,
}

impl Solo {
    /// Fuses the round, if it can be done within bounds: with hands split once, and decisions that ask the count, if
    /// there is room for them. The caller says whether there is.
    pub fn fitting<T>(program: &Program, fits: impl Fn(Solo) -> Option<T>) -> Option<T> {
        let by_count = !program.hands.consults.is_empty() || program.offers.insurance != Take::Never;
        // cards that are burned before a round are not seen, and only the general engine knows of them
        let by_count = by_count && program.stack.burned_each_round == 0;
        let extents = [(true, true), (false, true), (true, false), (false, false)];
        let extents = extents.map(|(splits, consults)| Extent { splits, consults });
        let mut wanted = extents.into_iter().filter(|extent| by_count || !extent.consults);
        wanted.find_map(|extent| fits(Solo::fuse(program, extent)?))
    }

    fn fuse(program: &Program, extent: Extent) -> Option<Solo> {
        let mut fusion = Fusion {
            program,
            extent,
            hides: program.moves.contains(&Move::HoleDown),
            consults: HashMap::new(),
            known: HashMap::new(),
            todo: VecDeque::new(),
            outcomes: HashMap::new(),
        };
        fusion.intern(State::Deal { at: 0, own: vec![], dealer: vec![], attacks: 0, insured: false });
        let symbols = program.symbols();
        let mut steps = Vec::new();
        while let Some(state) = fusion.todo.pop_front() {
            if fusion.known.len() > 4 * MOST_STATES || fusion.consults.len() > MOST_CONSULTS {
                return None;
            }
            for symbol in 0..symbols {
                steps.push(fusion.step(&state, symbol as Symbol));
            }
        }
        fusion.known = HashMap::new();
        let mut consults: Vec<(Consult, u16)> = fusion.consults.into_iter().collect();
        consults.sort_by_key(|consult| consult.1);
        let mut consults: Vec<Consult> = consults.into_iter().map(|consult| consult.0).collect();
        let steps = minimise(&steps, symbols, &mut consults);
        if steps.len() / symbols > MOST_STATES || fusion.outcomes.len() > 2000 {
            return None;
        }
        let steps = often_first(&steps, &program.faces.chances(), &mut consults);
        let mut outcomes: Vec<(Outcome, u16)> = fusion.outcomes.into_iter().collect();
        outcomes.sort_by_key(|o| o.1);
        Some(Solo { symbols, steps, consults, outcomes: outcomes.into_iter().map(|o| o.0).collect() })
    }
}

struct Fusion<'p> {
    program: &'p Program,
    extent: Extent,
    /// Whether the dealer's second card lies face down while the players decide.
    hides: bool,
    consults: HashMap<Consult, u16>,
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

    /// What follows where the count decides between these, one for each count.
    fn consult(&mut self, hidden: Option<Symbol>, steps: Vec<Step>) -> Step {
        match steps.first() {
            Some(&first) if steps.iter().all(|step| *step == first) => first,
            _ => {
                let next = self.consults.len() as u16;
                Step::Consult(*self.consults.entry(Consult { hidden, steps }).or_insert(next))
            }
        }
    }

    /// The same for a hand: `follow` tells what comes of each answer to the question.
    fn consult_hand(
        &mut self,
        at: u16,
        hole: Option<Symbol>,
        mut follow: impl FnMut(&mut Self, Next) -> Step,
    ) -> Step {
        if !self.extent.consults {
            return Step::Replay;
        }
        let (mut steps, mut answered) = (Vec::new(), None);
        for count in LEAST_COUNT..=MOST_COUNT {
            let next = self.program.hands.consult(at, count);
            let step = match answered {
                Some((before, step)) if before == next => step,
                _ => follow(self, next),
            };
            answered = Some((next, step));
            steps.push(step);
        }
        let hidden = if self.hides { hole } else { None };
        self.consult(hidden, steps)
    }

    fn step(&mut self, state: &State, symbol: Symbol) -> Step {
        match state.clone() {
            State::Deal { at, mut own, mut dealer, attacks, insured } => {
                match self.program.moves[at] {
                    Move::Each => own.push(symbol),
                    _ => dealer.push(symbol),
                }
                // the card just dealt may not be the last of its move
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
            State::Dealer {
                row,
                mut seen,
                classes,
                split,
                attacks,
                insured,
                up,
                spot,
                mut so_far,
                only_third,
            } => {
                let drawn = self.program.dealer.next(row, symbol);
                if let Some(cards) = &mut seen {
                    cards.push(symbol);
                }
                if let Some(three) = seen.take_if(|cards| cards.len() == 3) {
                    so_far.third_card_line = self.third_card_line(&three);
                }
                let table = Table { up, hole: None, attacks, insured };
                let done = Finish { classes, split, table, spot };
                if row == self.program.dealer.up(up) {
                    return self.second_card(done, seen, so_far, (symbol, drawn));
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
                Move::Insurance => {
                    let even_money = program.even_money.is_some() && offers.even_money != Take::Never;
                    let asked = even_money || offers.insurance != Take::Never;
                    if !asked || !offers.insurable[usize::from(up)] {
                        continue;
                    }
                    if even_money || !self.extent.consults {
                        return Step::Replay;
                    }
                    if let Take::FromCount(least) = offers.insurance {
                        let [not, taken] = [false, true]
                            .map(|yes| self.deal(at, own.clone(), dealer.clone(), (attacks, yes)));
                        let by_count = |count| if count >= least { taken } else { not };
                        let hidden = if self.hides { dealer.get(1).copied() } else { None };
                        return self.consult(hidden, (LEAST_COUNT..=MOST_COUNT).map(by_count).collect());
                    }
                    insured = true;
                }
                step @ (Move::Peek | Move::OpenBlackjack) => {
                    let found_out = step == Move::OpenBlackjack || offers.read[usize::from(up)];
                    if found_out && dealer.get(1).is_some_and(|&hole| program.is_blackjack(up, hole)) {
                        return self.open_blackjack(&own, &dealer, (attacks, insured));
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
            // what the second hand may do depends on what is done with the first
            return match program.hands.start(start, view, a, b) {
                Next::Consult(at) => self.consult_hand(at, hole, follow),
                next => follow(self, next),
            };
        }
        let next = program.hands.start(Start::Dealt, view, own[0], own[1]);
        self.play(next, table, Pending::None, None, false)
    }

    fn view(&self, table: Table) -> ViewId {
        self.program.view(table.up, table.hole.unwrap_or(0))
    }

    /// The dealer has shown a blackjack before anybody drew.
    fn open_blackjack(&mut self, own: &[Symbol], dealer: &[Symbol], (attacks, insured): (u8, bool)) -> Step {
        // a wager may be owed a further card; such rounds are played card by card
        if self.program.sides.iter().any(|side| side.sees == Sees::Sevens) {
            return Step::Replay;
        }
        let hands = self.program.hands_per_box;
        let classes = (0..hands).map(|hand| self.program.stood(own[hand], own[hands + hand])).collect();
        let table = Table { up: dealer[0], hole: Some(dealer[1]), attacks, insured };
        let done = Finish { classes, split: false, table, spot: 0 };
        let mut so_far = Outcome::default();
        self.settle_insurance(table, dealer[1], &mut so_far);
        self.settle(done, so_far, BLACKJACK)
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
            Next::Consult(at) => self
                .consult_hand(at, table.hole, |fusion, next| fusion.play(next, table, pending, done, split)),
            // a hand is split once; further splits, and those of a Switch spot, are played card by card
            Next::Split(value)
                if self.extent.splits && !split && pending == Pending::None && done.is_none() =>
            {
                let row = self.program.hands.split(self.view(table), value, self.program.split_hands > 2);
                self.go(State::Hand { row, table, pending: Pending::Split(value), done: None, split: true })
            }
            Next::Split(_) => Step::Replay,
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
            Some(hole) => self.second_card(done, seen, so_far, (hole, program.dealer.next(row, hole))),
            None if needed => self.draw_on(done, seen, so_far, row, false),
            None => self.settle(done, so_far, 0),
        }
    }

    fn third_card_wager(&self) -> bool {
        self.program.sides.iter().any(|side| side.sees == Sees::DealerThree)
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
        mut so_far: Outcome,
        (symbol, drawn): (Symbol, Drawn),
    ) -> Step {
        self.settle_insurance(done.table, symbol, &mut so_far);
        let third = seen.is_some() && !self.program.dealer.decided_on_two[usize::from(drawn.row)];
        match drawn.last {
            Some(last) => self.settle(done, so_far, usize::from(last)),
            None if self.depends(&done) => self.draw_on(done, seen, so_far, drawn.row, false),
            None if third => self.draw_on(done, seen, so_far, drawn.row, true),
            None => self.settle(done, so_far, 0),
        }
    }

    /// Insurance is settled on the dealer's second card, once a spot.
    fn settle_insurance(&self, table: Table, second: Symbol, so_far: &mut Outcome) {
        if table.insured {
            let (attacks, hands) = (usize::from(table.attacks), self.program.hands_per_box as i32);
            so_far.insured += self.program.money.insurance[attacks] * hands;
            so_far.insurance += self.program.insurance(attacks, table.up, second) * hands;
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
            attacks: done.table.attacks,
            insured: done.table.insured,
            up: done.table.up,
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
            net = taken(&lost, program.original[attacks]);
        }
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
