//! Draws the cards of sixty-four shoes side by side, without replacement and without bias.
//!
//! With few faces, a shoe is only the number of cards left of each face, kept as running totals. A random position
//! among the remaining cards then belongs to the face whose range contains it. With many faces, a shoe is a list,
//! and the card at the position is swapped with the next card to deal (a Fisher-Yates shuffle, as far as cards are
//! dealt). Positions come from 16 random bits by multiplication; the few products that would favor a card are
//! rejected.

use crate::isa::Isa;
use crate::rng::{LANES, Rng};
use program::Program;

/// The number of card faces up to which running totals are faster than lists.
const FEW: usize = 16;
/// The number of rows drawn at a time when a round needs more cards.
const MORE: usize = 8;

/// A row of cards: one face per lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Row(pub [u8; LANES]);

/// Running totals, one per lane.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub struct Totals(pub [i16; LANES]);

/// The state for drawing rows from running totals.
pub struct ByTotals<'s> {
    /// The random number generator.
    pub rng: &'s mut Rng,
    /// The running totals of the cards left, indexed by face, then by lane.
    pub totals: &'s mut [Totals],
    /// The rows to be filled with cards.
    pub rows: &'s mut [Row],
    /// For each row, the number of cards left before it is drawn, and the rejection threshold for its random
    /// numbers.
    pub left: &'s [(u16, u16)],
}

/// The remaining cards, as running totals or as lists.
enum CardsLeft {
    Totals(Vec<Totals>),
    Lists(Vec<u8>),
}

/// The shoes of all lanes, and the cards drawn from them.
pub struct Shoes {
    rng: Rng,
    left: CardsLeft,
    full: Vec<(u8, i16)>,
    cards: usize,
    /// For each row, the number of cards left before it is drawn, and the rejection threshold for its random
    /// numbers.
    bounds: Vec<(u16, u16)>,
    rows: Vec<Row>,
    drawn: usize,
    isa: Isa,
}

impl Shoes {
    /// Creates the shoes of a table, to be shuffled before use.
    pub fn new(program: &Program, isa: Isa) -> Shoes {
        let full: Vec<(u8, i16)> = program
            .faces
            .faces
            .iter()
            .enumerate()
            .map(|(face, &(_, n))| (face as u8, (n * program.decks) as i16))
            .collect();
        Shoes::of(&full, isa)
    }

    /// Creates shoes from `full`, a list of faces with their numbers of cards.
    pub fn of(full: &[(u8, i16)], isa: Isa) -> Shoes {
        let cards: usize = full.iter().map(|&(_, n)| n as usize).sum();
        let left = if full.len() <= FEW {
            CardsLeft::Totals(vec![Totals([0; LANES]); full.len().saturating_sub(1)])
        } else {
            CardsLeft::Lists(vec![0; LANES * cards])
        };
        let mut shoes = Shoes {
            rng: Rng::new(0),
            left,
            full: full.to_vec(),
            cards,
            bounds: (1..=cards).rev().map(|left| (left as u16, (65_536 % left) as u16)).collect(),
            rows: vec![Row([0; LANES]); cards.next_multiple_of(MORE) + MORE],
            drawn: 0,
            isa,
        };
        shoes.shuffle(0);
        shoes
    }

    /// Refills the shoes, and seeds the random number generator with `seed`.
    pub fn shuffle(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.drawn = 0;
        match &mut self.left {
            CardsLeft::Totals(totals) => {
                let mut sum = 0;
                for (total, &(_, n)) in totals.iter_mut().zip(&self.full) {
                    sum += n;
                    total.0 = [sum; LANES];
                }
            }
            CardsLeft::Lists(lists) => {
                let mut at = 0;
                for &(face, n) in &self.full {
                    lists[at..at + n as usize].fill(face);
                    at += n as usize;
                }
                for lane in 1..LANES {
                    lists.copy_within(0..self.cards, lane * self.cards);
                }
            }
        }
    }

    /// Returns the number of cards in a full shoe.
    pub fn cards(&self) -> usize {
        self.cards
    }

    /// Draws cards until each lane has at least `rows` cards or the shoes are empty.
    pub fn draw_to(&mut self, rows: usize) {
        let rows = rows.next_multiple_of(MORE).min(self.cards);
        if rows > self.drawn {
            crate::isa::draw(self.isa, self, rows);
        }
    }

    /// Returns the buffer of rows.
    ///
    /// Only the rows drawn so far belong to the current shoe.
    #[inline(always)]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the card at index `at` of a lane's shoe, as a face.
    ///
    /// A shoe that has run out repeats its last card.
    #[inline(always)]
    pub fn card(&mut self, at: usize, lane: usize) -> u8 {
        if at >= self.drawn {
            self.draw_to(at + 1);
        }
        self.rows[at.min(self.cards - 1)].0[lane % LANES]
    }

    /// Returns the state for drawing the rows up to `to` from running totals.
    ///
    /// Returns `None` if the shoes use lists, or if the number of running totals is not one of `counts`.
    pub(crate) fn by_totals(&mut self, to: usize, counts: &[usize]) -> Option<ByTotals<'_>> {
        match &mut self.left {
            CardsLeft::Totals(totals) if counts.contains(&totals.len()) => {
                let from = std::mem::replace(&mut self.drawn, to);
                Some(ByTotals {
                    rng: &mut self.rng,
                    totals,
                    rows: &mut self.rows[from..to],
                    left: &self.bounds[from..to],
                })
            }
            _ => None,
        }
    }

    /// Draws rows of cards until `to` rows are drawn.
    ///
    /// This function is compiled once for each instruction set.
    #[inline(always)]
    pub(crate) fn draw_rows(&mut self, to: usize) {
        let Shoes { rng, left, rows, bounds, cards, drawn, .. } = self;
        for (at, row) in rows.iter_mut().enumerate().take(to).skip(*drawn) {
            let positions = positions(rng, bounds[at].0, bounds[at].1);
            *row = match left {
                CardsLeft::Totals(totals) => by_totals(totals, &positions),
                CardsLeft::Lists(lists) => by_lists(lists, *cards, at, &positions),
            };
        }
        *drawn = to;
    }
}

/// Returns a random position below `left` for each lane; all positions are equally likely.
///
/// The 65,536 possible numbers are spread evenly over the positions. The few numbers left over, which `reject`
/// bounds, are drawn again.
#[inline(always)]
fn positions(rng: &mut Rng, left: u16, reject: u16) -> [i16; LANES] {
    let mut numbers = rng.row();
    loop {
        let mut any = 0;
        for number in &numbers {
            any |= u16::from(number.wrapping_mul(left) < reject);
        }
        if any == 0 {
            break;
        }
        let again = rng.row();
        for (number, again) in numbers.iter_mut().zip(again) {
            *number = if number.wrapping_mul(left) < reject { again } else { *number };
        }
    }
    let mut positions = [0; LANES];
    for lane in 0..LANES {
        positions[lane] = ((u32::from(numbers[lane]) * u32::from(left)) >> 16) as i16;
    }
    positions
}

/// Returns the face at each lane's position, and removes one card of that face from the totals.
#[inline(always)]
fn by_totals(totals: &mut [Totals], positions: &[i16; LANES]) -> Row {
    let mut faces = [totals.len() as i16; LANES];
    for total in totals {
        for lane in 0..LANES {
            let before = i16::from(positions[lane] < total.0[lane]);
            total.0[lane] -= before;
            faces[lane] -= before;
        }
    }
    let mut row = Row([0; LANES]);
    for (place, face) in row.0.iter_mut().zip(faces) {
        *place = face as u8;
    }
    row
}

/// Returns the card at a random position of each lane's list, and swaps that card with the card at index `at`.
#[inline(always)]
fn by_lists(lists: &mut [u8], cards: usize, at: usize, positions: &[i16; LANES]) -> Row {
    let mut row = Row([0; LANES]);
    for (lane, list) in lists.chunks_exact_mut(cards).enumerate() {
        list.swap(at, at + positions[lane] as usize);
        row.0[lane] = list[at];
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Checks that every position is equally likely.
    ///
    /// For every number of cards left up to eight decks, the accepted ones of the 65,536 random numbers fall on each
    /// position equally often.
    #[test]
    fn every_position_is_hit_by_equally_many_numbers() {
        for left in 1..=416u32 {
            let reject = 65_536 % left;
            let mut hits = vec![0u32; left as usize];
            for number in 0..65_536u32 {
                let product = number * left;
                if product & 0xffff >= reject {
                    hits[(product >> 16) as usize] += 1;
                }
            }
            assert!(hits.iter().all(|&n| n == 65_536 / left), "{left}");
        }
    }

    /// Checks that each order of a small shoe is equally likely, by trying every sequence of positions once.
    ///
    /// This must hold both with running totals and with lists.
    #[test]
    fn positions_make_every_order_equally_likely() {
        let (full, cards) = ([2i16, 1, 3], 6);
        let list = [0u8, 0, 1, 2, 2, 2];
        let mut by = [HashMap::<Vec<u8>, u32>::new(), HashMap::new()];
        for sequence in 0..720 {
            let mut totals = vec![Totals([full[0]; LANES]), Totals([full[0] + full[1]; LANES])];
            let mut lists = list.repeat(LANES);
            let (mut rest, mut orders) = (sequence, [vec![], vec![]]);
            for at in 0..cards {
                let left = cards - at;
                let positions = [(rest % left) as i16; LANES];
                rest /= left;
                orders[0].push(by_totals(&mut totals, &positions).0[17]);
                orders[1].push(by_lists(&mut lists, cards, at, &positions).0[17]);
            }
            for (counts, order) in by.iter_mut().zip(orders) {
                *counts.entry(order).or_default() += 1;
            }
        }
        // 6! / (2! 1! 3!) distinguishable orders, each from 12 sequences
        for counts in by {
            assert_eq!(counts.len(), 60);
            assert!(counts.values().all(|&n| n == 12));
        }
    }

    #[test]
    fn whole_shoes_hold_every_card_once() {
        for faces in [10, 13, 52] {
            let full: Vec<(u8, i16)> = (0..faces).map(|face| (face, 5)).collect();
            let mut shoes = Shoes::of(&full, Isa::Portable);
            for seed in 0..5 {
                shoes.shuffle(seed);
                for lane in 0..LANES {
                    let mut seen = vec![0; faces as usize];
                    for at in 0..shoes.cards() {
                        seen[shoes.card(at, lane) as usize] += 1;
                    }
                    assert!(seen.iter().all(|&n| n == 5));
                }
            }
        }
    }

    /// Checks the faces of the first, a middle and the last card of large shoes, and the pair of the first two.
    ///
    /// Each face and each pair must occur as often as expected (chi-squared within 5 standard deviations).
    #[test]
    fn large_shoes_are_fair() {
        for faces in [10u8, 52] {
            let per_face = 416 / i16::from(faces);
            let full: Vec<(u8, i16)> = (0..faces).map(|face| (face, per_face)).collect();
            let mut shoes = Shoes::of(&full, Isa::best());
            let n = usize::from(faces);
            let last = shoes.cards() - 1;
            let mut singles = vec![vec![0f64; n]; 3];
            let mut pairs = vec![0f64; n * n];
            let trials = 3000;
            for seed in 0..trials {
                shoes.shuffle(seed);
                for lane in 0..LANES {
                    for (counts, at) in singles.iter_mut().zip([0, 200, last]) {
                        counts[shoes.card(at, lane) as usize] += 1.0;
                    }
                    let (a, b) = (shoes.card(0, lane) as usize, shoes.card(1, lane) as usize);
                    pairs[a * n + b] += 1.0;
                }
            }
            let all = (trials as usize * LANES) as f64;
            let within =
                |statistic: f64, freedom: f64| (statistic - freedom).abs() < 5.0 * (2.0 * freedom).sqrt();
            for counts in &singles {
                let expected = all / n as f64;
                let statistic: f64 = counts.iter().map(|c| (c - expected).powi(2) / expected).sum();
                assert!(within(statistic, n as f64 - 1.0), "{faces} faces: {statistic}");
            }
            let (cards, k) = (f64::from(per_face) * n as f64, f64::from(per_face));
            let mut statistic = 0.0;
            for (at, count) in pairs.iter().enumerate() {
                let second = if at / n == at % n { k - 1.0 } else { k };
                let expected = all * k * second / (cards * (cards - 1.0));
                statistic += (count - expected).powi(2) / expected;
            }
            assert!(within(statistic, (n * n) as f64 - 1.0), "{faces} faces, pairs: {statistic}");
        }
    }

    #[test]
    fn every_instruction_set_draws_the_same_cards() {
        for faces in [10u8, 13, 52] {
            let full: Vec<(u8, i16)> = (0..faces).map(|face| (face, 8)).collect();
            let mut drawn: Vec<Vec<[u8; LANES]>> = Vec::new();
            for isa in Isa::available() {
                let mut shoes = Shoes::of(&full, isa);
                let mut rows = Vec::new();
                for seed in 0..20 {
                    shoes.shuffle(seed);
                    shoes.draw_to(70);
                    rows.extend(shoes.rows()[..70].iter().map(|row| row.0));
                }
                drawn.push(rows);
            }
            assert!(drawn.windows(2).all(|two| two[0] == two[1]));
        }
    }
}
