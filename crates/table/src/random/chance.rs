//! The source of random decisions: a fuzzer's bytes while any are left, then a small generator.

/// A source of random numbers for a test; the same seed and bytes always give the same numbers.
#[derive(Clone, Debug)]
pub struct Chance<'a> {
    bytes: &'a [u8],
    state: u64,
}

impl Chance<'static> {
    /// Returns a source of random numbers from a seed.
    pub const fn seeded(seed: u64) -> Chance<'static> {
        Chance { bytes: &[], state: seed }
    }
}

impl<'a> Chance<'a> {
    /// Returns a source of random numbers from bytes, for fuzzing.
    pub const fn from_bytes(bytes: &'a [u8]) -> Chance<'a> {
        Chance { bytes, state: 0 }
    }

    /// Returns the next number of the SplitMix64 generator.
    ///
    /// Every seed is good for this generator, and neighboring seeds give unrelated numbers.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a random number below `bound`.
    ///
    /// Returns zero if `bound` is zero. The numbers are slightly biased, which does not matter here.
    pub fn below(&mut self, bound: usize) -> usize {
        match self.bytes {
            [byte, rest @ ..] if bound <= 256 => {
                self.bytes = rest;
                usize::from(*byte) % bound.max(1)
            }
            [high, low, rest @ ..] => {
                self.bytes = rest;
                usize::from(u16::from_be_bytes([*high, *low])) % bound.max(1)
            }
            _ => ((u128::from(self.next()) * bound as u128) >> 64) as usize,
        }
    }

    /// Returns true with probability 1 in `times`, or false if `times` is zero.
    pub fn one_in(&mut self, times: usize) -> bool {
        times > 0 && self.below(times) == 0
    }

    /// Returns true or false with equal probability.
    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Returns a random item, or `None` if the slice is empty.
    pub fn pick<'b, T>(&mut self, from: &'b [T]) -> Option<&'b T> {
        from.get(self.below(from.len()))
    }

    /// Returns a random number from `least` to `most`, both included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1).max(1) as usize) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_first_and_the_generator_after_them() {
        let mut chance = Chance::from_bytes(&[7, 1, 0]);
        assert_eq!((chance.below(5), chance.below(1000)), (2, 256));
        assert!((0..1000).all(|_| chance.below(3) < 3 && chance.below(0) == 0));
    }
}
