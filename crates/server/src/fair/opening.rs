//! The documents of a shoe: what its commitment binds, what the house signs while it is dealt, and the opening. Each is
//! hashed and signed as JSON without spaces, with the fields in the order given here, so that anybody can reproduce the
//! text in any language.

use ledger::{Digest, TableId};
use serde::{Deserialize, Serialize};

/// The rule for the house's cut; see `order::derived_cut`.
pub const CUT_RULE: &str = "cutcard cut 1";
/// The rule for mixing in the players' nonces; see `order::Mixed`.
pub const MIX_RULE: &str = "cutcard mix 2";

/// Identifies a shoe of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShoeId {
    pub table: TableId,
    pub number: i64,
}

/// What the commitment to a shoe binds. Its hash is published before the first card, the rest after the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Committed {
    /// The number of the table.
    pub table: u32,
    /// The number of the shoe.
    pub shoe: i64,
    /// How many decks are in the shoe.
    pub decks: u32,
    /// Cards of one deck: 52, or 48 without the tens.
    pub deck: u32,
    /// Cards of these decks that lay on the layout when the shoe was shuffled in mid-round; none otherwise.
    pub on_layout: String,
    /// The rule by which the place of the cut follows from the commitment.
    pub cut_rule: String,
    /// The rule by which the players' shares change the order.
    pub mix_rule: String,
    /// Fewest cards on either side of the cut.
    pub cut_least: usize,
    /// 32 random bytes that hide the order until now, in hexadecimal.
    pub nonce: String,
    /// The stack after the shuffle and before the cut, from its first card on.
    pub order: String,
}

impl Committed {
    pub fn id(&self) -> ShoeId {
        ShoeId { table: TableId(self.table), number: self.shoe }
    }

    /// Returns the published hash, in hexadecimal.
    pub fn commitment(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        Digest::of(format!("cutcard shoe 2\n{text}").as_bytes()).to_string()
    }
}

/// Everything needed to check a finished shoe, as published when its last round is settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Opening {
    #[serde(flatten)]
    pub committed: Committed,
    /// The hash that was published before the first card.
    pub commitment: String,
    /// Cards moved from the front to the back by the cut.
    pub cut: usize,
    /// The box whose player cut; none where the place follows from the commitment.
    pub cut_by: Option<u8>,
    /// What players added to the order after the cut.
    pub mixed: PublishedMix,
    /// Cards drawn, from the first on, burned cards included.
    pub drawn: String,
    /// The drawn cards, by round.
    pub rounds: Vec<DrawnRound>,
    /// The house's signatures; null where the house has no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signatures: Option<Signatures>,
}

/// What players added to the order of a shoe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PublishedMix {
    /// Cards that had left the shoe before, burned and unseen.
    pub after: usize,
    /// In the order of the closed list.
    pub shares: Vec<PublishedShare>,
}

/// A player's nonce share of a shoe, once it is revealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PublishedShare {
    /// The hash that the player handed in before any nonce was revealed, in hexadecimal.
    pub hash: String,
    /// The nonce, in hexadecimal; none if the player withheld it.
    pub nonce: Option<String>,
}

/// Cards that left the shoe in one round; those burned before belong to the round that follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrawnRound {
    /// The number of the round.
    pub round: i64,
    /// The cards that the round used, in the order in which they were drawn.
    pub cards: String,
}

/// What the house signed about a shoe with its seal key (Ed25519), in hexadecimal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Signatures {
    /// The house's public key.
    pub house: String,
    /// The commitment to the shoe's order, in hexadecimal.
    pub commitment: String,
    /// The house's signature of the closed list of shares; none for a shoe that was shuffled in mid-round.
    pub list: Option<String>,
    /// The house's signature of the opening.
    pub opening: String,
}

/// A statement of the house about a shoe, as it is signed.
#[derive(Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Statement<'a> {
    /// The order of the shoe is fixed.
    Commitment { table: u32, shoe: i64, commitment: &'a str },
    /// The hash of a player's nonce was accepted as the share at this place in the list, counted from 1.
    Share { table: u32, shoe: i64, commitment: &'a str, place: usize, hash: &'a str },
    /// The cut is made and the list of shares is closed; no nonce is known yet. The nonces shuffle the cards that are
    /// left after `after` cards were burned.
    List {
        table: u32,
        shoe: i64,
        commitment: &'a str,
        cut: usize,
        cut_by: Option<u8>,
        after: usize,
        hashes: Vec<&'a str>,
    },
    /// The shoe is over. Does not include its signatures.
    Opening(&'a Opening),
}

impl Statement<'_> {
    /// Returns the bytes that are signed.
    pub fn text(&self) -> Vec<u8> {
        let text = serde_json::to_string(self).unwrap_or_default();
        format!("{}{text}", ledger::seal::FAIR).into_bytes()
    }
}

impl Opening {
    /// Returns the number of shares, and how many of their nonces were withheld.
    pub fn shares(&self) -> (usize, usize) {
        let shares = &self.mixed.shares;
        (shares.len(), shares.iter().filter(|share| share.nonce.is_none()).count())
    }

    /// Returns whether this nonce was mixed into the order.
    pub fn has_nonce(&self, nonce: &str) -> bool {
        let same =
            |share: &PublishedShare| share.nonce.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(nonce));
        self.mixed.shares.iter().any(same)
    }

    /// Returns the text of the opening that is signed.
    pub fn signed_text(&self) -> Vec<u8> {
        Statement::Opening(&Opening { signatures: None, ..self.clone() }).text()
    }

    /// Returns the text of the commitment that is signed.
    pub fn commitment_text(&self) -> Vec<u8> {
        let (table, shoe) = (self.committed.table, self.committed.shoe);
        Statement::Commitment { table, shoe, commitment: &self.commitment }.text()
    }

    /// Returns the text of the closed list that is signed.
    pub fn list_text(&self) -> Vec<u8> {
        let (table, shoe) = (self.committed.table, self.committed.shoe);
        let hashes = self.mixed.shares.iter().map(|share| share.hash.as_str()).collect();
        let (cut, cut_by, after) = (self.cut, self.cut_by, self.mixed.after);
        Statement::List { table, shoe, commitment: &self.commitment, cut, cut_by, after, hashes }.text()
    }
}
