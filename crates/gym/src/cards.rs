//! Where the cards of an environment come from.

use sim::rng::mix;

/// A shoe that is drawn from without replacement.
pub trait Cards {
    /// A full shoe again.
    fn shuffle(&mut self);
    /// The face of the next card; nothing once there is none.
    fn draw(&mut self) -> Option<u8>;
    /// Cards left.
    fn left(&self) -> usize;
}

/// A number below a bound; what favours any of them is less than one part in 2 to the 50th.
#[inline]
fn below(chance: &mut u64, bound: u32) -> u32 {
    ((u128::from(mix(chance)) * u128::from(bound)) >> 64) as u32
}

/// Faces up to which a shoe is only the number of cards left of each.
pub const FEW: usize = 16;

/// A shoe of few faces.
#[derive(Clone, Debug)]
pub struct Counted {
    left: u32,
    chance: u64,
    counts: [u8; FEW],
    full: [u8; FEW],
    all: u32,
}

impl Counted {
    /// A stack of so many cards of each face, shuffled by this seed.
    pub fn new(full: &[u32], seed: u64) -> Counted {
        let mut counts = [0; FEW];
        for (place, &count) in counts.iter_mut().zip(full) {
            *place = count.min(255) as u8;
        }
        let all = counts.iter().map(|&count| u32::from(count)).sum();
        Counted { left: all, chance: seed, counts, full: counts, all }
    }
}

impl Cards for Counted {
    fn shuffle(&mut self) {
        self.counts = self.full;
        self.left = self.all;
    }

    #[inline]
    fn draw(&mut self) -> Option<u8> {
        if self.left == 0 {
            return None;
        }
        let at = below(&mut self.chance, self.left) as u16;
        // the face is the number of running totals that do not reach beyond the place that was drawn
        let mut total = 0;
        let mut face = 0;
        for &count in &self.counts {
            total += u16::from(count);
            face += u8::from(total <= at);
        }
        self.counts[usize::from(face)] -= 1;
        self.left -= 1;
        Some(face)
    }

    fn left(&self) -> usize {
        self.left as usize
    }
}

/// A shoe as a list, of any number of faces.
#[derive(Clone, Debug)]
pub struct Listed {
    faces: Vec<u8>,
    at: usize,
    chance: u64,
}

impl Listed {
    /// A stack of so many cards of each face, shuffled by this seed.
    pub fn new(full: &[u32], seed: u64) -> Listed {
        let faces = full.iter().enumerate();
        let faces =
            faces.flat_map(|(face, &count)| std::iter::repeat_n(face as u8, count as usize)).collect();
        Listed { faces, at: 0, chance: seed }
    }
}

impl Cards for Listed {
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
