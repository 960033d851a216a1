//! Events: what happened at a table, each with the clause that it follows from.
//!
//! The table can be rebuilt by applying the log of its events to a new table.

use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person, Role, Side, Spot, Spots, Wager};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use crate::vocabulary::Word;
use rules::script::Offer;
use rules::{Card, Cents, Clause, SideBet};

/// Amounts of one bet for up to three dealer hands, in the order of the dealer hands.
///
/// Only multiple action has more than one dealer hand.
pub type Amounts = [Cents; 3];

/// What happened at a table, and the clause that it follows from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What happened.
    pub fact: Fact,
    /// The clause that the event follows from.
    pub by: Clause,
}

/// How a settled bet ended, as the public API names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The bet won and was paid.
    Win,
    /// The bet lost and was collected.
    Lose,
    /// The bet tied and was returned.
    Push,
    /// The hand was surrendered, and half of the bet was lost.
    Surrender,
    /// The bet was returned for any reason other than a tie.
    Void,
    /// The streak bet was lost, because its player did not bet on the next hand (2.22(f)).
    Abandoned,
}

/// When in the round a bet was settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SettledAt {
    /// The bet was settled on the first cards.
    Deal,
    /// The bet was settled after the card reader had found or ruled out a blackjack.
    Peek,
    /// The bet was settled during the player's turn.
    Turn,
    /// The bet was settled as the dealer's cards were dealt.
    Dealer,
    /// The bet was settled at the end of the round.
    End,
    /// The bet was settled after all others, with the bonus button.
    Bonus,
}

/// One settled bet: the stake, and the player's win or loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settlement {
    /// The number of the betting box.
    pub box_id: BoxId,
    /// The number of the hand.
    pub hand: HandNumber,
    /// The bettor's index at the box, in order of arrival.
    pub bettor: Bettor,
    /// The person who made the bet.
    pub person: Person,
    /// The kind of bet.
    pub wager: Wager,
    /// The dealer hand that the bet was settled against.
    pub spot: Spot,
    /// The amount that was bet.
    pub staked: Cents,
    /// The player's net win; a loss is negative.
    pub net: Cents,
    /// How the bet ended.
    pub ending: Ending,
    /// When in the round the bet was settled.
    pub when: SettledAt,
}

impl Settlement {
    /// Returns the amount that the player gets back: the stake plus the net win.
    pub fn returned(&self) -> Cents {
        self.staked + self.net
    }
}

/// An announcement that the dealer must make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Announcement {
    /// The announcement that no more bets are taken (2.19(b)#4, 2.20(b)#3, 2.24(d)).
    NoMoreBets,
    /// The announcement that the dealer's card follows (2.6(h)#2, 2.6A(f)#2, 2A.7(l)#2, 26.7(g)#2).
    DealersCard,
    /// The announcement of a player's blackjack at this box.
    ///
    /// The payment may have to wait for the dealer's second card (2.7(b)).
    Blackjack(BoxId),
    /// The announcement that a pair of sevens is split (2.11(f)).
    SplittingSevens(BoxId),
    /// The announcement of the dealer's total (2.6(h)#3 and its counterparts).
    DealerTotal(u8),
    /// The announcement of a bonus payment of less than 100 dollars (2.20(g)3).
    Bonus(BoxId, Bettor, Cents),
    /// The announcement of a player's total, at the start of the turn and after each card.
    ///
    /// See 2.6(f), 26.7(e), 36.7(f) for the start of the turn, and 2.6(g)#2, 2.11(c) and counterparts for each card.
    PlayerTotal(BoxId, HandNumber, u8),
    /// The announcement of the first hand's total, with the question whether to switch (2A.7(g)).
    OrSwitch(BoxId, HandNumber, u8),
}

/// What the card reader shows about the dealer's hole card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The hole card gives the dealer a blackjack.
    Blackjack,
    /// The dealer has no blackjack.
    NoBlackjack,
}

/// A winning bet that a supervisor or floorperson must approve before play continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approval {
    /// A progressive payout, which a supervisor validates (2.19(g)3).
    Progressive(BoxId, Bettor),
    /// A bonus of 100 dollars or more, which a supervisor confirms (2.20(g)4).
    Bonus(BoxId, Bettor),
    /// A queen of hearts pair, which a floorperson witnesses (2.24(e)#2).
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

    /// Returns the box and the bettor who made the bet.
    pub const fn whose(self) -> (BoxId, Bettor) {
        match self {
            Approval::Progressive(box_id, bettor)
            | Approval::Bonus(box_id, bettor)
            | Approval::QueensOfHearts(box_id, bettor) => (box_id, bettor),
        }
    }
}

/// Passes the list of all facts to a macro.
///
/// The word, the JSON and the schema of each fact thus come from one place.
///
/// Each fact has its documentation, its fields and its word. Where a field's name in JSON differs, that name
/// follows in brackets. `as Name` marks a fact whose JSON has other fields; a type `Name` in the crate that writes
/// the JSON defines them.
#[macro_export]
macro_rules! facts {
    ($define:ident) => {
        $define! {
            // custody of the cards
            /// A step of preparing the cards was performed, such as a shuffle, a cut or a burn.
            Performed as Performed(step: Procedure) = "performed",
            /// The cut was offered to the player at this box.
            CutOffered(box_id["box"]: BoxId) = "cut-offered",
            /// The player at this box declined the cut.
            CutDeclined(box_id["box"]: BoxId) = "cut-declined",
            /// The cut card came out when a card was dealt to this place (2.5(e)2-3).
            CutCardOut(to: CardPlace) = "cutting-card-out",
            /// A card went face down to the discard rack; the card is `None` if nobody saw it.
            Burned as Burned(card: Option<Card>) = "burned",
            /// The burn card was shown at a player's request (2.6(c)#3).
            BurnDisclosed(card: Card) = "burn-disclosed",
            /// A card was put in the discard rack unused.
            SetAside(card: Card) = "set-aside",
            /// The floorperson destroyed a ten (26.15(b), 36.14(b)).
            Destroyed(card: Card) = "destroyed",
            /// The determinant card was drawn from one side and decided which side deals (2.6(d)1).
            Determined as Determined {
                /// The determinant card.
                card: Card,
                /// The side that the card was drawn from.
                drawn_from: Side,
                /// The side that deals the round.
                deals: Side,
            } = "determined",
            /// Another dealer took over.
            DealerRelieved(person: Person) = "dealer-relieved",
            /// A shuffle after this round was ordered (2.5(a)#2).
            ReshuffleOrdered = "reshuffle-ordered",
            /// A supervisor ordered the cards to be cut again (2.5(g)).
            RecutOrdered = "recut-ordered",
            /// The table became idle (2.5(j)).
            FellIdle = "fell-idle",
            /// A player asked that the batch from the device be spread and shuffled again (2.5(j)2#3, 2A.4(i)2#3).
            BatchAskedFor(box_id["box"]: BoxId) = "batch-asked-for",

            // people and bets
            /// A player came to a box.
            Seated {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The person who came to the box.
                person: Person,
            } = "seated",
            /// The player seated at the box lets others bet there (2.13(a)#2 and counterparts).
            Consented(box_id["box"]: BoxId) = "consented",
            /// A player who sat out a round may bet again (2.3(i) and counterparts).
            Admitted(person: Person) = "admitted",
            /// A required bet was made.
            Wagered {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The person who bets.
                person: Person,
                /// Whether this person sits at the box and decides for it.
                seated: bool,
                /// The amount for each dealer hand, in order. Only multiple action has more than one dealer hand.
                amounts: Amounts,
            } = "wagered",
            /// A side bet was made.
            SideWagered {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The side bet that was made.
                bet["wager"]: SideBet,
                /// The amount of the side bet.
                amount: Cents,
            } = "side-wagered",
            /// A bettor withdrew all bets at a box before the first card.
            Withdrawn {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
            } = "withdrawn",
            /// Betting was closed.
            WagersClosed = "wagers-closed",
            /// The light of a progressive bet went on (2.19(b)#2).
            LightOn(box_id["box"]: BoxId) = "light-on",
            /// The dealer counted the chips of the progressive bets against the lights (2.19(b)#3).
            LightsCounted(count: u8) = "lights-counted",
            /// The progressive meter rose because of the progressive bets of this round (2.19(b)#4).
            MeterRaised {
                /// The amount that was added to the meter.
                by_amount["amount"]: Cents,
                /// The meter's new amount.
                meter: Cents,
            } = "meter-raised",

            // cards and offers
            /// A card was dealt.
            Dealt as Dealt {
                /// The place that the card was dealt to.
                to: CardPlace,
                /// The card, or `None` if it is face down and nobody has seen it.
                card: Option<Card>,
            } = "dealt",
            /// The dealer made this announcement.
            Announced as Announced(said: Announcement) = "announced",
            /// An attack bet was made (26.7(d), 36.7(d.2), 36.7(e)).
            Attacked {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The offer that the bettor accepted.
                offer: Offer,
                /// The amount of the attack bet.
                amount: Cents,
            } = "attacked",
            /// An offer was declined.
            Declined {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The offer that the bettor declined.
                offer: Offer,
            } = "declined",
            /// An insurance bet was made.
            Insured {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The number of the hand.
                hand: HandNumber,
                /// The amount for each dealer hand, in order. Only multiple action has more than one dealer hand.
                amounts: Amounts,
            } = "insured",
            /// Even money was taken on a blackjack (2.7(c)).
            EvenMoneyTaken as EvenMoneyTaken {
                /// The number of the betting box.
                box_id: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The spots whose bets take even money.
                spots: Spots,
            } = "even-money-taken",
            /// The hole card was checked with the card reader.
            ReaderUsed(blackjack: Finding) = "reader-used",

            // decisions
            /// The player declined the switch (2A.7(g)).
            SwitchDeclined(box_id["box"]: BoxId) = "switch-declined",
            /// The second cards of both hands were exchanged (2A.7(g)1).
            Switched(box_id["box"]: BoxId) = "switched",
            /// The switch was revoked (2A.7).
            Revoked(box_id["box"]: BoxId) = "revoked",
            /// The player stood on the hand.
            Stood {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
            } = "stood",
            /// The player asked for a card.
            Drew {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
            } = "drew",
            /// The hand was doubled, by the box owner or by a co-bettor.
            Doubled {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The amount for each dealer hand, in order. Only multiple action has more than one dealer hand.
                amounts: Amounts,
                /// Whether the card of the doubled hand is dealt face down.
                face_down: bool,
            } = "doubled",
            /// A co-bettor did not double with the box owner (2.13(d)).
            NotDoubled {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
            } = "not-doubled",
            /// A pair was split into two hands.
            Split {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
                /// The number of the new hand.
                new: HandNumber,
            } = "split",
            /// A co-bettor added a bet for the new hand of a split (2.13(e)).
            Covered {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
            } = "covered",
            /// A co-bettor's bet stays on one hand of a split (2.13(e)).
            Followed {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The number of the hand that the bet stays on.
                hand: HandNumber,
            } = "followed",
            /// The hand was surrendered.
            Surrendered {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
            } = "surrendered",
            /// A player took or declined a card for the sevens bet after a dealer's blackjack (2.6(j)3, 2.6(k)6#2).
            SevensCard {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// Whether the player takes the card.
                taken: bool,
            } = "sevens-card",
            /// A player took a missed card late, or declined the card and so made the hand dead.
            ///
            /// See 2.15(g)#2, (i) and counterparts.
            LateCard {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// Whether the player takes the card.
                taken: bool,
            } = "late-card",
            /// A player refused an exposed card and gets no more cards (2.15(c)#2).
            Refused(box_id["box"]: BoxId) = "card-refused",

            // consequences
            /// The hole card was turned face up.
            HoleTurned as HoleTurned(card: Card) = "hole-turned",
            /// The card of a doubled hand was turned face up (2.10(c)).
            DoubleTurned {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
                /// The card that was turned face up.
                card: Card,
            } = "double-turned",
            /// The box's cards were placed under its winning bonus bet (2.20(e)2).
            CardsTucked(box_id["box"]: BoxId) = "cards-tucked",
            /// The cards of a paid blackjack were removed (2.7(a)#2).
            CardsRemoved(box_id["box"]: BoxId) = "cards-removed",
            /// The player looked at the box's two face-down cards (2.6A(d)).
            CardsLookedAt(box_id["box"]: BoxId) = "cards-looked-at",
            /// The box's two face-down cards were turned over (2.6A(e)1, 2.6A(g)).
            CardsTurned {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The card that was dealt first of the two.
                first: Card,
                /// The card that was dealt second of the two.
                second: Card,
            } = "cards-turned",
            /// A player who went bust threw in the first two cards (2.6A(e)2).
            CardsThrownIn {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The number of the hand.
                hand: HandNumber,
            } = "cards-thrown-in",
            /// A supervisor or floorperson approved a bet.
            Approved as Approved {
                /// The bet that was approved.
                what: Approval,
                /// The role of the person who approved the bet.
                by: Role,
                /// The person who approved the bet.
                person: Person,
            } = "approved",
            /// The dealer verified the cards of a winning progressive or bonus bet (2.19(g)1, 2.20(g)1).
            CardsVerified {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
            } = "cards-verified",
            /// The dealer verified that the light of the progressive bet is on (2.19(g)2).
            LightVerified {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
            } = "light-verified",
            /// The dealer verified the amount of the bonus (2.20(g)2).
            AmountVerified {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The amount of the bonus.
                amount: Cents,
            } = "amount-verified",
            /// The bonus button was placed before this bettor (2.20(f)#2).
            ButtonPlaced {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
            } = "button-placed",
            /// The bonus button showed the amount that a bettor wins.
            Awarded {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The amount that the button showed.
                amount: Cents,
            } = "awarded",
            /// A bet was settled.
            Settled as Settled(settlement: Settlement) = "settled",
            /// The lammer of a bettor's streak bets was moved to another area (2.22(d)).
            LammerMoved {
                /// The number of the betting box.
                box_id["box"]: BoxId,
                /// The index of the bettor at the box, in order of arrival.
                bettor: Bettor,
                /// The number of wins in a row that the area stands for.
                to: u8,
            } = "lammer-moved",
            /// The upcard was moved to the next dealer hand (2.18(f)2-(h)).
            NextDealerHand(spot: Spot) = "next-dealer-hand",
            /// The progressive meter was reset to this starting amount (2.19(i)).
            MeterReset(meter: Cents) = "meter-reset",
            /// The cards went to the discard rack; the round is over.
            PickedUp = "picked-up",

            // irregularities
            /// An irregularity was recorded.
            Irregular(irregularity["name"]: Irregularity) = "irregularity",
            /// A supervisor was notified (2.15(j), (m)).
            SupervisorNotified = "supervisor-notified",
            /// The supervisor reconstructed the last hand and found the upcard (2.15(m)#2).
            UpCardFound(card: Card) = "up-card-found",
            /// The upcard was put back (2.15(m)#3).
            UpCardPutBack(card: Card) = "up-card-put-back",
            /// The house ended a round that could not continue, and returned every open bet.
            Voided as Voided = "voided",
            /// A settlement of a void round was undone.
            Reversed as Settlement(settlement: Settlement) = "reversed",
        }
    };
}

/// Defines the enum of facts, and the word for each fact.
macro_rules! define {
    ($(
        $(#[$($doc:tt)*])*
        $variant:ident
        $(($one:ident $([$one_named:tt])?: $one_type:ty))?
        $({ $($(#[$($field_doc:tt)*])* $field:ident $([$named:tt])?: $type:ty),* $(,)? })?
        $(as $own:ident
            $(($own_one:ident: $own_type:ty))?
            $({ $($(#[$($own_doc:tt)*])* $own_field:ident: $own_field_type:ty),* $(,)? })?
        )?
        = $word:tt
    ),* $(,)?) => {
        /// What happened at a table.
        ///
        /// Boxes, hands and bettors are named as everyone at the table sees them.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Fact { $(
            $(#[$($doc)*])*
            $variant
            $(($one_type))?
            $({ $($(#[$($field_doc)*])* $field: $type),* })?
            $($(($own_type))? $({ $($(#[$($own_doc)*])* $own_field: $own_field_type),* })?)?
        ),* }

        impl Word for Fact {
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn word(&self) -> &'static str {
                match self { $(Fact::$variant { .. } => $word),* }
            }
        }
    };
}

facts!(define);
