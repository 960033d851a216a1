//! Commands: requests by people and devices, which the table may refuse.
//!
//! Cards arrive as commands, too.

use crate::event::{Approval, Finding};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Role, Side, Spots};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use rules::script::Offer;
use rules::{Action, Card, Cents, SideBet};

/// A request to a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    // custody of the cards
    /// Performs the next step of preparing the cards: shuffle, cut, burn.
    Perform(Procedure),
    /// The player at this box accepts the offered cut and cuts the cards.
    AcceptCut {
        /// The number of the betting box.
        box_id: BoxId,
        /// The number of cards in front of the cut.
        at: u16,
    },
    /// The player at this box declines to cut the cards.
    DeclineCut {
        /// The number of the betting box.
        box_id: BoxId,
    },
    /// The burned card is shown at a player's request (2.6(c)#3).
    DiscloseBurn(Card),
    /// This person takes over the table as its dealer.
    RelieveDealer(Person),
    /// The licensee orders a shuffle after this round (2.5(a)#2).
    OrderReshuffle,
    /// A supervisor orders another cut (2.5(g) and counterparts).
    OrderRecut {
        /// The role of the person who gives the command.
        role: Role,
    },
    /// Declares the table idle, because it is open but has no players (2.5(j) and counterparts).
    FallIdle,
    /// The player at this box asks that the batch from the device be spread and shuffled again.
    ///
    /// See 2.5(j)2#3, 2A.4(i)2#3.
    AskReshuffle(BoxId),

    // people and bets
    /// A player comes to the table (2.4(b), 2.5(e)1).
    Sit {
        /// The number of the betting box.
        box_id: BoxId,
        /// The person who comes to the table.
        person: Person,
    },
    /// The player seated at this box lets others bet there (2.13(a)#2 and counterparts).
    Consent(BoxId),
    /// The licensee lets a player who sat out a round bet again (2.3(i) and counterparts).
    Admit(Person),
    /// Makes the required bet, or in multiple action one required bet for each dealer hand.
    Wager {
        /// The number of the betting box.
        box_id: BoxId,
        /// The person who bets.
        person: Person,
        /// Whether this person sits at the box and decides for it.
        seated: bool,
        /// The amount for each dealer hand, in order. Only multiple action has more than one dealer hand.
        amounts: [Cents; 3],
    },
    /// Makes a side bet in addition to the main bet.
    SideWager {
        /// The number of the betting box.
        box_id: BoxId,
        /// The person who bets.
        person: Person,
        /// The side bet to make.
        bet: SideBet,
        /// The amount of the side bet.
        amount: Cents,
    },
    /// Withdraws all bets at a box, before the first card.
    Withdraw {
        /// The number of the betting box.
        box_id: BoxId,
        /// The person who withdraws the bets.
        person: Person,
    },
    /// Closes betting: the first card follows.
    CloseWagers,

    // cards
    /// The next card that is drawn or turned up.
    Card(Card),
    /// A card dealt face down that nobody has seen: the hole card of a physical shoe.
    FaceDown,
    /// A determinant card and the side it was drawn from (2.6(d)1).
    Determinant(Card, Side),
    /// The result of the card reader.
    Reader(Finding),

    // offers and decisions; `bettor` is the bettor who makes the command
    /// Makes the attack bet that is offered.
    Attack {
        /// The number of the betting box.
        box_id: BoxId,
        /// The index of the bettor at the box, in order of arrival.
        bettor: Bettor,
        /// The amount of the attack bet.
        amount: Cents,
    },
    /// Makes an insurance bet on a hand.
    Insure {
        /// The number of the betting box.
        box_id: BoxId,
        /// The index of the bettor at the box, in order of arrival.
        bettor: Bettor,
        /// The number of the hand.
        hand: HandNumber,
        /// The amount for each dealer hand, in order. Only multiple action has more than one dealer hand.
        amounts: [Cents; 3],
    },
    /// Takes even money for some or all of the bets on a blackjack (2.7(c), 2.18(d)).
    TakeEvenMoney {
        /// The number of the betting box.
        box_id: BoxId,
        /// The index of the bettor at the box, in order of arrival.
        bettor: Bettor,
        /// The spots whose bets take even money.
        spots: Spots,
    },
    /// Declines an offer.
    Decline {
        /// The number of the betting box.
        box_id: BoxId,
        /// The index of the bettor at the box, in order of arrival.
        bettor: Bettor,
        /// The offer that is declined.
        offer: Offer,
    },
    /// Exchanges the second cards of both hands (2A.7(g)1).
    Switch(BoxId),
    /// Keeps the cards of both hands as they are.
    DeclineSwitch(BoxId),
    /// Revokes the switch before another card is dealt.
    Revoke(BoxId),
    /// Decides on the hand whose turn it is.
    Decide {
        /// The number of the betting box.
        box_id: BoxId,
        /// The index of the bettor at the box, in order of arrival.
        bettor: Bettor,
        /// The decision on the hand.
        decision: Decision,
    },
    /// Takes or declines a card for the sevens bet after a dealer's blackjack (2.6(j)3, 2.6(k)6#2).
    TakeSevensCard {
        /// The number of the betting box.
        box_id: BoxId,
        /// Whether the player takes the card.
        take: bool,
    },
    /// Takes or declines a missed card that is dealt late (2.15(g)#2 and counterparts).
    TakeLateCard {
        /// The number of the betting box.
        box_id: BoxId,
        /// Whether the player takes the card.
        take: bool,
    },
    /// Refuses an exposed card, and all further cards of the round (2.15(c)#2).
    RefuseCard(BoxId),

    // verification
    /// Approves a bet that a supervisor or floorperson must verify.
    Approve {
        /// The bet to approve.
        what: Approval,
        /// The role of the person who gives the command.
        role: Role,
        /// The person who approves the bet.
        person: Person,
    },
    /// Reports the amount that the bonus button shows (2.20(f)).
    Award {
        /// The number of the betting box.
        box_id: BoxId,
        /// The index of the bettor at the box, in order of arrival.
        bettor: Bettor,
        /// The amount that the button shows.
        amount: Cents,
    },

    /// Reports an irregularity; the table then applies its remedy.
    Report(Irregularity),
    /// Claims that the round is void; the table always refuses the claim.
    ///
    /// A round that a clause declares void needs no claim.
    ClaimVoid {
        /// The role of the person who gives the command.
        role: Role,
    },
    /// Ends a round that cannot continue, and returns every open bet.
    ///
    /// The house orders this on its own authority (HOUSE-VOID).
    VoidRound {
        /// The role of the person who gives the command.
        role: Role,
    },
}

/// A box owner's decision on a hand, or a co-bettor's reply to that decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Takes no more cards.
    Stand,
    /// Takes a card.
    Hit,
    /// Doubles the hand for these amounts.
    Double {
        /// The amount for each dealer hand, in order. Only multiple action has more than one dealer hand.
        amounts: [Cents; 3],
        /// Whether the double card is dealt face down.
        face_down: bool,
    },
    /// Splits a pair into two hands.
    Split,
    /// Surrenders the hand for half the bet.
    Surrender,
    /// A co-bettor does not double although the box owner does.
    NotDouble,
    /// A co-bettor adds a bet for the new hand of a split (2.13(e)).
    Cover,
    /// A co-bettor chooses the hand of a split that the bet stays on (2.13(e)).
    Follow(HandNumber),
}

impl Decision {
    /// Returns the action on the hand that the decision takes, or `None` for a co-bettor's reply.
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
