//! Derives the order of the cards from the committed order, the cut and the players' nonces.
//!
//! The house publishes its commitment; players submit the hashes of their nonces; the house closes the list of
//! hashes; players reveal their nonces; all revealed nonces together shuffle the cards still in the shoe. The
//! house commits before it knows any nonce, and no player can choose a nonce after seeing another. The opening
//! shows every withheld nonce.

use super::chance::{Words, shuffle};
use super::opening::{CUT_RULE, MIX_RULE, PublishedMix, PublishedShare};
use ledger::Digest;
use ledger::keys::{from_hex, hex};
use rules::Card;
use serde::Serialize;

/// The maximum number of cards burned before the nonces are mixed in: the burn card, which nobody sees.
pub const MOST_BURNED: usize = 1;

/// One player's share of the shuffle: a nonce and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub hash: Digest,
    /// The nonce, or `None` if the player withheld it.
    pub nonce: Option<[u8; 32]>,
}

/// The players' shares, and the number of cards burned before the nonces are mixed in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mixed {
    pub after: usize,
    pub shares: Vec<Share>,
}

impl Share {
    /// Returns the hash that a player submits before revealing `nonce`.
    ///
    /// The hash is the SHA-256 of a label and the nonce in hexadecimal digits.
    pub fn hash_of(nonce: &[u8; 32]) -> Digest {
        Digest::of(format!("cutcard share 2\n{}", hex(nonce)).as_bytes())
    }
}

/// Parses 64 hexadecimal digits into 32 bytes.
///
/// Returns `None` for other text.
pub fn bytes_of(text: &str) -> Option<[u8; 32]> {
    from_hex(text).and_then(|bytes| bytes.try_into().ok())
}

impl Mixed {
    pub fn published(&self) -> PublishedMix {
        let share = |share: &Share| PublishedShare {
            hash: share.hash.to_string(),
            nonce: share.nonce.as_ref().map(|nonce| hex(nonce)),
        };
        PublishedMix { after: self.after, shares: self.shares.iter().map(share).collect() }
    }

    pub fn of(published: &PublishedMix) -> Option<Mixed> {
        let share = |share: &PublishedShare| {
            let nonce = share.nonce.as_deref().map(bytes_of);
            Some(Share {
                hash: Digest(bytes_of(&share.hash)?),
                nonce: nonce.map_or(Some(None), |n| n.map(Some))?,
            })
        };
        let shares: Option<Vec<Share>> = published.shares.iter().map(share).collect();
        Some(Mixed { after: published.after, shares: shares? })
    }
}

/// Returns the number of cards that the cut moves to the back when no player cuts, derived from the commitment.
///
/// Every cut of `size` cards that leaves at least `least` cards on either side is equally likely.
pub fn derived_cut(commitment: &str, size: usize, least: usize) -> usize {
    let least = least.min(size / 2);
    let room = u32::try_from(size - 2 * least + 1).unwrap_or(u32::MAX);
    least + Stream::of(&format!("{CUT_RULE}\n{commitment}")).below(room) as usize
}

/// The inputs that seed the shuffle by the players' nonces.
///
/// Before the first nonce is revealed, all inputs are fixed except which nonces will be withheld.
#[derive(Serialize)]
struct Seed<'a> {
    commitment: &'a str,
    cut: usize,
    after: usize,
    shares: Vec<PublishedShare>,
}

/// Returns the cards of a shoe in the order in which they are drawn.
///
/// The cards in `order` are cut. If the players gave shares, the shares then seed a shuffle of the cards left
/// after the burn.
pub fn sequence(order: &[Card], commitment: &str, cut: usize, mixed: &Mixed) -> Vec<Card> {
    let mut cards = order.to_vec();
    cards.rotate_left(cut % order.len().max(1));
    let PublishedMix { after, shares } = mixed.published();
    if let (Some(rest), false) = (cards.get_mut(after..), shares.is_empty()) {
        let seed = serde_json::to_string(&Seed { commitment, cut, after, shares }).unwrap_or_default();
        shuffle(rest, &mut Stream::of(&format!("{MIX_RULE}\n{seed}")));
    }
    cards
}

/// A stream of random words from SHA-256 in counter mode.
///
/// SHA-256 is slower than a cipher, but any browser can compute it.
struct Stream {
    seed: Digest,
    block: u32,
    words: Vec<u32>,
}

impl Stream {
    fn of(text: &str) -> Stream {
        Stream { seed: Digest::of(text.as_bytes()), block: 0, words: Vec::new() }
    }
}

impl Words for Stream {
    fn word(&mut self) -> u32 {
        if let Some(word) = self.words.pop() {
            return word;
        }
        let block = Digest::of(format!("{} {}", self.seed, self.block).as_bytes()).0;
        self.block += 1;
        // Reversed, since words are popped from the end: the first word of the block comes first.
        self.words = block
            .chunks_exact(4)
            .rev()
            .map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
            .collect();
        self.words.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lawful_place_of_a_cut_comes_and_no_other() {
        let mut seen = [0u32; 53];
        for n in 0..4000 {
            seen[derived_cut(&format!("{n}"), 52, 10)] += 1;
        }
        assert!(seen[..10].iter().chain(&seen[43..]).all(|times| *times == 0), "{seen:?}");
        assert!(seen[10..=42].iter().all(|times| (60..200).contains(times)), "{seen:?}");
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let share = |hash: &str, nonce: Option<&str>| {
            let share = PublishedShare { hash: hash.into(), nonce: nonce.map(Into::into) };
            Mixed::of(&PublishedMix { after: 0, shares: vec![share] })
        };
        let whole = "ab".repeat(32);
        assert!(share(&whole, None).is_some() && share(&whole, Some(&whole)).is_some());
        for bad in ["", "ab", "zz", &whole[1..], &format!("{whole}00"), &"+a".repeat(32)] {
            assert!(share(bad, None).is_none() && share(&whole, Some(bad)).is_none(), "{bad}");
        }
    }
}
