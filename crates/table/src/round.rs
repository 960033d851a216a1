//! The state of one round: boxes, bettors, hands, money, and the position in the script.

use crate::ids::{BoxId, HandNumber, Person, Spots};
pub use crate::stakes::Stakes;
use rules::play::Doubled;
use rules::wager::Sees;
use rules::{Card, Cents, Hand, SideBet};

/// The state of a player's hand in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HandState {
    /// The hand waits for cards or decisions.
    #[default]
    Open,
    /// The hand needs no more cards or decisions, and waits to be compared with the dealer's hand.
    Complete,
    /// The hand is bust: its total is over 21.
    Bust,
    /// The hand was surrendered against an ace or ten-value card, and waits for the dealer's second card.
    SurrenderPending,
    /// The hand was surrendered, and its bets are settled.
    Surrendered,
    /// The hand is out of the round: all its bets are settled.
    Done,
    /// The hand is dead: its bets are returned.
    Dead,
}

/// A player's hand in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandPlay {
    /// The hand's cards.
    pub hand: Hand,
    /// The hand's number within its box.
    pub number: HandNumber,
    /// The index of the initial hand that this hand comes from: zero, or one for a Switch box's second hand.
    pub group: u8,
    /// Whether the hand has been doubled.
    pub doubled: Doubled,
    /// The hand's state.
    pub state: HandState,
    /// Whether the double card is face down, so that nobody knows whether the hand is bust (2.10(c)).
    pub face_down: bool,
    /// The spot that was being settled when the double card was turned up (2.10(c)#7).
    ///
    /// Until then nobody knew whether the hand was bust. `None` if no double card was turned up.
    pub turned_on: Option<usize>,
    /// Whether the card of a hit or a double has yet to be dealt.
    pub card_due: bool,
    /// The state of the hand's missed card (2.15(g), (i)).
    pub late_card: LateCard,
    /// The number of cards in the hand when its total was last announced.
    pub announced: u8,
    /// The money on the hand, by bettor.
    pub stakes: [Stakes; 3],
}

impl HandPlay {
    /// Returns a hand without cards or money.
    pub fn new(number: u8, group: u8) -> HandPlay {
        HandPlay {
            hand: Hand::default(),
            number: HandNumber(number),
            group,
            doubled: Doubled::No,
            state: HandState::Open,
            face_down: false,
            turned_on: None,
            card_due: false,
            late_card: LateCard::None,
            announced: 0,
            stakes: [Stakes::NONE; 3],
        }
    }

    /// Returns whether the hand may still win, as far as people at the table know.
    pub fn is_live(&self) -> bool {
        matches!(self.state, HandState::Open | HandState::Complete)
    }

    /// Returns whether nothing more happens to the hand in this round.
    pub fn is_out(&self) -> bool {
        matches!(self.state, HandState::Surrendered | HandState::Done | HandState::Dead)
    }
}

/// A bettor at a box, with the bettor's bets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BettorPlay {
    /// The person who bets.
    pub person: Person,
    /// Whether the bettor sits at the box.
    pub seated: bool,
    /// The required bet on each spot.
    pub main: [Cents; 3],
    /// The amount of each side bet, indexed by [`SideBet`].
    pub side: [Cents; SIDE_BETS],
    /// The settled side bets, as bits.
    pub side_settled: u32,
    /// The insurance bets, by initial hand and spot.
    pub insurance: [[Cents; 3]; 2],
    /// The settled insurance bets, as bits.
    pub insurance_settled: u8,
    /// The spots whose bets take even money.
    pub even_money: Spots,
    /// Whether the bettor has replied to the current offer.
    pub answered: bool,
    /// The amount on the bonus button, or `None` until the button shows one (2.20(f)).
    pub award: Option<Cents>,
    /// Whether the bonus system failed for this bettor (2.15(o)).
    pub bonus_failed: bool,
    /// Whether a supervisor or floorperson has approved the bettor's winning bet.
    pub approved: bool,
    /// Whether the bonus button is in front of this bettor (2.20(f)#2).
    pub button: bool,
    /// The number of checks made before a progressive or bonus payment.
    ///
    /// See 2.19(g)1-2, 2.20(g)1-3.
    pub checks: u8,
}

pub(crate) const SIDE_BETS: usize = SideBet::COUNT;

impl BettorPlay {
    /// Returns a bettor with only the required bet.
    pub fn new(person: Person, seated: bool, main: [Cents; 3]) -> BettorPlay {
        BettorPlay { person, seated, main, answered: true, ..BettorPlay::default() }
    }

    /// Returns the stake on this side bet.
    pub fn side(&self, bet: SideBet) -> Cents {
        self.side[bet as usize]
    }

    /// Returns whether this side bet has an unsettled stake.
    pub fn side_open(&self, bet: SideBet) -> bool {
        self.side[bet as usize] > Cents::ZERO && self.side_settled & (1 << bet as u32) == 0
    }

    /// Returns whether an unsettled side bet depends on these cards.
    pub fn has_open(&self, sees: Sees) -> bool {
        SideBet::ALL.into_iter().any(|bet| self.side_open(bet) && bet.sees() == sees)
    }

    /// Returns whether the insurance bet on this initial hand and spot is unsettled.
    pub fn insurance_open(&self, group: usize, spot: usize) -> bool {
        self.insurance[group][spot] > Cents::ZERO && self.insurance_settled & (1 << (group * 3 + spot)) == 0
    }

    /// Returns whether every main bet of the bettor is insured or takes even money.
    ///
    /// If not, the bettor may still insure the other bets or take even money on them (2.18(d)).
    pub fn is_covered(&self) -> bool {
        (0..3).all(|spot| {
            let insured = self.insurance[0][spot] > Cents::ZERO;
            self.main[spot] == Cents::ZERO || insured || self.even_money.has(spot)
        })
    }

    /// Returns whether at least one insurance bet is unsettled.
    pub fn any_insurance_open(&self) -> bool {
        (0..2).any(|group| (0..3).any(|spot| self.insurance_open(group, spot)))
    }
}

/// The state of a box's switch in Blackjack Switch (2A.7(g)).
///
/// A box may switch only once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SwitchState {
    /// No switch is possible: the game has none, or the offer is over.
    #[default]
    Closed,
    /// The player may still switch.
    Offered,
    /// The player has exchanged the second cards of both hands.
    Switched,
    /// The player switched, and a decision or the end of the turn followed.
    ///
    /// By 2A.7(g)2 the switch may be revoked until a card is dealt.
    Kept,
    /// The player switched, and revoked the switch (2A.7(g)2).
    Revoked,
}

impl SwitchState {
    /// Returns the state of the switch after a decision on a hand, or after the end of the turn.
    pub fn after_decision(self) -> SwitchState {
        match self {
            SwitchState::Switched | SwitchState::Kept => SwitchState::Kept,
            SwitchState::Offered | SwitchState::Closed | SwitchState::Revoked => SwitchState::Closed,
        }
    }
}

/// A box with bets on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoxPlay {
    /// The box's number on the layout.
    pub id: BoxId,
    /// The box's bettors, in order of arrival.
    pub bettors: Vec<BettorPlay>,
    /// The index of the box owner among the bettors.
    pub box_owner: u8,
    /// Whether the first bettor lets others bet at the box (2.13(a)#2).
    pub consent: bool,
    /// The hands in the order of play, from the dealer's left.
    pub hands: Vec<HandPlay>,
    /// The number for the next hand formed in a split.
    pub next_number: u8,
    /// The cards that side bets depend on: the box's first two cards, then its further cards until a split.
    pub series: Vec<Card>,
    /// Whether the box's next card is still added to [`BoxPlay::series`].
    pub series_open: bool,
    /// The state of the box's switch, in Blackjack Switch.
    pub switch: SwitchState,
    /// Whether a Switch box's first hand has had a decision (2A.9(a)).
    pub first_hand_played: bool,
    /// The progress of the box's turn.
    pub turn: Turn,
    /// How the box takes part in the round.
    pub role: BoxRole,
    /// The state of the card offered to two sevens after a dealer's blackjack (2.6(j)3, 2.6(k)6#2).
    pub sevens_card: SevensCard,
    /// The state of the box's cards and light.
    pub marks: BoxMarks,
}

/// The progress of a box's turn, and what the turn still has to announce or settle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// Whether the turn has begun (2.9(b)#4).
    pub begun: bool,
    /// Whether the total of the current hand has been announced.
    pub announced: bool,
    /// Whether the split of sevens must be announced (2.11(f)).
    pub splits_sevens: bool,
    /// Whether a hand that ended in the turn has bets to settle.
    pub has_settlements_due: bool,
}

/// How a box takes part in the round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoxRole {
    /// The box takes part in the round as usual.
    #[default]
    Plays,
    /// The box gets no more cards, because its player refused an exposed card (2.15(c)#2).
    RefusesCards,
    /// The box is let out of the round, because a card was misdelivered (MA 15(a)#3).
    LetOut,
}

/// The light of a box, and unusual states of its cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoxMarks {
    /// Whether the light of the progressive bet is on (2.19(b)#2).
    pub light_on: bool,
    /// Whether the two initial cards are face down (2.6A(c)).
    pub face_down: bool,
    /// Whether the box's cards lie under a winning bonus bet (2.20(e)2).
    pub under_bonus_bet: bool,
    /// Whether cards of the box have been removed early: a paid blackjack (2.7(a)#2), or a hand thrown in.
    pub removed: bool,
}

/// A missed card that the player may still take (2.15(g)#2, (i)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LateCard {
    /// No card was missed.
    #[default]
    None,
    /// The player has been asked whether to take the card.
    Asked,
    /// The player takes the card, which is dealt after the other players' cards.
    Taken,
}

/// The state of the card offered to two sevens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SevensCard {
    /// No card is offered.
    #[default]
    NotOffered,
    /// The player has been asked whether to take the card.
    Offered,
    /// The player takes the card, which is still to be dealt.
    Due,
    /// The card was dealt or declined.
    Over,
}

impl BoxPlay {
    /// Returns a box without bets.
    pub fn new(id: BoxId) -> BoxPlay {
        BoxPlay { id, next_number: 1, series_open: true, ..BoxPlay::default() }
    }

    /// Resets the box for another round and keeps its memory allocated.
    pub fn reset(&mut self, id: BoxId) {
        use std::mem::take;
        let (mut bettors, mut hands, mut series) =
            (take(&mut self.bettors), take(&mut self.hands), take(&mut self.series));
        bettors.clear();
        hands.clear();
        series.clear();
        *self = BoxPlay { bettors, hands, series, ..BoxPlay::new(id) };
    }

    /// Returns the index of a hand, or `None` if there is none.
    pub fn hand_at(&self, number: HandNumber) -> Option<usize> {
        self.hands.iter().position(|hand| hand.number == number)
    }

    /// Returns the hand whose missed card is in this state, or `None` if there is none.
    pub fn late_hand(&self, late: LateCard) -> Option<&HandPlay> {
        self.hands.iter().find(|hand| hand.late_card == late)
    }

    /// Returns the number of hands that come from this initial hand, itself included.
    pub fn hands_of(&self, group: u8) -> u8 {
        self.hands.iter().filter(|hand| hand.group == group).count() as u8
    }

    /// Chooses the box owner (2.13(b)).
    ///
    /// The box owner is the seated player, or else the bettor with the highest bet. Among equal bets the earliest
    /// bettor is chosen (Q28).
    pub fn choose_box_owner(&mut self) {
        let seated = self.bettors.iter().position(|bettor| bettor.seated);
        let total = |bettor: &BettorPlay| bettor.main.iter().copied().sum::<Cents>();
        let highest = (0..self.bettors.len()).rev().max_by_key(|&at| total(&self.bettors[at]));
        self.box_owner = seated.or(highest).unwrap_or(0) as u8;
    }

    /// Returns the box's first two cards, or `None` before both are dealt.
    pub fn initial_two(&self) -> Option<[Card; 2]> {
        self.series.first_chunk().copied()
    }
}

/// Whether the dealer's second card is dealt, and whether it is face down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hole {
    /// The second card is not dealt yet.
    #[default]
    NotDealt,
    /// The second card is face down; `None` if nobody has seen it.
    Down(Option<Card>),
    /// The second card is face up among the dealer's cards.
    Turned,
}

/// What the card reader, or an open hole card, has shown about a dealer's blackjack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Peeked {
    /// Nobody has looked at the hole card.
    #[default]
    NotYet,
    /// The card reader has ruled out a blackjack.
    NoBlackjack,
    /// The card reader, or an open hole card, has shown a blackjack.
    Blackjack,
}

/// A question to a box's co-bettors, asked before the box owner's decision takes effect (2.13(d)-(e)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoAsk {
    /// Whether to double too, with the index of the box and the number of the doubled hand.
    Double(usize, HandNumber),
    /// Whether to cover both hands of a split, with the index of the box, the old hand and the new one.
    Split(usize, HandNumber, HandNumber),
}

/// The reason why a round ends without a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Void {
    /// The clause that ends the round.
    pub by: rules::Clause,
    /// Whether the void undoes settlements of the round.
    ///
    /// `true` if a clause declares the round void. `false` for dead hands (2.15(j)1, Q31), and for a round that
    /// the house ends (HOUSE-VOID).
    pub reverses: bool,
}

/// A remedy that an irregularity requires before the round continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Remedy {
    /// No remedy is due.
    #[default]
    Nothing,
    /// A supervisor is notified that the card reader was misused (2.15(j)).
    NotifyOfReader,
    /// A supervisor is notified that the upcard is in the discard rack (2.15(m)).
    NotifyOfUpCard,
    /// The supervisor finds the upcard (2.15(m)#2).
    FindUpCard,
    /// The upcard is put back (2.15(m)#3).
    PutBackUpCard,
}

impl Remedy {
    /// Returns the remedy's next step, or `Nothing` after its last step.
    pub fn next(self) -> Remedy {
        match self {
            Remedy::NotifyOfUpCard => Remedy::FindUpCard,
            Remedy::FindUpCard => Remedy::PutBackUpCard,
            Remedy::Nothing | Remedy::NotifyOfReader | Remedy::PutBackUpCard => Remedy::Nothing,
        }
    }
}

/// The phase of a round before its first turn; from then on, the script gives the position in the round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// Bets are taken.
    #[default]
    Wagers,
    /// Streaks of players who made no bet are abandoned (2.22(f)).
    Abandoned,
    /// The lights of the progressive bets are turned on and counted (2.19(b)#2-3).
    Lights,
    /// The meter takes its share of the progressive bets (2.19(b)#4).
    Meter,
    /// The dealer announces no more bets (2.19(b)#4, 2.20(b)#3, 2.24(d)).
    NoMoreBets,
    /// A card is burned before each round dealt from the hand (2.6A(c)).
    HandBurn,
    /// The determinant card is drawn (2.6(d)1).
    Determinant,
    /// The initial cards are dealt.
    Deal,
    /// All initial cards have been dealt.
    Play,
}

impl Phase {
    /// Returns the next phase, or `Play` if there is no other.
    pub fn next(self) -> Phase {
        match self {
            Phase::Wagers => Phase::Abandoned,
            Phase::Abandoned => Phase::Lights,
            Phase::Lights => Phase::Meter,
            Phase::Meter => Phase::NoMoreBets,
            Phase::NoMoreBets => Phase::HandBurn,
            Phase::HandBurn => Phase::Determinant,
            Phase::Determinant => Phase::Deal,
            Phase::Deal | Phase::Play => Phase::Play,
        }
    }
}

/// What the dealer has announced about the dealer's own hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Announced {
    /// The dealer has announced nothing.
    #[default]
    Nothing,
    /// The dealer has announced that the dealer's card follows (2.6(h)#2).
    DealersCard,
    /// The dealer has announced the total of the dealer's hand.
    DealersTotal,
}

/// The effects of irregularities on a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mishaps {
    /// Whether an irregularity was reported during play, so that a finished turn may have to continue.
    pub reported: bool,
    /// Whether the dealer's own card follows the players' second cards (2.15(e)).
    pub own_card_late: bool,
    /// The card that was exposed in error and is dealt as the next card (2.15(c)); `None` without such a card.
    pub exposed: Option<Card>,
    /// The number of cards found face up in this round.
    ///
    /// See 2A.15(a)#2, 26.15(a)#2, 36.14(a)#2.
    pub found_face_up: u8,
    /// The number of tens found in a deck that has none.
    pub tens_found: u8,
    /// Whether a card of this round was misdelivered (MA 15(a)).
    pub misdelivered: bool,
    /// Whether the exposed card is a misdelivered card that moves forward to the next place (MA 15(a)#2).
    pub moved_forward: bool,
    /// Whether the first of the reshuffled discards must be burned (2.15(f)).
    pub burn_due: bool,
    /// The remedy that must happen before the round continues.
    pub remedy: Remedy,
}

/// The state of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The round's phase before its first turn.
    pub phase: Phase,
    /// The index of the script's current step.
    pub step: usize,
    /// The position within the current step, such as the number of cards dealt or boxes served.
    pub cursor: usize,
    /// The boxes with bets, from the dealer's left.
    pub boxes: Vec<BoxPlay>,
    /// Whether there may be a side bet on the layout; `false` if nobody made one.
    pub any_side: bool,
    /// The dealer's face-up cards.
    pub dealer: Hand,
    /// The dealer's second card.
    pub hole: Hole,
    /// What is known about a dealer's blackjack.
    pub peeked: Peeked,
    /// What the dealer has announced about the dealer's own hand.
    pub announced: Announced,
    /// The index of the current dealer hand; always zero except in multiple action (2.18).
    pub dealer_hand_index: usize,
    /// The open question to co-bettors, or `None` if there is none.
    pub co: Option<CoAsk>,
    /// The effects of irregularities on the round.
    pub mishaps: Mishaps,
    /// Why the round is void, or `None` if it is not.
    pub void: Option<Void>,
    /// The number of reversed settlements of a void round.
    pub reversed: usize,
    /// Boxes of earlier rounds, kept for reuse.
    pub spare: Vec<BoxPlay>,
    /// The settlements of this round, in order.
    pub settled: Vec<crate::event::Settlement>,
}

impl Round {
    /// Clears the round but keeps its memory allocated.
    pub fn reset(&mut self) {
        let mut spare = std::mem::take(&mut self.spare);
        spare.append(&mut self.boxes);
        let boxes = std::mem::take(&mut self.boxes);
        let mut settled = std::mem::take(&mut self.settled);
        settled.clear();
        *self = Round { spare, boxes, settled, ..Round::default() };
    }

    /// Returns the index of a box in [`Round::boxes`], or `None` if the box has no bet in this round.
    pub fn box_at(&self, id: BoxId) -> Option<usize> {
        self.boxes.iter().position(|play| play.id == id)
    }

    /// Returns the index of a box in [`Round::boxes`]. Inserts the box in the order of box numbers if it is
    /// missing.
    pub fn open_box(&mut self, id: BoxId) -> usize {
        if let Some(at) = self.box_at(id) {
            return at;
        }
        let at = self.boxes.iter().take_while(|play| play.id < id).count();
        let mut play = self.spare.pop().unwrap_or_else(|| BoxPlay::new(id));
        play.reset(id);
        self.boxes.insert(at, play);
        at
    }

    /// Returns the dealer's upcard, or `None` before it is dealt.
    pub fn up(&self) -> Option<Card> {
        self.dealer.cards().first().copied()
    }
}
