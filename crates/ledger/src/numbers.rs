//! Maps by numbers that the house itself gives: nobody outside can choose them so that they meet in one place of the map.
//! Hence a multiplication mixes them well enough.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub type ByNumber<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

#[derive(Clone, Copy, Default)]
pub struct Mixed(u64);

/// The golden ratio's digits: odd, and without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(FACTOR);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::{Account, Chips};
    use crate::ids::PersonId;
    use std::collections::HashSet;
    use std::hash::BuildHasher as _;

    /// A map looks at the lowest bits for the place and at the highest seven for a first comparison.
    #[test]
    fn accounts_of_neighbours_are_spread() {
        let hash = |n| {
            let number = Account::player(Chips::Cash, PersonId(n)).number();
            BuildHasherDefault::<Mixed>::default().hash_one(number)
        };
        let low: HashSet<u64> = (0..4096).map(|n| hash(n) & 4095).collect();
        let high: HashSet<u64> = (0..4096).map(|n| hash(n) >> 57).collect();
        assert!(low.len() > 2048 && high.len() == 128, "{} {}", low.len(), high.len());
    }
}
