//! The published documents of a shoe: its commitment, the statements that the house signs, and the opening.
//!
//! Each document is hashed and signed as JSON without spaces, with the fields in the order of their declarations
//! here, so that anybody can reproduce the text in any language.

use ledger::{Digest, TableId};
use serde::{Deserialize, Serialize};

/// The name of the rule that derives the house's cut from the commitment.
///
/// See `order::derived_cut`.
pub const CUT_RULE: &str = "cutcard cut 1";
/// The name of the rule that mixes the players' nonces into the order of the cards.
///
/// See `order::Mixed`.
pub const MIX_RULE: &str = "cutcard mix 2";

/// Identifies a shoe by its table and its number at that table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShoeId {
    pub table: TableId,
    pub number: i64,
}

/// The data of a shoe that the house commits to before it deals the shoe.
///
/// The house publishes the hash of the data before the first card, and the data itself after the shoe's last
/// round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Committed {
    /// The number of the table.
    pub table: u32,
    /// The number of the shoe at its table.
    pub shoe: i64,
    /// How many decks are in the shoe.
    pub decks: u32,
    /// The number of cards in one deck: 52, or 48 without the tens.
    pub deck: u32,
    /// The cards that lay on the layout while the rest was shuffled in mid-round, such as `As Kd`.
    ///
    /// Empty if the shoe was shuffled between rounds.
    pub on_layout: String,
    /// The name of the rule that derives the cut from the commitment.
    pub cut_rule: String,
    /// The name of the rule that mixes the players' nonces into the order of the cards.
    pub mix_rule: String,
    /// The minimum number of cards that the cut leaves on either side.
    pub cut_least: usize,
    /// A nonce of 32 random bytes, in hexadecimal.
    ///
    /// The nonce keeps anybody from finding the order of the cards by trying orders until one has the published
    /// hash.
    pub nonce: String,
    /// The order of the cards after the shuffle and before the cut, such as `As Kd 7h`, first card first.
    pub order: String,
}

impl Committed {
    pub fn id(&self) -> ShoeId {
        ShoeId { table: TableId(self.table), number: self.shoe }
    }

    /// Returns the published hash of this data, in hexadecimal.
    pub fn commitment(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        Digest::of(format!("cutcard shoe 2\n{text}").as_bytes()).to_string()
    }
}

/// The opening of a finished shoe: the data needed to check the shoe.
///
/// The house publishes the opening once the shoe's last round is settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Opening {
    #[serde(flatten)]
    pub committed: Committed,
    /// The hash of the committed data, in hexadecimal.
    ///
    /// The house published the hash before the first card.
    pub commitment: String,
    /// The number of cards that the cut moved to the back.
    pub cut: usize,
    /// The number of the box whose player cut the cards.
    ///
    /// Null if no player cut, so that the commitment determined the cut.
    pub cut_by: Option<u8>,
    /// The players' nonces, which shuffled the cards after the cut.
    pub mixed: PublishedMix,
    /// The cards drawn from the shoe, in the order in which they were drawn, such as `As Kd`.
    ///
    /// Burned cards are included.
    pub drawn: String,
    /// The cards drawn from the shoe, by round.
    pub rounds: Vec<DrawnRound>,
    /// The house's signatures; absent if the opening is not signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signatures: Option<Signatures>,
}

/// The players' nonces mixed into the order of a shoe's cards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PublishedMix {
    /// The number of cards drawn before the nonces were mixed in.
    ///
    /// These cards were burned unseen.
    pub after: usize,
    /// The players' shares, in the order of the signed list.
    pub shares: Vec<PublishedShare>,
}

/// A player's share of the shuffle: the hash of a nonce, and the nonce itself if the player revealed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PublishedShare {
    /// The hash of the player's nonce, in hexadecimal.
    ///
    /// The player submitted the hash before any nonce was revealed.
    pub hash: String,
    /// The player's nonce, in hexadecimal; null if the player withheld it.
    pub nonce: Option<String>,
}

/// The cards drawn from the shoe for one round.
///
/// Cards burned before a round count as drawn for that round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrawnRound {
    /// The number of the round.
    pub round: i64,
    /// The cards drawn for the round, in the order in which they were drawn.
    pub cards: String,
}

/// The house's Ed25519 signatures about a shoe, in hexadecimal, made with its seal key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Signatures {
    /// The public key that verifies the signatures.
    pub house: String,
    /// The house's signature of the commitment to the shoe's order.
    pub commitment: String,
    /// The house's signature on the closed list of shares.
    ///
    /// Null for a shoe that was shuffled in mid-round.
    pub list: Option<String>,
    /// The house's signature of the opening.
    pub opening: String,
}

/// A statement about a shoe that the house signs.
#[derive(Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Statement<'a> {
    /// The order of the shoe is fixed by `commitment`.
    Commitment { table: u32, shoe: i64, commitment: &'a str },
    /// The hash of a player's nonce was accepted as the share number `place` of the list, counted from 1.
    Share { table: u32, shoe: i64, commitment: &'a str, place: usize, hash: &'a str },
    /// The cut is made and the list of shares is closed, while every nonce is still unknown.
    ///
    /// Once `after` cards have been burned, the nonces will shuffle the cards that are left.
    List {
        table: u32,
        shoe: i64,
        commitment: &'a str,
        cut: usize,
        cut_by: Option<u8>,
        after: usize,
        hashes: Vec<&'a str>,
    },
    /// The finished shoe is opened; the signed opening has no signatures of its own.
    Opening(&'a Opening),
}

impl Statement<'_> {
    /// Returns the bytes of the statement, which the house signs.
    pub fn text(&self) -> Vec<u8> {
        let text = serde_json::to_string(self).unwrap_or_default();
        format!("{}{text}", ledger::seal::FAIR).into_bytes()
    }
}

impl Opening {
    /// Returns the number of shares, and the number of withheld nonces among them.
    pub fn shares(&self) -> (usize, usize) {
        let shares = &self.mixed.shares;
        (shares.len(), shares.iter().filter(|share| share.nonce.is_none()).count())
    }

    /// Returns whether `nonce`, in hexadecimal digits, was revealed and mixed into the order of the cards.
    pub fn has_nonce(&self, nonce: &str) -> bool {
        let same =
            |share: &PublishedShare| share.nonce.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(nonce));
        self.mixed.shares.iter().any(same)
    }

    /// Returns the bytes that the house signs for this opening, which leave out its signatures.
    pub fn signed_text(&self) -> Vec<u8> {
        Statement::Opening(&Opening { signatures: None, ..self.clone() }).text()
    }

    /// Returns the bytes that the house signs for the shoe's commitment.
    pub fn commitment_text(&self) -> Vec<u8> {
        let (table, shoe) = (self.committed.table, self.committed.shoe);
        Statement::Commitment { table, shoe, commitment: &self.commitment }.text()
    }

    /// Returns the bytes that the house signs for the closed list of shares.
    pub fn list_text(&self) -> Vec<u8> {
        let (table, shoe) = (self.committed.table, self.committed.shoe);
        let hashes = self.mixed.shares.iter().map(|share| share.hash.as_str()).collect();
        let (cut, cut_by, after) = (self.cut, self.cut_by, self.mixed.after);
        Statement::List { table, shoe, commitment: &self.commitment, cut, cut_by, after, hashes }.text()
    }
}
