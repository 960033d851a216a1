//! The shoes from which the seats of an environment draw their cards.

use std::sync::Arc;

/// A shoe that deals random cards without replacement.
pub trait Cards {
    /// Puts all cards back, so that the shoe is full again.
    fn shuffle(&mut self);
    /// Draws the next card and returns its face, or `None` if the shoe is empty.
    fn draw(&mut self) -> Option<u8>;
    /// Returns the number of cards left in the shoe.
    fn left(&self) -> usize;
}

/// Returns the next random number of a wyrand generator and advances its state, `chance`.
///
/// The generator is this short because every card needs a number.
#[inline]
fn next(chance: &mut u64) -> u64 {
    *chance = chance.wrapping_add(0xa076_1d64_78bd_642f);
    let product = u128::from(*chance) * u128::from(*chance ^ 0xe703_7ed1_a0b4_28db);
    (product >> 64) as u64 ^ product as u64
}

/// Returns a random number below `bound`, with a bias of less than one part in 2^50.
#[inline]
fn below(chance: &mut u64, bound: u32) -> u32 {
    ((u128::from(next(chance)) * u128::from(bound)) >> 64) as u32
}

/// The maximum number of card faces that a [`CountedShoe`] can hold.
pub const MAX_COUNTED_FACES: usize = 16;

/// A shoe for decks with few faces, stored as running totals.
///
/// A face's running total is the number of cards left of this face and of all faces before it. Sixteen 16-bit
/// numbers that are read and updated together take only a few vector instructions.
#[derive(Clone, Debug)]
pub struct CountedShoe {
    totals: [i16; MAX_COUNTED_FACES],
    chance: u64,
    left: u32,
    full: Arc<([i16; MAX_COUNTED_FACES], u32)>,
}

impl CountedShoe {
    /// Returns a full shoe with `full[face]` cards of each face, shuffled by `seed`.
    pub fn new(full: &[u32], seed: u64) -> CountedShoe {
        let mut totals = [0; MAX_COUNTED_FACES];
        let mut all = 0;
        for (at, place) in totals.iter_mut().enumerate() {
            all += full.get(at).map_or(0, |&count| count.min(255));
            *place = all as i16;
        }
        CountedShoe { totals, left: all, chance: seed, full: Arc::new((totals, all)) }
    }

    /// Returns a shoe with the cards that this shoe has when full, shuffled by `seed`.
    pub fn full_copy(&self, seed: u64) -> CountedShoe {
        CountedShoe { totals: self.full.0, left: self.full.1, chance: seed, full: Arc::clone(&self.full) }
    }
}

impl Cards for CountedShoe {
    #[inline]
    fn shuffle(&mut self) {
        (self.totals, self.left) = *self.full;
    }

    #[inline(always)]
    fn draw(&mut self) -> Option<u8> {
        let left = self.left.checked_sub(1)?;
        let at = below(&mut self.chance, self.left) as i16;
        self.left = left;
        // the face is the number of running totals that are at most the drawn position; adding up sign bits keeps the
        // whole computation in vector registers
        let beyond = self.totals.map(|total| at.wrapping_sub(total) as u16 >> 15);
        for (total, beyond) in self.totals.iter_mut().zip(beyond) {
            *total -= beyond as i16;
        }
        Some(MAX_COUNTED_FACES as u8 - beyond.iter().map(|&beyond| beyond as u8).sum::<u8>())
    }

    #[inline]
    fn left(&self) -> usize {
        self.left as usize
    }
}

/// A shoe stored as a list of cards, for any number of faces.
#[derive(Clone, Debug)]
pub struct ListedShoe {
    faces: Vec<u8>,
    at: usize,
    chance: u64,
}

impl ListedShoe {
    /// Returns a full shoe with `full[face]` cards of each face, shuffled by `seed`.
    pub fn new(full: &[u32], seed: u64) -> ListedShoe {
        let faces = full.iter().enumerate();
        let faces =
            faces.flat_map(|(face, &count)| std::iter::repeat_n(face as u8, count as usize)).collect();
        ListedShoe { faces, at: 0, chance: seed }
    }
}

impl Cards for ListedShoe {
    fn shuffle(&mut self) {
        self.at = 0;
    }

    #[inline]
    fn draw(&mut self) -> Option<u8> {
        let left = self.left();
        if left == 0 {
            return None;
        }
        let with = self.at + below(&mut self.chance, left as u32) as usize;
        self.faces.swap(self.at, with);
        self.at += 1;
        Some(self.faces[self.at - 1])
    }

    fn left(&self) -> usize {
        self.faces.len() - self.at
    }
}
