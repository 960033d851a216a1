//! What people see of a shoe before it is over: what the house says and signs about it, what players added, how far it is
//! dealt.

use super::live::Live;
use crate::fair::Share;
use serde::Serialize;
use table::{BoxId, Command, Word};

/// The shoe in play, and the known part of the other side of a double one.
#[derive(Serialize)]
pub struct Shoe {
    number: i64,
    #[serde(flatten)]
    said: Said,
    left: usize,
    discards: usize,
    cutting_card_out: bool,
    /// How many cards lie behind the cutting card; none without one.
    behind_cutting_card: usize,
    /// May players add to the order of the cards now?
    takes_shares: bool,
    /// Boxes from which the batch out of an idle table's device may be asked to be shuffled again, 2.5(j)2, 2A.4(i)2.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    may_reshuffle: Vec<u8>,
    /// The side of a double shoe that deals, and what is known of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<OtherSide>,
}

#[derive(Serialize)]
struct OtherSide {
    side: &'static str,
    number: i64,
    #[serde(flatten)]
    said: Said,
    left: usize,
}

/// What the house says of a shoe before it is over; it signs commitment, acknowledgements and list.
#[derive(Default, Serialize)]
struct Said {
    commitment: Option<String>,
    signature: Option<String>,
    cut: Option<CutView>,
    /// What players added to the order, in the order of the list.
    shares: Vec<ShareView>,
    /// The house's signature of the closed list; none while shares are taken.
    list: Option<String>,
    /// Cards that had left the shoe when the list was closed.
    after: Option<usize>,
    /// Shares whose nonces were not revealed in time.
    withheld: usize,
}

#[derive(Serialize)]
struct CutView {
    at: usize,
    by: Option<u8>,
}

#[derive(Serialize)]
struct ShareView {
    hash: String,
    /// The acknowledgement of the house, until the nonces are mixed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    revealed: bool,
}

/// Returns what people see of the shoe that deals.
pub fn shoe_view(live: &Live) -> Shoe {
    let custody = live.table.custody();
    let other = custody.side.other();
    let double = live.table.rules().shoe == rules::Shoe::Double;
    Shoe {
        number: live.shoe_number(custody.side),
        said: said(live, custody.side),
        left: custody.stack(),
        discards: custody.rack.len(),
        cutting_card_out: custody.cutting_card_out.is_some(),
        behind_cutting_card: custody.behind(),
        takes_shares: live.takes_shares(),
        may_reshuffle: may_reshuffle(&live.table),
        side: double.then(|| custody.side.word()),
        other: double.then(|| OtherSide {
            side: other.word(),
            number: live.shoe_number(other),
            said: said(live, other),
            left: custody.stack_of(other),
        }),
    }
}

fn said(live: &Live, side: table::Side) -> Said {
    let Some(shoe) = live.shoes.of(side) else { return Said::default() };
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
    Said {
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
