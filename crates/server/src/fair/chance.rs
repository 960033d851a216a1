//! The randomness of live play.
//!
//! A live shuffle combines ten ChaCha20 streams, each keyed with fresh entropy from the operating system: 2,560
//! bits, more than the 2,229 bits that the possible orders of an eight-deck shoe require. Scaling and shuffling
//! are our own code, so that the same stream always gives the same result and the code can be reviewed here.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};
use rules::Card;

const STREAMS: usize = 10;

/// The number of bytes of entropy that seed a live shuffle.
pub const LIVE_ENTROPY_BYTES: usize = STREAMS * 32;

/// A random number generator that combines independent ChaCha20 streams by XOR.
///
/// The generator is as unpredictable as the best of these streams, and has as many states as all streams together.
pub struct Chance {
    streams: Vec<ChaCha20Rng>,
}

impl Chance {
    /// Creates a generator seeded with entropy from the operating system.
    ///
    /// Every live shuffle creates its own generator, and no generator is stored. Returns an error if the system
    /// provides no entropy.
    pub fn live() -> Result<Chance, getrandom::Error> {
        let mut entropy = [0u8; LIVE_ENTROPY_BYTES];
        ledger::world::fill_random(&mut entropy)?;
        Ok(Chance::from_entropy(&entropy))
    }

    /// Creates a generator seeded with `entropy`.
    ///
    /// The entropy is fresh for live shuffles, and fixed for known-answer tests.
    pub fn from_entropy(entropy: &[u8]) -> Chance {
        let stream = |(n, chunk): (u64, &[u8])| {
            let mut key = [0u8; 32];
            key[..chunk.len()].copy_from_slice(chunk);
            let mut stream = ChaCha20Rng::from_seed(key);
            // Each stream has its own number, so that even equal keys would not cancel each other.
            stream.set_stream(n);
            stream
        };
        let streams = (0..).zip(entropy.chunks(32)).map(stream).collect();
        Chance { streams }
    }
}

impl Words for Chance {
    fn word(&mut self) -> u32 {
        self.streams.iter_mut().fold(0, |word, stream| word ^ stream.next_u32())
    }
}

/// A source of uniform random 32-bit words.
///
/// Other random numbers are derived from these words.
pub trait Words {
    fn word(&mut self) -> u32;

    /// Returns a uniformly distributed number below `bound`, or zero if `bound` is zero.
    ///
    /// Words beyond the last multiple of `bound` are rejected, so that no number is favored.
    fn below(&mut self, bound: u32) -> u32 {
        if bound < 2 {
            return 0;
        }
        let cycles = (1u64 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = self.word();
            if u64::from(word) < cycles {
                return word % bound;
            }
        }
    }
}

/// Shuffles the cards so that every order is equally likely.
///
/// The algorithm is the Fisher-Yates shuffle, from the last card to the first.
pub fn shuffle(cards: &mut [Card], chance: &mut impl Words) {
    for last in (1..cards.len()).rev() {
        let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
        cards.swap(last, chance.below(bound) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Deck;

    /// Checks test vectors 1 and 2 of RFC 8439, appendix A.1: key and nonce of zeros, blocks 0 and 1.
    #[test]
    fn the_stream_is_chacha20() {
        let mut chance = Chance::from_entropy(&[0; 32]);
        let words: Vec<u32> = (0..32).map(|_| chance.word()).collect();
        assert_eq!(words[..4], [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
        assert_eq!(words[16..20], [0xbee7_079f, 0x7a38_5155, 0x7c97_ba98, 0x0d08_2d73]);
    }

    #[test]
    fn every_piece_of_entropy_counts() {
        let base = [7u8; LIVE_ENTROPY_BYTES];
        let first = |entropy: &[u8]| Chance::from_entropy(entropy).word();
        for place in (0..LIVE_ENTROPY_BYTES).step_by(13) {
            let mut other = base;
            other[place] ^= 1;
            assert_ne!(first(&other), first(&base), "byte {place}");
        }
        const { assert!(LIVE_ENTROPY_BYTES * 8 >= 2300) };
    }

    /// Checks that the same stream always gives the same numbers below a bound and the same shuffled order.
    #[test]
    fn scaling_and_shuffling_are_fixed() {
        let mut chance = Chance::from_entropy(&[0; 32]);
        let drawn: Vec<u32> = [52, 6, 416, 1000, 3, 1, 0].map(|bound| chance.below(bound)).to_vec();
        let expected: Vec<u32> =
            [0xade0_b876u32 % 52, 0x903d_f1a0 % 6, 0xe56a_5d40 % 416, 0x28bd_8653 % 1000].to_vec();
        assert_eq!(drawn[..4], expected[..]);
        assert_eq!(drawn[5..], [0, 0]);
        let mut cards: Vec<Card> = Deck::FIFTY_TWO.cards().collect();
        shuffle(&mut cards, &mut Chance::from_entropy(&[1; LIVE_ENTROPY_BYTES]));
        assert_eq!(rules::card::show_cards(&cards[..13]), "Qc Qd Td Th 2c 6s Kd 6c 5c Jh Qh Js 9c");
    }

    #[test]
    fn a_word_of_the_incomplete_cycle_is_thrown_away() {
        // With a bound of 2^31 + 1, nearly half of all words must be rejected; none may fold onto small numbers.
        let bound = (1u32 << 31) + 1;
        let mut chance = Chance::from_entropy(&[9; 32]);
        let mut plain = Chance::from_entropy(&[9; 32]);
        let mut thrown = 0;
        for _ in 0..1000 {
            let drawn = chance.below(bound);
            while plain.word() != drawn {
                thrown += 1;
            }
        }
        assert!((400..3000).contains(&thrown), "{thrown}");
    }

    /// Chi-square over all orders of four cards and over one card's position in a deck, at odds of one in a million.
    /// Proves 19:47-2A.4(a)#3, MA-BJS 4(a)#3, 19:47-26.4(a)#4, 19:47-36.4(a)#4.
    #[test]
    fn every_order_is_equally_likely() {
        let mut chance = Chance::live().expect("entropy");
        let start: Vec<Card> = Deck::FIFTY_TWO.cards().take(4).collect();
        let mut orders = std::collections::HashMap::new();
        const ROUNDS: u32 = 48_000;
        for _ in 0..ROUNDS {
            let mut cards = start.clone();
            shuffle(&mut cards, &mut chance);
            *orders.entry(cards.iter().map(|c| c.index()).collect::<Vec<_>>()).or_insert(0u32) += 1;
        }
        assert_eq!(orders.len(), 24);
        let chi = chi_square(orders.into_values(), f64::from(ROUNDS) / 24.0);
        assert!(chi < 73.0, "chi-square {chi} with 23 degrees of freedom");
        let mut places = [0u32; 52];
        for _ in 0..20_000 {
            let mut cards: Vec<Card> = Deck::FIFTY_TWO.cards().collect();
            let marked = cards[0];
            shuffle(&mut cards, &mut chance);
            places[cards.iter().position(|c| *c == marked).expect("still there")] += 1;
        }
        let chi = chi_square(places.into_iter(), 20_000.0 / 52.0);
        assert!(chi < 115.0, "chi-square {chi} with 51 degrees of freedom");
    }

    fn chi_square(counts: impl Iterator<Item = u32>, expected: f64) -> f64 {
        counts.map(|n| (f64::from(n) - expected).powi(2) / expected).sum()
    }
}
