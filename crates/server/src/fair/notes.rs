//! The notes that a player's browser kept about a shoe while it was dealt, as the page exports them.
//!
//! Without these notes, the checks only compare the parts of a shoe opening with each other. With these notes, the
//! checks also compare the opening with what the house said and showed during play.

use serde::{Deserialize, Serialize};

/// The notes that a player's browser kept about one shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserNotes {
    pub table: u32,
    pub shoe: i64,
    /// The house's public key, in hexadecimal.
    pub house: String,
    /// The number of decks in the shoe, as the table announced it.
    pub decks: u32,
    /// The number of cards in one deck, as the table announced it.
    pub deck: u32,
    pub commitment: NotedCommitment,
    /// The face-up cards on the layout when the browser first saw the shoe.
    ///
    /// Each card is a rank and suit, such as `As`.
    #[serde(default)]
    pub layout: Vec<String>,
    /// The number of face-down cards on the layout when the browser first saw the shoe.
    #[serde(default)]
    pub face_down: usize,
    pub cut: Option<NotedCut>,
    pub list: Option<NotedList>,
    /// The house's signed acknowledgement of the player's share, or `None` if the house acknowledged none.
    pub share: Option<NotedShare>,
    /// The player's nonce in hexadecimal; `None` if the browser chose none.
    pub nonce: Option<String>,
    /// Whether the browser sent the player's nonce to the house.
    pub sent: bool,
    /// Whether the house confirmed receipt of the player's nonce.
    #[serde(default)]
    pub revealed: bool,
    pub cards: Vec<SeenCard>,
}

/// The commitment that the browser noted when it first saw the shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedCommitment {
    pub commitment: String,
    pub signature: String,
    /// The number of cards left in the shoe when the browser first saw it.
    pub left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedCut {
    pub at: usize,
    pub by: Option<u8>,
}

/// The closed list of the players' shares, as the house signed it before any nonce was revealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedList {
    pub cut: usize,
    pub cut_by: Option<u8>,
    /// The number of cards drawn before the list was closed.
    ///
    /// These cards were burned unseen.
    pub after: usize,
    pub hashes: Vec<String>,
    pub signature: String,
}

/// The house's signed acknowledgement that it added the player's share to the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedShare {
    pub place: usize,
    pub hash: String,
    pub signature: String,
}

/// A card that the browser saw face up.
///
/// The field `left` is the number of cards left in the shoe after the card was drawn, or `None` if the house did
/// not show that number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenCard {
    pub round: i64,
    pub left: Option<usize>,
    pub card: String,
}
