//! What happened: facts in the past tense, each with the clause that it follows from. A log of these rebuilds a table.

use crate::ids::{Bettor, BoxId, HandNumber, Person, Place, Role, Side, Spot, Spots, Wager};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use rules::script::Offer;
use rules::{Card, Cents, Clause, SideBet};

/// A fact and its clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What happened.
    pub fact: Fact,
    /// The clause that the event follows from.
    pub by: Clause,
}

/// How a settled wager ended, in the words of the outside contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Paid.
    Win,
    /// Collected.
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
    /// On the first cards.
    Deal,
    /// When the reader has found or ruled out a blackjack.
    Peek,
    /// At the player's turn.
    Turn,
    /// As the dealer's cards come.
    Dealer,
    /// At the end of the round.
    End,
    /// After all others, by the bonus button.
    Bonus,
}

/// One wager settled: what was staked, and what the player won or lost by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settlement {
    /// The box.
    pub box_id: BoxId,
    /// The number of the hand, as everyone at the table knows it.
    pub hand: HandNumber,
    /// Which of the box's bettors made the wager.
    pub bettor: Bettor,
    /// Who made the wager.
    pub person: Person,
    /// Which wager of the hand.
    pub wager: Wager,
    /// Against which of the dealer's hands.
    pub spot: Spot,
    /// What was staked.
    pub staked: Cents,
    /// What the player won; a loss is negative.
    pub net: Cents,
    /// How the wager ended.
    pub ending: Ending,
    /// When in the round.
    pub when: When,
}

impl Settlement {
    /// Returns the amount that goes back to the player: the stake and the win, or the rest of the stake.
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
    /// The hole card makes a blackjack.
    Blackjack,
    /// The dealer has no blackjack.
    NoBlackjack,
}

/// A wager that a named person must verify before play continues.
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
    /// Returns the role that must give the approval.
    pub const fn role(self) -> Role {
        match self {
            Approval::Progressive(..) | Approval::Bonus(..) => Role::Supervisor,
            Approval::QueensOfHearts(..) => Role::Floorperson,
        }
    }

    /// Returns the box and the bettor whose wager needs the approval.
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
    /// A step of the custody of the cards was done: a shuffle, a cut, a burn.
    Performed(Procedure),
    /// The cut was offered to the player at this box.
    CutOffered(BoxId),
    /// Who was offered the cut declined it.
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
        /// The determinant card.
        card: Card,
        /// The side that it was drawn from.
        drawn_from: Side,
        /// The side that deals the round.
        deals: Side,
    },
    /// Another dealer took over.
    DealerRelieved(Person),
    /// The cards are shuffled after this round: 2.5(a)#2.
    ReshuffleOrdered,
    /// 2.5(g).
    RecutOrdered,
    /// 2.5(j).
    FellIdle,
    /// 2.5(j)2#3, 2A.4(i)2#3: a player asked that the batch out of the device be spread and shuffled again.
    BatchAskedFor(BoxId),

    // people and wagers
    /// Somebody came to a box.
    Seated {
        /// The box.
        box_id: BoxId,
        /// The person.
        person: Person,
    },
    /// Who sits at the box lets others wager there: 2.13(a)#2 and counterparts.
    Consented(BoxId),
    /// Somebody who sat a round out may wager again: 2.3(i) and counterparts.
    Admitted(Person),
    /// A required wager was made.
    Wagered {
        /// The box.
        box_id: BoxId,
        /// The person.
        person: Person,
        /// Whether this person sits at the box and calls its decisions.
        seated: bool,
        /// How much, for each of the dealer's hands; the first alone but in multiple action.
        amounts: [Cents; 3],
    },
    /// A side wager was made.
    SideWagered {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// The bet.
        bet: SideBet,
        /// How much.
        amount: Cents,
    },
    /// Somebody took all wagers at a box back before the first card.
    Withdrawn {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
    },
    /// No more wagers.
    WagersClosed,
    /// 2.19(b)#2.
    LightOn(BoxId),
    /// 2.19(b)#3: as many chips as lights.
    LightsCounted(u8),
    /// 2.19(b)#4: the progressive wagers are registered on the meter.
    MeterRaised {
        /// By how much.
        by_amount: Cents,
        /// What the meter shows now.
        meter: Cents,
    },

    // cards and offers
    /// A card was dealt.
    Dealt {
        /// Where it lies.
        to: Place,
        /// The card, unless it lies face down and nobody has seen it.
        card: Option<Card>,
    },
    /// The dealer made this announcement.
    Announced(Announcement),
    /// An attack wager was made: 26.7(d), 36.7(d.2), 36.7(e).
    Attacked {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// What was offered.
        offer: Offer,
        /// How much.
        amount: Cents,
    },
    /// An offer was declined.
    Declined {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// What was offered.
        offer: Offer,
    },
    /// An insurance wager was made.
    Insured {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
        /// How much, for each of the dealer's hands; the first alone but in multiple action.
        amounts: [Cents; 3],
    },
    /// A blackjack was paid 1 to 1 at once: 2.7(c).
    EvenMoneyTaken {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// On which of the wagers.
        spots: Spots,
    },
    /// The hole card was read.
    ReaderUsed(Finding),

    // decisions
    /// The player keeps the cards as they lie: 2A.7(g).
    SwitchDeclined(BoxId),
    /// The second cards of both hands were exchanged: 2A.7(g)1.
    Switched(BoxId),
    /// The switch was taken back: 2A.7.
    Revoked(BoxId),
    /// The hand takes no more cards.
    Stood {
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
    },
    /// A card was asked for.
    Drew {
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
    },
    /// The hand was doubled, by the caller or by a co-bettor.
    Doubled {
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// How much, for each of the dealer's hands; the first alone but in multiple action.
        amounts: [Cents; 3],
        /// Whether its card is dealt face down.
        face_down: bool,
    },
    /// A co-bettor does not double: 2.13(d).
    NotDoubled {
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
        /// Which of the people who wager there.
        bettor: Bettor,
    },
    /// A pair became two hands.
    Split {
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
        /// The number of the new hand.
        new: HandNumber,
    },
    /// A co-bettor covers both hands of a split: 2.13(e).
    Covered {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
    },
    /// A co-bettor's wager stays on one hand of a split: 2.13(e).
    Followed {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
    },
    /// The hand was given up.
    Surrendered {
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
    },
    /// 2.6(j)3, 2.6(k)6#2: a card for the sevens wager after a dealer's blackjack, taken or not.
    SevensCard {
        /// The box.
        box_id: BoxId,
        /// Whether the player takes it.
        taken: bool,
    },
    /// 2.15(g)#2, (i) and counterparts: a player takes a missed card late, or the hand is dead.
    LateCard {
        /// The box.
        box_id: BoxId,
        /// Whether the player takes it.
        taken: bool,
    },
    /// 2.15(c)#2: a player refuses an exposed card and gets no more cards.
    Refused(BoxId),

    // what follows from them
    /// The dealer's second card was turned face up.
    HoleTurned(Card),
    /// The card of a doubled hand was turned face up: 2.10(c).
    DoubleTurned {
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
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
        /// The box.
        box_id: BoxId,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
    },
    /// A named person verified the wager.
    Approved {
        /// What is approved.
        what: Approval,
        /// In which role.
        by: Role,
        /// The person.
        person: Person,
    },
    /// 2.19(g)1, 2.20(g)1: the dealer sees that the cards win.
    CardsVerified {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
    },
    /// 2.19(g)2.
    LightVerified {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
    },
    /// 2.20(g)2.
    AmountVerified {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// How much.
        amount: Cents,
    },
    /// 2.20(f)#2.
    ButtonPlaced {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
    },
    /// The bonus button showed this amount.
    Awarded {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// How much.
        amount: Cents,
    },
    /// A wager was settled.
    Settled(Settlement),
    /// 2.22(d): the lammer lies on the area with this number.
    LammerMoved {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// The number of wins in a row.
        to: u8,
    },
    /// 2.18(f)2-(h): the up card moves to the next hand.
    NextDealerHand(Spot),
    /// The meter fell back to this amount: 2.19(i).
    MeterReset(Cents),
    /// The cards went to the discard rack; the round is over.
    PickedUp,

    // irregularities
    /// Something went wrong, and is on record.
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
