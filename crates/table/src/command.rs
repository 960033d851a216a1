//! What people and devices ask for: imperative, and possibly refused. Cards arrive this way too.

use crate::event::{Approval, Finding};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Role, Side};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use rules::script::Offer;
use rules::{Action, Card, Cents, SideBet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    // custody of the cards
    Perform(Procedure),
    /// The player at this box takes or declines the cut that is offered.
    AcceptCut {
        box_id: BoxId,
        at: u16,
    },
    DeclineCut {
        box_id: BoxId,
    },
    DiscloseBurn(Card),
    RelieveDealer(Person),
    OrderReshuffle,
    /// 2.5(g) and counterparts: the cards are to be cut again.
    OrderRecut {
        role: Role,
    },
    /// 2.5(j) and counterparts: nobody plays at the open table.
    FallIdle,
    /// 2.5(j)2#3, 2A.4(i)2#3: the player at this box asks that the batch out of the device be spread and shuffled again.
    AskReshuffle(BoxId),

    // people and wagers
    /// A player comes to the table: 2.4(b), 2.5(e)1.
    Sit {
        box_id: BoxId,
        person: Person,
    },
    Consent(BoxId),
    Admit(Person),
    Wager {
        box_id: BoxId,
        person: Person,
        seated: bool,
        amounts: [Cents; 3],
    },
    SideWager {
        box_id: BoxId,
        person: Person,
        bet: SideBet,
        amount: Cents,
    },
    Withdraw {
        box_id: BoxId,
        person: Person,
    },
    CloseWagers,

    // cards
    Card(Card),
    /// A card dealt face down that nobody has seen: the hole card of a physical shoe.
    FaceDown,
    /// A determinant card and the side it was drawn from: 2.6(d)1.
    Determinant(Card, Side),
    /// What the card reader device shows.
    Reader(Finding),

    // offers and decisions; `bettor` is who speaks
    Attack {
        box_id: BoxId,
        bettor: Bettor,
        amount: Cents,
    },
    Insure {
        box_id: BoxId,
        bettor: Bettor,
        hand: HandNumber,
        amounts: [Cents; 3],
    },
    TakeEvenMoney {
        box_id: BoxId,
        bettor: Bettor,
    },
    Decline {
        box_id: BoxId,
        bettor: Bettor,
        offer: Offer,
    },
    Switch(BoxId),
    DeclineSwitch(BoxId),
    Revoke(BoxId),
    Decide {
        box_id: BoxId,
        bettor: Bettor,
        decision: Decision,
    },
    TakeSevensCard {
        box_id: BoxId,
        take: bool,
    },
    TakeLateCard {
        box_id: BoxId,
        take: bool,
    },
    RefuseCard(BoxId),

    // verification
    Approve {
        what: Approval,
        role: Role,
        person: Person,
    },
    Award {
        box_id: BoxId,
        bettor: Bettor,
        amount: Cents,
    },

    Report(Irregularity),
    VoidRound {
        role: Role,
    },
}

/// A decision on the hand whose turn it is, or a co-bettor's answer to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Stand,
    Hit,
    /// With the amounts for each spot, and whether the card is asked for face down.
    Double {
        amounts: [Cents; 3],
        face_down: bool,
    },
    Split,
    Surrender,
    /// A co-bettor leaves the wager as it is when the caller doubles.
    NotDouble,
    Cover,
    Follow(HandNumber),
}

impl Decision {
    /// The action on the hand that the caller chooses with it.
    pub const fn action(self) -> Option<Action> {
        match self {
            Decision::Stand => Some(Action::Stand),
            Decision::Hit => Some(Action::Hit),
            Decision::Double { .. } => Some(Action::Double),
            Decision::Split => Some(Action::Split),
            Decision::Surrender => Some(Action::Surrender),
            Decision::NotDouble | Decision::Cover | Decision::Follow(_) => None,
        }
    }
}
