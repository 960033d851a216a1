//! The public view of the shoe in play: the house's signed statements, the players' shares, and the cards left.

use super::live::Live;
use super::shown::SideWord;
use crate::fair::Share;
use serde::Serialize;
use table::{BoxId, Command};
use utoipa::ToSchema;

/// The public view of a table's shoe, with both sides of a double shoe.
#[derive(Serialize, ToSchema)]
#[schema(as = ShoeView)]
pub struct Shoe {
    /// The number of the shoe.
    number: i64,
    #[serde(flatten)]
    said: ShoeStatements,
    /// How many cards are left in the shoe.
    left: usize,
    /// The number of cards in the discard rack.
    discards: usize,
    /// Whether the cut card has come out of the shoe.
    cutting_card_out: bool,
    /// The number of cards behind the cut card; zero if no cut card is placed.
    behind_cutting_card: usize,
    /// Whether players may submit shares now.
    takes_shares: bool,
    /// The numbers of the boxes whose players may ask for a reshuffle of the stored batch: 2.5(j)2, 2A.4(i)2.
    ///
    /// A batch is stored if it lay in the shuffling device while the table was idle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    may_reshuffle: Vec<u8>,
    /// The side of a double shoe that is in play; absent at a single shoe.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    side: Option<SideWord>,
    /// The side of a double shoe that is not in play; absent at a single shoe.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    other: Option<OtherSide>,
}

/// The side of a double shoe that is not in play.
#[derive(Serialize, ToSchema)]
#[schema(as = OtherShoe)]
struct OtherSide {
    /// The color of the side.
    side: SideWord,
    /// The number of the shoe on this side.
    number: i64,
    #[serde(flatten)]
    said: ShoeStatements,
    /// How many cards are left on this side.
    left: usize,
}

/// The statements of the house about a shoe, and the players' shares.
///
/// The house signs the commitment, the acknowledgement of each share, and the closed list of shares.
#[derive(Default, Serialize, ToSchema)]
struct ShoeStatements {
    /// The commitment to the order of the shoe's cards, in hexadecimal; null where a person deals.
    #[schema(required)]
    commitment: Option<String>,
    /// The house's signature of the commitment, in hexadecimal; null where a person deals.
    #[schema(required)]
    signature: Option<String>,
    /// The position of the cut; null where a person deals.
    #[schema(required)]
    cut: Option<CutView>,
    /// The players' shares of the shuffle, in the order in which the players gave them.
    shares: Vec<ShareView>,
    /// The house's signature of the closed list of shares; null while the list is open.
    #[schema(required)]
    list: Option<String>,
    /// The number of cards that had left the shoe when the list of shares was closed; null while the list is open.
    #[schema(required)]
    after: Option<usize>,
    /// The number of shares whose nonces were not revealed in time; zero until the nonces are mixed in.
    withheld: usize,
}

/// The position of a cut, and the box whose player made the cut.
#[derive(Serialize, ToSchema)]
struct CutView {
    /// The number of cards above the cut.
    at: usize,
    /// The number of the box whose player cut the cards.
    ///
    /// Null if the commitment determined the position of the cut.
    #[schema(required)]
    by: Option<u8>,
}

/// A player's share of the shuffle: the hash of a nonce, and the house's acknowledgement.
#[derive(Serialize, ToSchema)]
struct ShareView {
    /// The hash of the player's nonce, in hexadecimal.
    hash: String,
    /// The house's acknowledgement of the share, in hexadecimal; absent once the nonces are mixed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    signature: Option<String>,
    /// Whether the player has revealed the nonce.
    revealed: bool,
}

/// Returns the public view of the shoe in play.
pub fn shoe_view(live: &Live) -> Shoe {
    let custody = live.table.custody();
    let other = custody.side.other();
    let double = live.table.rules().shoe == rules::Shoe::Double;
    Shoe {
        number: live.shoe_number(custody.side),
        said: said(live, custody.side),
        left: custody.stack(),
        discards: custody.rack.len(),
        cutting_card_out: custody.cut_card_out.is_some(),
        behind_cutting_card: custody.behind(),
        takes_shares: live.takes_shares(),
        may_reshuffle: may_reshuffle(&live.table),
        side: double.then(|| custody.side.into()),
        other: double.then(|| OtherSide {
            side: other.into(),
            number: live.shoe_number(other),
            said: said(live, other),
            left: custody.stack_of(other),
        }),
    }
}

fn said(live: &Live, side: table::Side) -> ShoeStatements {
    let Some(shoe) = live.shoes.of(side) else { return ShoeStatements::default() };
    let view = |share: &Share, signature: Option<String>| ShareView {
        hash: share.hash.to_string(),
        signature,
        revealed: share.nonce.is_some(),
    };
    let shares: Vec<ShareView> = match shoe.mixed() {
        Some(mixed) => mixed.shares.iter().map(|share| view(share, None)).collect(),
        None => {
            let given = live.shares.iter();
            given.map(|given| view(&given.share, live.acknowledgement(side, given))).collect()
        }
    };
    let cut = shoe.cut_at();
    ShoeStatements {
        commitment: Some(shoe.commitment().to_owned()),
        signature: Some(shoe.signature.clone()),
        cut: Some(CutView { at: cut.at, by: cut.by }),
        withheld: shoe.mixed().map_or(0, |_| shares.iter().filter(|share| !share.revealed).count()),
        shares,
        list: shoe.list().map(str::to_owned),
        after: live.closed_after(side),
    }
}

fn may_reshuffle(table: &table::Table) -> Vec<u8> {
    if !table.custody().holds_stored_batch() {
        return Vec::new();
    }
    let boxes = (1..=table.rules().positions).map(BoxId);
    boxes.filter(|b| table.decide(Command::AskReshuffle(*b)).is_ok()).map(|b| b.0).collect()
}
