//! What players add to the order of a shoe, so that not even the house could have chosen it. The house publishes its
//! commitment; then players hand in the hashes of nonces; then they reveal the nonces; then the cards that are still in the
//! shoe are shuffled once more by all of them together. The house fixed its part before it knew theirs, and nobody fixed
//! theirs after seeing another's. Who withholds a nonce is seen to have done so.

use super::chance::{Words, shuffle};
use super::commit::{Commitment, ShoeId};
use ledger::Digest;
use ledger::canon::Canon;
use ledger::keys::{from_hex, hex};
use rules::Card;
use serde::{Deserialize, Serialize};

/// Cards that may have left a shoe before the shares are mixed in: the one that is burned, which nobody sees.
pub const MOST_BURNED: usize = 1;

/// One player's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub hash: Digest,
    /// Not there if it was withheld.
    pub nonce: Option<[u8; 32]>,
}

/// The parts of all players, and how many cards had left the shoe (burned, unseen) when they were mixed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixed {
    pub after: usize,
    pub shares: Vec<Share>,
}

/// The same as it is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PublishedMix {
    /// Cards that had left the shoe before, burned and unseen.
    pub after: usize,
    pub shares: Vec<PublishedShare>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PublishedShare {
    /// The hash that the player handed in before any nonce was revealed, in hexadecimal.
    pub hash: String,
    /// The nonce, in hexadecimal; none if the player withheld it.
    pub nonce: Option<String>,
}

impl Share {
    /// What a player hands in beforehand.
    pub fn hash_of(nonce: &[u8; 32]) -> Digest {
        let mut canon = Canon::new("cutcard share 1");
        canon.fixed(nonce);
        Digest::of(canon.as_slice())
    }
}

/// 32 bytes written in 64 hexadecimal digits.
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

    /// Shuffles the cards after those that are gone.
    pub fn apply(&self, shoe: ShoeId, commitment: Commitment, cards: &mut [Card]) {
        let Some(rest) = cards.get_mut(self.after..) else { return };
        shuffle(rest, &mut Stream::of(self, shoe, commitment));
    }
}

/// Words from SHA-256 in counter mode: slow beside a cipher, and worked out by any browser as it is.
struct Stream {
    seed: Digest,
    block: i64,
    words: Vec<u32>,
}

impl Stream {
    fn of(mixed: &Mixed, shoe: ShoeId, commitment: Commitment) -> Stream {
        let mut canon = Canon::new("cutcard mix 1");
        canon.int(i64::from(shoe.table.0)).int(shoe.number).fixed(&commitment.0.0);
        canon.int(mixed.after as i64).int(mixed.shares.len() as i64);
        for share in &mixed.shares {
            canon.fixed(&share.hash.0);
            match &share.nonce {
                Some(nonce) => canon.byte(1).fixed(nonce),
                None => canon.byte(0),
            };
        }
        Stream { seed: Digest::of(canon.as_slice()), block: 0, words: Vec::new() }
    }
}

impl Words for Stream {
    fn word(&mut self) -> u32 {
        if let Some(word) = self.words.pop() {
            return word;
        }
        let mut canon = Canon::new("cutcard mix stream 1");
        canon.fixed(&self.seed.0).int(self.block);
        self.block += 1;
        let block = Digest::of(canon.as_slice()).0;
        // Taken from the end: the first word of the block comes first.
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
    use crate::fair::sequence;
    use ledger::TableId;
    use rules::card::{parse_cards, show_cards};

    /// Worked out apart, by another program in another language, from what the documentation says.
    #[test]
    fn hash_and_order_are_what_anybody_else_works_out() {
        let nonce = [7; 32];
        assert_eq!(
            Share::hash_of(&nonce).to_string(),
            "15b25f4366658b6dc034a52ed46b7b146a2e0a176a8f45ef6c8c98400c10849e"
        );
        let shoe = ShoeId { table: TableId(3), number: 9 };
        let order = parse_cards("As Kd 7h 3c Qs 2d 9h Tc").expect("cards");
        let commitment = Commitment::to(shoe, &[5; 32], &order);
        let withheld = Share { hash: Share::hash_of(&[8; 32]), nonce: None };
        let shares = vec![Share { hash: Share::hash_of(&nonce), nonce: Some(nonce) }, withheld];
        let mixed = Mixed { after: 1, shares };
        let cards = sequence(shoe, commitment, &order, 2, Some(&mixed));
        assert_eq!(show_cards(&cards), "7h Qs 2d Tc 9h Kd 3c As");
        assert_eq!(Mixed::of(&mixed.published()), Some(mixed));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let share = |hash: &str, nonce: Option<&str>| {
            let share = PublishedShare { hash: hash.into(), nonce: nonce.map(Into::into) };
            Mixed::of(&PublishedMix { after: 0, shares: vec![share] })
        };
        let whole = "ab".repeat(32);
        assert!(share(&whole, None).is_some() && share(&whole, Some(&whole)).is_some());
        for bad in ["", "ab", "zz", &whole[1..], &format!("{whole}00")] {
            assert!(share(bad, None).is_none() && share(&whole, Some(bad)).is_none(), "{bad}");
        }
    }
}
