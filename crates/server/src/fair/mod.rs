//! Provably fair cards: the randomness of live play, and the proof that nobody chose the order of a shoe.
//!
//! The module `opening` has the published documents, `order` derives the order of the cards, and `verify` has the
//! checks; see docs/decisions/fairness.md.

mod chance;
#[cfg(test)]
mod forged;
mod notes;
mod opening;
mod order;
mod vault;
mod verify;

pub use chance::{Chance, LIVE_ENTROPY_BYTES, Words, shuffle};
pub use notes::{BrowserNotes, NotedCommitment, NotedCut, NotedList, NotedShare, SeenCard};
pub use opening::{
    CUT_RULE, Committed, DrawnRound, MIX_RULE, Opening, PublishedMix, PublishedShare, ShoeId, Signatures,
    Statement,
};
pub use order::{MOST_BURNED, Mixed, Share, bytes_of, derived_cut, sequence};
pub use vault::{Vault, VaultError};
pub use verify::{Against, Check, Unchecked, Verdict, verify};
