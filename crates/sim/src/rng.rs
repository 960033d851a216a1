//! Generates random numbers for simulated shoes, 64 numbers of 16 bits per step.
//!
//! The numbers come from sixteen xoshiro256++ generators side by side.
//!
//! Every shoe of every chunk has its own seed, computed from the run's seed and the numbers of chunk and shoe, so that
//! any part of a run can be played anywhere, in any order. Live tables do not use this generator; see the `table`
//! crate's shuffle.

/// The number of shoes drawn in parallel.
pub const LANES: usize = 64;

pub(crate) const STREAMS: usize = LANES / 4;

/// Advances a SplitMix64 generator and returns its next number.
///
/// The generator spreads a counter over 64 bits.
pub fn mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the seed of a shoe, given its chunk and the run's seed.
pub fn shoe_seed(seed: u64, chunk: u64, shoe: u64) -> u64 {
    let mut state = seed;
    for number in [chunk, shoe] {
        state = mix(&mut state) ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03);
    }
    mix(&mut state)
}

/// Sixteen xoshiro256++ generators that run in parallel.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Rng {
    pub(crate) state: [[u64; STREAMS]; 4],
}

impl Rng {
    /// Creates generators seeded from `seed`.
    pub fn new(seed: u64) -> Rng {
        let mut counter = seed;
        let mut state = [[0; STREAMS]; 4];
        for word in state.iter_mut().flatten() {
            *word = mix(&mut counter);
        }
        Rng { state }
    }

    /// Returns the next 16-bit random number of each lane.
    #[inline(always)]
    pub fn row(&mut self) -> [u16; LANES] {
        let [a, b, c, d] = &mut self.state;
        let mut words = [0; STREAMS];
        for i in 0..STREAMS {
            words[i] = a[i].wrapping_add(d[i]).rotate_left(23).wrapping_add(a[i]);
            let t = b[i] << 17;
            c[i] ^= a[i];
            d[i] ^= b[i];
            b[i] ^= c[i];
            a[i] ^= d[i];
            c[i] ^= t;
            d[i] = d[i].rotate_left(45);
        }
        crate::isa::quarters(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_of_neighbouring_shoes_differ_in_about_half_their_bits() {
        let mut differing = 0;
        for shoe in 0..1000 {
            differing += (shoe_seed(7, 3, shoe) ^ shoe_seed(7, 3, shoe + 1)).count_ones();
            differing += (shoe_seed(7, shoe, 3) ^ shoe_seed(7, shoe + 1, 3)).count_ones();
        }
        assert!((63_000..65_000).contains(&differing), "{differing}");
    }

    #[test]
    fn the_numbers_are_those_of_xoshiro256_plus_plus() {
        // the reference sequence for the state 1, 2, 3, 4
        let mut rng = Rng::new(0);
        for (word, value) in rng.state.iter_mut().zip([1, 2, 3, 4]) {
            word[0] = value;
        }
        let mut numbers = Vec::new();
        for _ in 0..3 {
            let row = rng.row();
            numbers.push((0..4).map(|part| u64::from(row[part]) << (16 * part)).sum::<u64>());
        }
        assert_eq!(numbers, [41_943_041, 58_720_359, 3_588_806_011_781_223]);
    }
}
