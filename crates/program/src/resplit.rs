//! Compiles the rounds that the fused table of [`crate::single_box`] does not finish.
//!
//! These are rounds with resplit hands, with splits in a Switch box, or with decisions that depend on the count.
//!
//! Such rounds are rare but have too many states to fuse. Three independent parts describe a round instead: the
//! hand being played, the number of hands still waiting for their second card ([`Control`]), and the value of the
//! finished hands ([`Sum`]). Each finished hand is added to the sum; the dealer's final hand then determines what
//! the sum wins. A caller that runs these lookup tables keeps four numbers next to the state: the control, the
//! sum, the sum of the first of two hands, and the pending hand.

use crate::class::{BLACKJACK, ClassId, FINALS, ToBlackjack, taken_of};
use crate::compile::Program;
use crate::dealer::DealerRow;
use crate::face::Symbol;
use crate::hand::{LEAST_COUNT, MOST_COUNT, Next, Start};
use crate::numbers::Numbers;
use crate::side::Sees;
use crate::single_box::{Exit, Pending, Table};

/// The maximum number of rows in each lookup table for rounds that leave the fused table.
const MOST: usize = 65_535;

/// The next step of a round outside the fused table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SplitStep {
    /// The round waits for a card in the state with this number.
    Go(u32),
    /// A hand is finished, with the class at this index of [`Resplit::classes`].
    Done(u32),
    /// The hand is a pair of cards with this point value, and the player splits it.
    Split(u8),
    /// The count decides the next step, as given at this index of [`Resplit::asks`].
    Ask(u32),
    /// The dealer's hand has ended.
    End(End),
    /// All hands of the box are finished, and the dealer's turn begins.
    Dealer,
    /// The first hand of a Switch box is finished, and the second begins.
    Second,
}

/// How a dealer hand ended, and what its cards decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct End {
    /// The index of the dealer hand in the round, which is above zero only in multiple action.
    pub dealer_hand: u8,
    /// The index of the dealer hand's final result, below [`FINALS`].
    pub last: u8,
    /// The index of the paytable line that a bet on the dealer's third card reaches.
    pub line: u8,
    /// The index of the insurance result in [`Resplit::insurances`].
    pub insurance: u8,
}

/// The state of a round that has just left the fused table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The next step of the round.
    pub then: SplitStep,
    /// The index in [`Resplit::controls`] of the control that applies to the current hand.
    pub control: u32,
    /// The index of the finished hands' sum in [`Resplit::sums`].
    pub sum: u32,
    /// In Switch, the index of the first hand's sum in [`Resplit::sums`], once that hand is finished.
    pub first: u32,
    /// In Switch, the index in [`Control::second`] of the second hand, which waits for its turn.
    pub pending: u32,
}

/// What follows when the current hand of a box is finished or split, depending on the hands still to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// The next step when the current hand is finished, and the index of the control that then applies.
    pub done: (SplitStep, u32),
    /// The state when the current hand is split, and the index of the control that then applies.
    ///
    /// It is indexed by the point value of the split cards, less one. Pairs that may not be split have zeros.
    pub split: Vec<(u32, u32)>,
    /// The first step of the dealer's turn.
    ///
    /// It is indexed by dealer hand, then by whether the result of a player's hand depends on the cards that
    /// the dealer draws, then by whether a player's hand waits for a dealer blackjack.
    pub dealer: Vec<[[SplitStep; 2]; 2]>,
    /// In Switch, the first step of the second hand, indexed by [`Entry::pending`].
    pub second: Vec<SplitStep>,
    /// The dealer's face-down card, or `None` if there is none.
    pub hidden: Option<Symbol>,
    /// The number of attack bets made.
    pub attacks: u8,
}

/// The combined bets and results of the finished hands that come from one original hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sum {
    attacks: u8,
    hands: u8,
    net: [i32; FINALS],
    lost: ToBlackjack,
    staked: i32,
    /// The number of hands by ending and by result (win, push, loss), for each final hand of the dealer.
    endings: [[u8; 12]; FINALS],
    /// Whether the cards that the dealer draws can change the result of a hand of the sum.
    pub depends: bool,
    /// Whether a hand of the sum waits for the dealer's second card.
    pub waits: bool,
}

/// The result of a [`Sum`] against one final result of the dealer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SplitResult {
    /// The net win, in parts of the bet.
    pub net: i32,
    /// The total amount bet, in parts of the bet.
    pub staked: i32,
    /// The number of hands in the sum.
    pub hands: u8,
    /// The number of hands by ending, then by result (win, push, loss).
    pub endings: [u8; 12],
}

/// The lookup tables for rounds that leave the fused table.
#[derive(Clone, Debug, Default)]
pub struct Resplit {
    /// The step that each card leads to, indexed by state, then by symbol.
    pub steps: Vec<SplitStep>,
    /// The state of a round after it leaves the fused table, indexed by exit.
    pub entries: Vec<Entry>,
    /// The controls: what follows when a hand is finished or split, indexed by [`Entry::control`].
    pub controls: Vec<Control>,
    /// All sums of finished hands that can arise.
    pub sums: Vec<Sum>,
    /// The classes of finished hands that can be added to a sum.
    pub classes: Vec<ClassId>,
    /// The index of the sum after one more hand, indexed by sum, then by the hand's index in [`Resplit::classes`].
    ///
    /// Where no further hand is possible, it is the index of the same sum.
    pub adds: Vec<u32>,
    /// The distinct results of the sums against the dealer's final results.
    pub parts: Vec<SplitResult>,
    /// The index of a result in [`Resplit::parts`], indexed by sum, then by the dealer's final result.
    pub part_of: Vec<u32>,
    /// The next step of each decision that depends on the count, indexed by decision, then by count.
    pub asks: Vec<Vec<SplitStep>>,
    /// Each possible insurance bet with its net win, in parts of the bet. The first entry stands for no insurance.
    pub insurances: Vec<(i32, i32)>,
}

/// A state of a round that waits for a card.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Wait {
    Hand(u16),
    Dealer { row: DealerRow, seen: Option<Vec<Symbol>>, turn: Turn, line: u8, only_third: bool },
}

/// The hands that a box still has to play and the dealer's known cards, from which a [`Control`] is built.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Stage {
    table: Table,
    /// The point value of the split cards, or zero before a split.
    value: u8,
    made: u8,
    waiting: u8,
    /// Whether the second hand of a Switch box is still to be played.
    first_of_two: bool,
}

struct Walk<'p> {
    program: &'p Program,
    waits: Numbers<Wait>,
    stages: Numbers<Stage>,
    classes: Numbers<ClassId>,
    pending: Numbers<(Start, Symbol, Symbol)>,
    sums: Numbers<Sum>,
    insurances: Numbers<(i32, i32)>,
    third: bool,
}

impl Resplit {
    /// Builds the lookup tables for rounds that leave the fused table through `exits`.
    ///
    /// Returns `None` if a lookup table needs too many rows.
    pub fn new(program: &Program, exits: &[Exit]) -> Option<Resplit> {
        let mut walk = Walk {
            program,
            waits: Numbers::new(),
            stages: Numbers::new(),
            classes: Numbers::new(),
            pending: Numbers::new(),
            sums: Numbers::new(),
            insurances: Numbers::new(),
            third: program.sides.iter().any(|side| side.sees == Sees::DealerThree),
        };
        (0..=2).for_each(|attacks| {
            walk.sums.of(Sum { attacks, ..Sum::default() });
        });
        walk.insurances.of((0, 0));
        let entries: Vec<Entry> = exits.iter().map(|exit| walk.entry(exit)).collect();
        walk.tables(entries)
    }
}

impl Walk<'_> {
    fn tables(mut self, entries: Vec<Entry>) -> Option<Resplit> {
        let asks: Vec<Vec<SplitStep>> = (0..self.program.hands.consults.len())
            .map(|at| {
                let counts = LEAST_COUNT..=MOST_COUNT;
                counts.map(|count| self.next(self.program.hands.consult(at as u16, count))).collect()
            })
            .collect();
        let (mut steps, mut controls) = (Vec::new(), Vec::new());
        let (mut state, mut stage) = (0, 0);
        // a state may add stages and a stage may add states
        loop {
            if self.waits.len().max(self.stages.len()) > MOST {
                return None;
            }
            if let Some(wait) = self.waits.get(state) {
                (0..self.program.symbols()).for_each(|symbol| steps.push(self.step(&wait, symbol as Symbol)));
                state += 1;
            } else if let Some(at) = self.stages.get(stage) {
                controls.push(self.control(&at));
                stage += 1;
            } else {
                break;
            }
        }
        let classes = self.classes.into_all();
        let most = usize::from(self.program.split_hands.max(2));
        let (mut adds, mut at) = (Vec::new(), 0);
        while let Some(sum) = self.sums.get(at) {
            for &class in &classes {
                adds.push(match usize::from(sum.hands) < most {
                    true => self.sums.of(sum.with(self.program, class)),
                    false => at as u32,
                });
            }
            at += 1;
            if self.sums.len() > MOST {
                return None;
            }
        }
        let mut parts = Numbers::new();
        let sums = self.sums.into_all();
        let ends = sums.iter().flat_map(|sum| (0..FINALS).map(move |last| (sum, last)));
        let part_of = ends.map(|(sum, last)| parts.of(sum.part(self.program, last))).collect();
        let (parts, insurances) = (parts.into_all(), self.insurances.into_all());
        Some(Resplit { steps, entries, controls, sums, classes, adds, parts, part_of, asks, insurances })
    }

    fn entry(&mut self, exit: &Exit) -> Entry {
        let two = self.program.hands_per_box > 1;
        let mut first_of_two = false;
        let (mut waiting, mut pending, mut value) = (0, 0, 0);
        match exit.pending {
            Pending::None => {}
            Pending::Split(of) => (waiting, value) = (1, of),
            Pending::Second(start, a, b) => {
                first_of_two = true;
                pending = self.pending.of((start, a, b));
            }
        }
        let zero = u32::from(exit.table.attacks);
        let none = Sum { attacks: exit.table.attacks, ..Sum::default() };
        let done = exit.done.map(|class| self.sums.of(none.with(self.program, class)));
        let (sum, first) = match done {
            Some(done) if two => (zero, done),
            done => (done.unwrap_or(zero), zero),
        };
        let made = if exit.split { 2 } else { 1 };
        if let (true, Next::Split(of)) = (exit.split, exit.next) {
            value = of;
        }
        let stage = Stage { table: exit.table, value, made, waiting, first_of_two };
        // when a hand of a split pair depends on the count, the other hand waits, described by the value of the pair
        let control = self.stages.of(stage);
        Entry { then: self.next(exit.next), control, sum, first, pending }
    }

    fn next(&mut self, next: Next) -> SplitStep {
        match next {
            Next::Draw(row) => SplitStep::Go(self.waits.of(Wait::Hand(row))),
            Next::Done(class) => SplitStep::Done(self.classes.of(class)),
            Next::Split(value) => SplitStep::Split(value),
            Next::Consult(at) => SplitStep::Ask(u32::from(at)),
        }
    }

    fn view(&self, table: Table) -> u8 {
        self.program.view(table.up, table.hole.unwrap_or(0))
    }

    /// Returns the state in which a hand formed by a split waits for its second card.
    fn half(&mut self, table: Table, value: u8, made: u8) -> u32 {
        let row = self.program.hands.split(self.view(table), value, made < self.program.split_hands);
        self.waits.of(Wait::Hand(row))
    }

    fn control(&mut self, stage: &Stage) -> Control {
        let program = self.program;
        let Stage { table, value, made, waiting, first_of_two } = *stage;
        let done = if waiting > 0 {
            let next = Stage { waiting: waiting - 1, ..stage.clone() };
            (SplitStep::Go(self.half(table, value, made)), self.stages.of(next))
        } else if first_of_two {
            let second = Stage { table, value: 0, made: 1, waiting: 0, first_of_two: false };
            (SplitStep::Second, self.stages.of(second))
        } else {
            (SplitStep::Dealer, 0)
        };
        let most = program.split_hands.max(2);
        let split = (1..=10).map(|of| {
            // a pair can be split only while the hand limit allows another hand
            if made >= most || (value != 0 && value != of) {
                return (0, 0);
            }
            let next = Stage { table, value: of, made: made + 1, waiting: waiting + 1, first_of_two };
            (self.half(table, of, made + 1), self.stages.of(next))
        });
        let split = split.collect();
        let flags = [false, true];
        let dealer = (0..program.dealer_hands as u8)
            .map(|dealer_hand| {
                flags.map(|depends| flags.map(|waits| self.dealer(table, depends, waits, dealer_hand)))
            })
            .collect();
        let second = match first_of_two {
            true => {
                let view = self.view(table);
                let all: Vec<_> = (0..self.pending.len()).filter_map(|at| self.pending.get(at)).collect();
                let start = |&(start, a, b): &(Start, Symbol, Symbol)| {
                    self.next(program.hands.start(start, view, a, b))
                };
                all.iter().map(AsRef::as_ref).map(start).collect()
            }
            false => Vec::new(),
        };
        let down = program.moves.contains(&crate::moves::Move::HoleDown);
        Control { done, split, dealer, second, hidden: table.hole.filter(|_| down), attacks: table.attacks }
    }

    /// Returns the first step of the dealer's turn for the dealer hand `dealer_hand`.
    fn dealer(&mut self, table: Table, depends: bool, waits: bool, dealer_hand: u8) -> SplitStep {
        let program = self.program;
        let third = self.third && dealer_hand == 0;
        let waits = waits && program.offers.high[usize::from(table.up)];
        let row = program.dealer.up(table.up);
        let seen = third.then(|| [Some(table.up), table.hole].into_iter().flatten().collect());
        let insured = table.insured.then_some(table.attacks);
        let turn = Turn { depends, up: table.up, dealer_hand, insured, insurance: 0 };
        match table.hole {
            Some(hole) => self.second_card(turn, seen, 0, hole),
            None if depends || waits || table.insured || third || program.second_card_always => {
                self.draw_on(turn, seen, 0, row, false)
            }
            None => turn.end(0, 0),
        }
    }

    fn second_card(
        &mut self,
        mut turn: Turn,
        seen: Option<Vec<Symbol>>,
        line: u8,
        second: Symbol,
    ) -> SplitStep {
        let drawn = self.program.dealer.next(self.program.dealer.up(turn.up), second);
        if let Some(attacks) = turn.insured.take() {
            turn.insurance = self.insurances.of(self.program.insured(attacks, turn.up, second)) as u8;
        }
        let third = seen.is_some() && !self.program.dealer.decided_on_two[usize::from(drawn.row)];
        match drawn.last {
            Some(last) => turn.end(last, line),
            None if turn.depends => self.draw_on(turn, seen, line, drawn.row, false),
            None if third => self.draw_on(turn, seen, line, drawn.row, true),
            None => turn.end(0, line),
        }
    }

    fn draw_on(
        &mut self,
        turn: Turn,
        seen: Option<Vec<Symbol>>,
        line: u8,
        row: DealerRow,
        only_third: bool,
    ) -> SplitStep {
        SplitStep::Go(self.waits.of(Wait::Dealer { row, seen, turn, line, only_third }))
    }

    fn step(&mut self, wait: &Wait, symbol: Symbol) -> SplitStep {
        match wait.clone() {
            Wait::Hand(row) => self.next(self.program.hands.next(row, symbol)),
            Wait::Dealer { row, mut seen, turn, mut line, only_third } => {
                let drawn = self.program.dealer.next(row, symbol);
                if let Some(cards) = &mut seen {
                    cards.push(symbol);
                }
                if let Some(three) = seen.take_if(|cards| cards.len() == 3) {
                    line = self.third_card_line(&three);
                }
                if row == self.program.dealer.up(turn.up) {
                    return self.second_card(turn, seen, line, symbol);
                }
                match drawn.last {
                    Some(last) => turn.end(last, line),
                    None if only_third => turn.end(0, line),
                    None => self.draw_on(turn, seen, line, drawn.row, false),
                }
            }
        }
    }

    fn third_card_line(&self, seen: &[Symbol]) -> u8 {
        let side = self.program.sides.iter().find(|side| side.sees == Sees::DealerThree);
        side.map_or(0, |side| {
            let faces = seen.iter().map(|&s| side.class_of[self.program.face_of_symbol(s)]);
            side.line(&faces.collect::<Vec<u8>>())
        })
    }
}

/// The properties of a dealer's turn that do not change while the dealer draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Turn {
    depends: bool,
    up: Symbol,
    dealer_hand: u8,
    /// The number of attack bets of an insured box, or `None` if no insurance is left to settle.
    insured: Option<u8>,
    insurance: u8,
}

impl Turn {
    fn end(self, last: u8, line: u8) -> SplitStep {
        SplitStep::End(End { dealer_hand: self.dealer_hand, last, line, insurance: self.insurance })
    }
}

impl Sum {
    /// Returns the sum after one more finished hand of `class`.
    fn with(&self, program: &Program, class: ClassId) -> Sum {
        let class = &program.classes.all[usize::from(class)];
        let (attacks, other) = (usize::from(self.attacks), usize::from(self.hands > 0));
        let mut sum = self.clone();
        for (last, &pay) in class.pay[attacks].iter().enumerate() {
            sum.net[last] += pay;
            let way = if pay > 0 { 0 } else { usize::from(pay < 0) + 1 };
            sum.endings[last][class.ending as usize * 3 + way] += 1;
        }
        let lost = class.split[other][attacks];
        sum.lost.fixed += lost.fixed;
        sum.lost.capped += lost.capped;
        sum.lost.collected += lost.collected;
        sum.net[BLACKJACK] = 0;
        sum.staked += class.staked[attacks];
        sum.hands += 1;
        sum.depends |= class.depends;
        sum.waits |= class.waits[other][attacks];
        sum
    }

    fn part(&self, program: &Program, last: usize) -> SplitResult {
        let net = match last {
            BLACKJACK => {
                let original = program.original[usize::from(self.attacks)];
                taken_of(self.lost, usize::from(self.hands), original, program.shared)
            }
            _ => self.net[last],
        };
        SplitResult { net, staked: self.staked, hands: self.hands, endings: self.endings[last] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Take;
    use crate::single_box::{SingleBox, Step};
    use crate::{Chart, CompileOptions, compile, infinite_deck::infinite_deck_chart};

    const PRESETS: [&str; 5] =
        ["nj-blackjack", "nj-multiple-action", "nj-switch", "nj-double-attack", "nj-triple-attack"];

    fn tables(name: &str, chart: &dyn Fn(Chart) -> Chart) -> (SingleBox, Resplit) {
        let choices = rules::preset::preset(name).unwrap();
        let program =
            compile(&choices, &chart(infinite_deck_chart(&choices)), &CompileOptions::default()).unwrap();
        let solo = SingleBox::with_exits(&program).unwrap();
        assert!(!solo.steps.contains(&Step::Replay), "{name}");
        let beyond = Resplit::new(&program, &solo.exits).unwrap();
        assert_eq!(beyond.entries.len(), solo.exits.len());
        assert_eq!(beyond.adds.len(), beyond.sums.len() * beyond.classes.len(), "{name}");
        (solo, beyond)
    }

    #[test]
    fn every_preset_goes_on_beyond_its_table() {
        for name in PRESETS {
            let (solo, _) = tables(name, &|chart| chart);
            assert!(solo.consults.is_empty(), "{name}");
        }
    }

    /// Decisions that depend on the count stay in the fused table; only resplit hands consult the count outside it.
    #[test]
    fn the_count_is_asked_within_the_table() {
        let index = r#"{"indices": [{"hand": "hard 16", "up": "A", "from": 1, "play": "S"},
            {"hand": "hard 12", "up": "A", "from": 3, "play": "S"}]}"#;
        let indices = Chart::from_json(index).unwrap().indices;
        for name in PRESETS {
            let by_count = |chart| Chart { insurance: Take::FromCount(2), indices: indices.clone(), ..chart };
            let (solo, _) = tables(name, &by_count);
            assert!(!solo.consults.is_empty(), "{name}");
            let asks = |exit: &Exit| matches!(exit.next, Next::Consult(_));
            assert!(!solo.exits.iter().any(asks), "{name}");
            let mut answers = solo.consults.iter().flat_map(|consult| &consult.steps);
            assert!(!answers.any(|step| matches!(step, Step::Replay | Step::Consult(_))), "{name}");
        }
    }
}
