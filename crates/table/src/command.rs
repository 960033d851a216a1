//! What people and devices ask for: imperative, and possibly refused. Cards arrive this way too.

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
    /// Does the next step of the custody of the cards: shuffles, cuts, burns.
    Perform(Procedure),
    /// The player at this box takes or declines the cut that is offered.
    AcceptCut {
        /// The box.
        box_id: BoxId,
        /// How many cards lie before the cut.
        at: u16,
    },
    /// The player at this box declines the cut.
    DeclineCut {
        /// The box.
        box_id: BoxId,
    },
    /// The burned card is shown at a player's request: 2.6(c)#3.
    DiscloseBurn(Card),
    /// Another dealer takes over.
    RelieveDealer(Person),
    /// The licensee has the cards shuffled after this round: 2.5(a)#2.
    OrderReshuffle,
    /// 2.5(g) and counterparts: the cards are to be cut again.
    OrderRecut {
        /// In which role.
        role: Role,
    },
    /// 2.5(j) and counterparts: nobody plays at the open table.
    FallIdle,
    /// 2.5(j)2#3, 2A.4(i)2#3: the player at this box asks that the batch out of the device be spread and shuffled again.
    AskReshuffle(BoxId),

    // people and wagers
    /// A player comes to the table: 2.4(b), 2.5(e)1.
    Sit {
        /// The box.
        box_id: BoxId,
        /// The person.
        person: Person,
    },
    /// Who sits at this box lets others wager there: 2.13(a)#2 and counterparts.
    Consent(BoxId),
    /// The licensee lets somebody wager again who sat a round out: 2.3(i) and counterparts.
    Admit(Person),
    /// Makes the required wager.
    Wager {
        /// The box.
        box_id: BoxId,
        /// The person.
        person: Person,
        /// Whether this person sits at the box and calls its decisions.
        seated: bool,
        /// How much, for each of the dealer's hands; the first alone but in multiple action.
        amounts: [Cents; 3],
    },
    /// Makes a side wager beside the main wager.
    SideWager {
        /// The box.
        box_id: BoxId,
        /// The person.
        person: Person,
        /// The bet.
        bet: SideBet,
        /// How much.
        amount: Cents,
    },
    /// Takes all wagers at a box back, before the first card.
    Withdraw {
        /// The box.
        box_id: BoxId,
        /// The person.
        person: Person,
    },
    /// No more wagers: the first card follows.
    CloseWagers,

    // cards
    /// The next card, as it was drawn.
    Card(Card),
    /// A card dealt face down that nobody has seen: the hole card of a physical shoe.
    FaceDown,
    /// A determinant card and the side it was drawn from: 2.6(d)1.
    Determinant(Card, Side),
    /// What the card reader device shows.
    Reader(Finding),

    // offers and decisions; `bettor` is who speaks
    /// Makes the attack wager that is offered.
    Attack {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// How much.
        amount: Cents,
    },
    /// Insures a hand.
    Insure {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// The hand, as everyone at the table numbers it.
        hand: HandNumber,
        /// How much, for each of the dealer's hands; the first alone but in multiple action.
        amounts: [Cents; 3],
    },
    /// Has a blackjack paid 1 to 1 at once, for some of the wagers or all: 2.7(c), 2.18(d).
    TakeEvenMoney {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// On which of the wagers.
        spots: Spots,
    },
    /// Declines an offer.
    Decline {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// What was offered.
        offer: Offer,
    },
    /// Exchanges the second cards of both hands: 2A.7(g)1.
    Switch(BoxId),
    /// Keeps the cards of both hands as they are.
    DeclineSwitch(BoxId),
    /// Takes the switch back before another card is dealt.
    Revoke(BoxId),
    /// Decides on the hand whose turn it is.
    Decide {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// The decision.
        decision: Decision,
    },
    /// Answers whether to take a card for the sevens wager after a dealer's blackjack: 2.6(j)3, 2.6(k)6#2.
    TakeSevensCard {
        /// The box.
        box_id: BoxId,
        /// Whether the player takes it.
        take: bool,
    },
    /// Answers whether to take a card late that was missed: 2.15(g)#2 and counterparts.
    TakeLateCard {
        /// The box.
        box_id: BoxId,
        /// Whether the player takes it.
        take: bool,
    },
    /// Refuses an exposed card, and all others of the round: 2.15(c)#2.
    RefuseCard(BoxId),

    // verification
    /// Gives a named person's approval to a wager that waits for it.
    Approve {
        /// What is approved.
        what: Approval,
        /// In which role.
        role: Role,
        /// The person.
        person: Person,
    },
    /// The bonus button shows this amount: 2.20(f).
    Award {
        /// The box.
        box_id: BoxId,
        /// Which of the people who wager there.
        bettor: Bettor,
        /// How much.
        amount: Cents,
    },

    /// Puts an irregularity on record, and has its remedy follow.
    Report(Irregularity),
    /// Claims that the round is void. A round that a clause declares void is so without a claim: this is always
    /// refused.
    ClaimVoid {
        /// In which role.
        role: Role,
    },
    /// Ends a round that cannot go on, by the power of the house: every open wager goes back.
    VoidRound {
        /// In which role.
        role: Role,
    },
}

/// A decision on the hand whose turn it is, or a co-bettor's answer to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Takes no more cards.
    Stand,
    /// Takes a card.
    Hit,
    /// With the amounts for each spot, and whether the card is asked for face down.
    Double {
        /// How much, for each of the dealer's hands; the first alone but in multiple action.
        amounts: [Cents; 3],
        /// Whether its card is dealt face down.
        face_down: bool,
    },
    /// Makes two hands of a pair.
    Split,
    /// Gives the hand up for half.
    Surrender,
    /// A co-bettor leaves the wager as it is when the caller doubles.
    NotDouble,
    /// A co-bettor adds a wager for the new hand of a split: 2.13(e).
    Cover,
    /// A co-bettor names the hand of a split that the wager stays on: 2.13(e).
    Follow(HandNumber),
}

impl Decision {
    /// Returns the action on the hand that the decision stands for.
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
