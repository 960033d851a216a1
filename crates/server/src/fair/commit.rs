//! The commitment to a shoe: a hash published before its first card. After its last card the order and the nonce are
//! published, and anyone can check that the cards dealt are those that were fixed beforehand.

use super::mix::{MOST_BURNED, Mixed, PublishedMix, Share, bytes_of};
use ledger::canon::Canon;
use ledger::{Digest, TableId};
use rules::Card;
use rules::card::{parse_cards, show_cards};
use serde::{Deserialize, Serialize};

/// Which shoe of which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShoeId {
    pub table: TableId,
    pub number: i64,
}

/// The published hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub Digest);

/// Everything needed to check a finished shoe, as published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Opening {
    pub table: u32,
    pub shoe: i64,
    /// The hash that was published before the first card, in hexadecimal.
    pub commitment: String,
    /// 32 random bytes that hide the order until now, in hexadecimal.
    pub nonce: String,
    /// The stack after the shuffle and before the cut, from its first card on.
    pub order: String,
    /// Cards moved from the front to the back by the cut.
    pub cut: usize,
    /// Cards drawn, from the first on, burned cards included.
    pub drawn: String,
    /// What players added to the order after the cut; nothing if none of them did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mixed: Option<PublishedMix>,
}

/// Why a shoe does not pass.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShoeFault {
    #[error("the opening cannot be read: {0}")]
    Unreadable(String),
    #[error("the order does not fit the commitment published before the first card")]
    OtherOrder,
    #[error("card {place} drawn was {drawn}; the committed order has {committed} there")]
    OtherCard { place: usize, drawn: String, committed: String },
    #[error("more cards were drawn than the shoe holds")]
    TooMany,
    #[error("a player's nonce does not fit the hash that was handed in for it: {0}")]
    OtherNonce(String),
    #[error("the players' nonces were mixed in after cards had been dealt")]
    Late,
    #[error("the opening has no cards: it shows neither what was fixed nor what was dealt")]
    NoCards,
}

impl Commitment {
    pub fn to(shoe: ShoeId, nonce: &[u8; 32], order: &[Card]) -> Commitment {
        let mut canon = Canon::new("cutcard shoe 1");
        canon.int(i64::from(shoe.table.0)).int(shoe.number).fixed(nonce);
        canon.bytes(&order.iter().map(|c| c.index()).collect::<Vec<_>>());
        Commitment(Digest::of(canon.as_slice()))
    }
}

impl Opening {
    pub fn new(shoe: ShoeId, nonce: &[u8; 32], order: &[Card], (cut, drawn): (usize, &[Card])) -> Opening {
        Opening {
            table: shoe.table.0,
            shoe: shoe.number,
            commitment: Commitment::to(shoe, nonce, order).0.to_string(),
            nonce: ledger::keys::hex(nonce),
            order: show_cards(order),
            cut,
            drawn: show_cards(drawn),
            mixed: None,
        }
    }

    /// Players who added to the order, and how many of them withheld what they had promised.
    pub fn shares(&self) -> (usize, usize) {
        let shares = self.mixed.as_ref().map_or(&[][..], |mixed| &mixed.shares);
        (shares.len(), shares.iter().filter(|share| share.nonce.is_none()).count())
    }

    /// Was this nonce mixed into the order?
    pub fn has_nonce(&self, nonce: &str) -> bool {
        let shares = self.mixed.as_ref().map_or(&[][..], |mixed| &mixed.shares);
        shares.iter().any(|share| share.nonce.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(nonce)))
    }
}

/// The order in which cards leave a shoe: cut, then mixed.
pub fn sequence(
    shoe: ShoeId,
    commitment: Commitment,
    order: &[Card],
    cut: usize,
    mixed: Option<&Mixed>,
) -> Vec<Card> {
    let mut cards = order.to_vec();
    cards.rotate_left(cut % order.len().max(1));
    if let Some(mixed) = mixed {
        mixed.apply(shoe, commitment, &mut cards);
    }
    cards
}

/// Checks an opening against itself, and against the commitment that the checker noted when it was published.
pub fn verify_shoe(opening: &Opening, noted: Option<&str>) -> Result<usize, ShoeFault> {
    let unreadable = |what: &str| ShoeFault::Unreadable(what.to_owned());
    let nonce =
        bytes_of(&opening.nonce).ok_or_else(|| unreadable("its nonce is not 64 hexadecimal digits"))?;
    let order = parse_cards(&opening.order).map_err(|e| ShoeFault::Unreadable(e.to_string()))?;
    let drawn = parse_cards(&opening.drawn).map_err(|e| ShoeFault::Unreadable(e.to_string()))?;
    if order.is_empty() || drawn.is_empty() {
        return Err(ShoeFault::NoCards);
    }
    let shoe = ShoeId { table: TableId(opening.table), number: opening.shoe };
    let commitment = Commitment::to(shoe, &nonce, &order);
    let found = commitment.0.to_string();
    let published = noted.unwrap_or(&opening.commitment);
    if !found.eq_ignore_ascii_case(&opening.commitment) || !found.eq_ignore_ascii_case(published) {
        return Err(ShoeFault::OtherOrder);
    }
    if drawn.len() > order.len() {
        return Err(ShoeFault::TooMany);
    }
    let mixed = match &opening.mixed {
        Some(mixed) => {
            Some(Mixed::of(mixed).ok_or_else(|| unreadable("a share is not in hexadecimal digits"))?)
        }
        None => None,
    };
    if mixed.as_ref().is_some_and(|mixed| mixed.after > MOST_BURNED) {
        return Err(ShoeFault::Late);
    }
    for share in mixed.iter().flat_map(|mixed| &mixed.shares) {
        if share.nonce.is_some_and(|nonce| Share::hash_of(&nonce) != share.hash) {
            return Err(ShoeFault::OtherNonce(share.hash.to_string()));
        }
    }
    let sequence = sequence(shoe, commitment, &order, opening.cut, mixed.as_ref());
    for (place, (card, committed)) in drawn.iter().zip(sequence).enumerate() {
        if committed != *card {
            let (drawn, committed) = (card.to_string(), committed.to_string());
            return Err(ShoeFault::OtherCard { place: place + 1, drawn, committed });
        }
    }
    Ok(drawn.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening() -> Opening {
        let order = parse_cards("As Kd 7h 3c Qs").expect("cards");
        let drawn = parse_cards("7h 3c Qs As").expect("cards");
        Opening::new(ShoeId { table: TableId(3), number: 9 }, &[5; 32], &order, (2, &drawn))
    }

    #[test]
    fn an_honest_shoe_passes() {
        let opening = opening();
        assert_eq!(verify_shoe(&opening, None), Ok(4));
        assert_eq!(verify_shoe(&opening, Some(&opening.commitment)), Ok(4));
        let json = serde_json::to_string(&opening).expect("written");
        assert_eq!(serde_json::from_str::<Opening>(&json).expect("read"), opening);
    }

    #[test]
    fn any_change_is_found() {
        let other = |change: fn(&mut Opening)| {
            let mut opening = opening();
            change(&mut opening);
            verify_shoe(&opening, None)
        };
        assert_eq!(other(|o| o.order = "Kd As 7h 3c Qs".into()), Err(ShoeFault::OtherOrder));
        assert_eq!(other(|o| o.nonce.replace_range(0..1, "a")), Err(ShoeFault::OtherOrder));
        assert_eq!(other(|o| o.shoe = 8), Err(ShoeFault::OtherOrder));
        assert!(matches!(other(|o| o.cut = 1), Err(ShoeFault::OtherCard { place: 1, .. })));
        assert!(matches!(other(|o| o.drawn = "7h 3c Kd".into()), Err(ShoeFault::OtherCard { place: 3, .. })));
        assert_eq!(other(|o| o.drawn = "7h 3c Qs As Kd 7h".into()), Err(ShoeFault::TooMany));
        assert!(matches!(other(|o| o.nonce = "zz".into()), Err(ShoeFault::Unreadable(_))));
        assert!(matches!(other(|o| o.order = "Xx".into()), Err(ShoeFault::Unreadable(_))));
        assert_eq!(other(|o| o.drawn = String::new()), Err(ShoeFault::NoCards));
        let empty = Opening::new(ShoeId { table: TableId(3), number: 9 }, &[5; 32], &[], (0, &[]));
        assert_eq!(verify_shoe(&empty, None), Err(ShoeFault::NoCards), "although its commitment fits");
        assert_eq!(verify_shoe(&opening(), Some("00")), Err(ShoeFault::OtherOrder));
    }
}
