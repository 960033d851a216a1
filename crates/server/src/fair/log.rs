//! What a player's browser noted about a shoe while it was dealt, in export format: the other half of the proof.
//! Without the notes, an opening is only checked for consistency with itself; with them, the house is held to what it
//! said and showed.

use serde::{Deserialize, Serialize};

/// A browser's notes on one shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    pub table: u32,
    pub shoe: i64,
    /// The house's public key, in hexadecimal.
    pub house: String,
    /// The number of decks that the table announced, and of cards in a deck.
    pub decks: u32,
    pub deck: u32,
    pub commitment: NotedCommitment,
    /// The cards that were face up on the layout then, and the number of those face down.
    #[serde(default)]
    pub layout: Vec<String>,
    #[serde(default)]
    pub face_down: usize,
    pub cut: Option<NotedCut>,
    pub list: Option<NotedList>,
    /// The acknowledgement of the player's own share, and its nonce.
    pub share: Option<NotedShare>,
    pub nonce: Option<String>,
    /// Whether the nonce was sent to the house.
    pub sent: bool,
    /// Whether the house confirmed that it has the nonce.
    #[serde(default)]
    pub revealed: bool,
    pub cards: Vec<SeenCard>,
}

/// A commitment as the view showed it when the shoe was first seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedCommitment {
    pub commitment: String,
    pub signature: String,
    /// The number of cards left in the shoe then.
    pub left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedCut {
    pub at: usize,
    pub by: Option<u8>,
}

/// The closed list of shares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedList {
    pub cut: usize,
    pub cut_by: Option<u8>,
    /// The number of cards that had left the shoe, burned and unseen.
    pub after: usize,
    pub hashes: Vec<String>,
    pub signature: String,
}

/// The house's acknowledgement of a share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedShare {
    pub place: usize,
    pub hash: String,
    pub signature: String,
}

/// A card that was seen face up, with the number of cards left in the shoe after it was drawn; none if the house did not
/// say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenCard {
    pub round: i64,
    pub left: Option<usize>,
    pub card: String,
}
