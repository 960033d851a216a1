//! What happened: facts in the past tense, each with the clause that it follows from. A log of these rebuilds a table.

use crate::ids::{Bettor, BoxId, HandNumber, Person, Place, Role, Side, Spot, Wager};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use rules::script::Offer;
use rules::{Card, Cents, Clause, SideBet};

/// A fact and its clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub fact: Fact,
    pub by: Clause,
}

/// How a settled wager ended, in the words of the outside contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Win,
    Lose,
    /// Returned on comparison.
    Push,
    /// Half taken.
    Surrender,
    /// Returned for any other reason.
    Void,
    /// 2.22(f).
    Abandoned,
}

/// When in the round a wager was settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum When {
    Deal,
    Peek,
    Turn,
    Dealer,
    End,
    Bonus,
}

/// One wager settled: what was staked, and what the player won or lost by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settlement {
    pub box_id: BoxId,
    pub hand: HandNumber,
    pub bettor: Bettor,
    pub person: Person,
    pub wager: Wager,
    pub spot: Spot,
    pub staked: Cents,
    pub net: Cents,
    pub ending: Ending,
    pub when: When,
}

impl Settlement {
    /// What goes back to the player: the stake and the win, or what is left of the stake.
    pub fn returned(&self) -> Cents {
        self.staked + self.net
    }
}

/// Words that the dealer has to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Announcement {
    /// 2.19(b)#4, 2.20(b)#3, 2.24(d).
    NoMoreBets,
    /// 2.6(h)#2, 2.6A(f)#2, 2A.7(l)#2, 26.7(g)#2.
    DealersCard,
    /// 2.7(b): a blackjack that waits for the dealer's second card.
    Blackjack(BoxId),
    /// 2.11(f).
    SplittingSevens(BoxId),
    /// 2.6(h)#3 and its counterparts: the dealer's total.
    DealerTotal(u8),
    /// 2.20(g)3: a bonus below 100.00.
    Bonus(BoxId, Bettor, Cents),
    /// 2.6(f), 26.7(e), 36.7(f): a player's total as the turn comes; 2.6(g)#2, 2.11(c) and counterparts: and after each
    /// card.
    PlayerTotal(BoxId, HandNumber, u8),
    /// 2A.7(g): the total of the first hand, with the question whether to switch.
    OrSwitch(BoxId, HandNumber, u8),
}

/// Whether a reader found a blackjack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    Blackjack,
    NoBlackjack,
}

/// What needs a named person's verification before it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approval {
    /// 2.19(g)3: a supervisor validates a progressive payout.
    Progressive(BoxId, Bettor),
    /// 2.20(g)4: a supervisor confirms a bonus of 100.00 or more.
    Bonus(BoxId, Bettor),
    /// 2.24(e)#2: a floorperson is present at a queen of hearts pair.
    QueensOfHearts(BoxId, Bettor),
}

impl Approval {
    pub const fn role(self) -> Role {
        match self {
            Approval::Progressive(..) | Approval::Bonus(..) => Role::Supervisor,
            Approval::QueensOfHearts(..) => Role::Floorperson,
        }
    }

    /// Whose wager it is about.
    pub const fn whose(self) -> (BoxId, Bettor) {
        match self {
            Approval::Progressive(box_id, bettor)
            | Approval::Bonus(box_id, bettor)
            | Approval::QueensOfHearts(box_id, bettor) => (box_id, bettor),
        }
    }
}

/// What a fact says. Boxes, hands and bettors are named as everyone at the table sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    // custody of the cards
    Performed(Procedure),
    CutOffered(BoxId),
    CutDeclined(BoxId),
    /// The cutting card came out on this place: 2.5(e)2-3.
    CuttingCardOut(Place),
    /// A card went face down to the discard rack; `None` if nobody saw it.
    Burned(Option<Card>),
    /// 2.6(c)#3: the burn card was shown at a player's request.
    BurnDisclosed(Card),
    /// Put in the discard rack unused.
    SetAside(Card),
    /// A ten destroyed by the floorperson: 26.15(b), 36.14(b).
    Destroyed(Card),
    /// 2.6(d)1: which side the determinant card came from, and which side deals.
    Determined {
        card: Card,
        drawn_from: Side,
        deals: Side,
    },
    DealerRelieved(Person),
    ReshuffleOrdered,
    /// 2.5(g).
    RecutOrdered,
    /// 2.5(j).
    FellIdle,
    /// 2.5(j)2#3, 2A.4(i)2#3: a player asked that the batch out of the device be spread and shuffled again.
    BatchAskedFor(BoxId),

    // people and wagers
    Seated {
        box_id: BoxId,
        person: Person,
    },
    Consented(BoxId),
    Admitted(Person),
    Wagered {
        box_id: BoxId,
        person: Person,
        seated: bool,
        amounts: [Cents; 3],
    },
    SideWagered {
        box_id: BoxId,
        bettor: Bettor,
        bet: SideBet,
        amount: Cents,
    },
    Withdrawn {
        box_id: BoxId,
        bettor: Bettor,
    },
    WagersClosed,
    /// 2.19(b)#2.
    LightOn(BoxId),
    /// 2.19(b)#3: as many chips as lights.
    LightsCounted(u8),
    /// 2.19(b)#4: the progressive wagers are registered on the meter.
    MeterRaised {
        by_amount: Cents,
        meter: Cents,
    },

    // cards and offers
    Dealt {
        to: Place,
        card: Option<Card>,
    },
    Announced(Announcement),
    Attacked {
        box_id: BoxId,
        bettor: Bettor,
        offer: Offer,
        amount: Cents,
    },
    Declined {
        box_id: BoxId,
        bettor: Bettor,
        offer: Offer,
    },
    Insured {
        box_id: BoxId,
        bettor: Bettor,
        hand: HandNumber,
        amounts: [Cents; 3],
    },
    EvenMoneyTaken {
        box_id: BoxId,
        bettor: Bettor,
    },
    ReaderUsed(Finding),

    // decisions
    SwitchDeclined(BoxId),
    Switched(BoxId),
    Revoked(BoxId),
    Stood {
        box_id: BoxId,
        hand: HandNumber,
    },
    Drew {
        box_id: BoxId,
        hand: HandNumber,
    },
    Doubled {
        box_id: BoxId,
        hand: HandNumber,
        bettor: Bettor,
        amounts: [Cents; 3],
        face_down: bool,
    },
    /// A co-bettor does not double: 2.13(d).
    NotDoubled {
        box_id: BoxId,
        hand: HandNumber,
        bettor: Bettor,
    },
    Split {
        box_id: BoxId,
        hand: HandNumber,
        new: HandNumber,
    },
    /// A co-bettor covers both hands of a split: 2.13(e).
    Covered {
        box_id: BoxId,
        bettor: Bettor,
    },
    /// A co-bettor's wager stays on one hand of a split: 2.13(e).
    Followed {
        box_id: BoxId,
        bettor: Bettor,
        hand: HandNumber,
    },
    Surrendered {
        box_id: BoxId,
        hand: HandNumber,
    },
    /// 2.6(j)3, 2.6(k)6#2: a card for the sevens wager after a dealer's blackjack, taken or not.
    SevensCard {
        box_id: BoxId,
        taken: bool,
    },
    /// 2.15(g)#2, (i) and counterparts: a player takes a missed card late, or the hand is dead.
    LateCard {
        box_id: BoxId,
        taken: bool,
    },
    /// 2.15(c)#2: a player refuses an exposed card and gets no more cards.
    Refused(BoxId),

    // what follows from them
    HoleTurned(Card),
    DoubleTurned {
        box_id: BoxId,
        hand: HandNumber,
    },
    /// 2.20(e)2.
    CardsTucked(BoxId),
    /// 2.7(a)#2: the cards of a blackjack that has been paid.
    CardsRemoved(BoxId),
    /// 2.6A(d): a player picks up and looks at the two cards that lie face down.
    CardsLookedAt(BoxId),
    /// 2.6A(e)1, 2.6A(g): the two cards that lay face down are turned over.
    CardsTurned(BoxId),
    /// 2.6A(e)2: who passed 21 throws the first two cards in.
    CardsThrownIn {
        box_id: BoxId,
        hand: HandNumber,
    },
    Approved {
        what: Approval,
        by: Role,
        person: Person,
    },
    /// 2.19(g)1, 2.20(g)1: the dealer sees that the cards win.
    CardsVerified {
        box_id: BoxId,
        bettor: Bettor,
    },
    /// 2.19(g)2.
    LightVerified {
        box_id: BoxId,
        bettor: Bettor,
    },
    /// 2.20(g)2.
    AmountVerified {
        box_id: BoxId,
        bettor: Bettor,
        amount: Cents,
    },
    /// 2.20(f)#2.
    ButtonPlaced {
        box_id: BoxId,
        bettor: Bettor,
    },
    Awarded {
        box_id: BoxId,
        bettor: Bettor,
        amount: Cents,
    },
    Settled(Settlement),
    /// 2.22(d): the lammer lies on the area with this number.
    LammerMoved {
        box_id: BoxId,
        bettor: Bettor,
        to: u8,
    },
    /// 2.18(f)2-(h): the up card moves to the next hand.
    NextDealerHand(Spot),
    MeterReset(Cents),
    PickedUp,

    // irregularities
    Irregular(Irregularity),
    /// 2.15(j), (m): a supervisor was told.
    SupervisorNotified,
    /// 2.15(m)#2: the supervisor rebuilt the last hand and found the up card.
    UpCardFound(Card),
    /// 2.15(m)#3.
    UpCardPutBack(Card),
    /// The round is void: every wager goes back, and what was settled is reversed.
    Voided,
    /// A settlement of a void round is undone.
    Reversed(Settlement),
}
