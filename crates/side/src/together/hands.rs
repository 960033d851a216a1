//! Two to four hands given the dealer's result: which records they can end with.

use super::Pairs;
use super::ends::Class;
use exact::split::arrangements;
use rules::wager::streak::Record;

/// How many hands were closed by a second card that is no pair card, and how many take any second card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub closed: usize,
    pub open: usize,
}

impl Shape {
    fn hands(self) -> usize {
        self.closed + self.open
    }
}

/// The shapes in which a pair ends with this many further pair cards, and in how many arrangements each.
pub(super) fn shapes(most: usize, further: usize) -> Vec<(Shape, u32)> {
    let mut shapes: Vec<(Shape, u32)> = Vec::new();
    for leaf in arrangements(most).iter().filter(|leaf| leaf.pairs == further) {
        let shape = Shape { closed: leaf.others, open: leaf.open };
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, times)) => *times += 1,
            None => shapes.push((shape, 1)),
        }
    }
    shapes
}

/// The outcomes of hands given one dealer's result: won, pushed and lost, with another second card or a pair card.
const OUTCOMES: usize = 6;

/// What subtracting chances may leave where nothing is.
const NOISE: f64 = 1e-14;

pub(super) struct Hands {
    /// The chance of the dealer's result.
    result: f64,
    one: [f64; OUTCOMES],
    /// The chance of two outcomes over what it would be if they were independent.
    ratio: [[f64; OUTCOMES]; OUTCOMES],
}

impl Hands {
    pub(super) fn new(classes: &[Class], pairs: &Pairs, result: usize) -> Hands {
        let outcome = |class: &Class| {
            let won = (1 - class.against[result]) as usize;
            2 * won + usize::from(class.paired)
        };
        let mut two = [[0.0; OUTCOMES]; OUTCOMES];
        for (a, row) in classes.iter().zip(pairs) {
            for (b, chances) in classes.iter().zip(row) {
                two[outcome(a)][outcome(b)] += chances[result];
            }
        }
        let all: f64 = two.iter().flatten().sum();
        let one: [f64; OUTCOMES] = std::array::from_fn(|a| two[a].iter().sum::<f64>());
        let ratio = std::array::from_fn(|a| {
            std::array::from_fn(|b| {
                let apart = one[a] * one[b];
                if one[a].min(one[b]) > NOISE { two[a][b] * all / apart } else { 1.0 }
            })
        });
        Hands { result: all, one, ratio }
    }

    /// Tells every record that hands of this shape can end with, and its chance.
    pub(super) fn each(&self, shape: Shape, mut visit: impl FnMut(Record, f64)) {
        if self.result <= NOISE {
            return;
        }
        if shape.hands() > 2 {
            // the superposed chances of all outcomes add up to the chance of the dealer's result but for what it neglects
            let mut whole = 0.0;
            let open = Shape { closed: 0, open: shape.hands() };
            self.extend(open, &mut Vec::new(), self.result, &mut |_, chance| whole += chance);
            let scale = self.result / whole;
            self.extend(shape, &mut Vec::new(), self.result, &mut |record, chance| {
                visit(record, chance * scale)
            });
        } else {
            self.extend(shape, &mut Vec::new(), self.result, &mut visit);
        }
    }

    /// Adds a hand to those that have ended as `before`, with every outcome that it can have.
    fn extend(&self, shape: Shape, before: &mut Vec<usize>, chance: f64, visit: &mut dyn FnMut(Record, f64)) {
        if before.len() == shape.hands() {
            visit(record(before), chance);
            return;
        }
        // a hand that was closed by another second card has no pair card
        let step = if before.len() < shape.closed { 2 } else { 1 };
        for outcome in (0..OUTCOMES).step_by(step).filter(|&outcome| self.one[outcome] > NOISE) {
            let together: f64 = before.iter().map(|&other| self.ratio[outcome][other]).product();
            before.push(outcome);
            let chance = chance * together * self.one[outcome] / self.result;
            self.extend(shape, before, chance, visit);
            before.pop();
        }
    }
}

fn record(outcomes: &[usize]) -> Record {
    let count = |kind: usize| outcomes.iter().filter(|&&outcome| outcome / 2 == kind).count() as u8;
    Record { won: count(0), pushed: count(1), lost: count(2) }
}
