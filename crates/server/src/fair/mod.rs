//! Fair cards: chance for live play, shuffles that nobody can foretell or steer, and commitments that let anyone check
//! afterwards that the shoe was fixed before its first card.

mod chance;
mod commit;
mod vault;

pub use chance::{Chance, LIVE_ENTROPY_BYTES, shuffle};
pub use commit::{Commitment, Opening, ShoeFault, ShoeId, verify_shoe};
pub use vault::{Vault, VaultError};
