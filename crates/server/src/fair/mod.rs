//! Fair cards: chance for live play, shuffles that nobody can foretell or steer, and commitments that let anyone check
//! afterwards that the shoe was fixed before its first card, with the players' own nonces mixed into it.

mod chance;
mod commit;
mod mix;
mod vault;

pub use chance::{Chance, LIVE_ENTROPY_BYTES, Words, shuffle};
pub use commit::{Commitment, Opening, ShoeFault, ShoeId, sequence, verify_shoe};
pub use mix::{MOST_BURNED, Mixed, PublishedMix, PublishedShare, Share, bytes_of};
pub use vault::{Vault, VaultError};
