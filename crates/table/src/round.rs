//! The state of one round: boxes, bettors, hands, money, and where in the script the round stands.

use crate::ids::{BoxId, HandNumber, Person, Spots};
pub use crate::stakes::Stakes;
use rules::play::Doubled;
use rules::{Card, Cents, Hand, SideBet};

/// Where a hand stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum State {
    /// Waiting for cards or decisions.
    #[default]
    Open,
    /// Nothing more happens to the hand until it is compared with the dealer's.
    Complete,
    /// The hand has passed 21.
    Bust,
    /// Surrendered against an ace or ten-value card: waits for the dealer's second card.
    Parked,
    /// Out of the round: surrendered and settled, or paid early.
    Done,
    /// The hand is dead: its wagers go back.
    Dead,
}

/// A hand in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandPlay {
    /// The hand's cards.
    pub hand: Hand,
    /// The hand's number.
    pub number: HandNumber,
    /// Which of the box's initial hands this hand grew from: zero, or one for the second hand of a Switch spot.
    pub group: u8,
    /// Whether the hand has been doubled.
    pub doubled: Doubled,
    /// The hand's state.
    pub state: State,
    /// 2.10(c): the double card lies face down, so that nobody knows whether the hand is over 21.
    pub face_down: bool,
    /// 2.10(c)#7: the spot that was settled when its double card was turned. No bust was known before that.
    pub turned_on: Option<usize>,
    /// Whether the caller asked for a card (or doubled) that is yet to be dealt.
    pub card_due: bool,
    /// 2.15(g), (i): a missed card that the player may take late.
    pub late_card: LateCard,
    /// The number of cards in the last total that the dealer announced for this hand.
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
            state: State::Open,
            face_down: false,
            turned_on: None,
            card_due: false,
            late_card: LateCard::None,
            announced: 0,
            stakes: [Stakes::NONE; 3],
        }
    }

    /// Returns whether the hand may still win, as far as anyone at the table knows.
    pub fn is_live(&self) -> bool {
        matches!(self.state, State::Open | State::Complete)
    }

    /// Returns whether nothing more happens to the hand in this round.
    pub fn is_out(&self) -> bool {
        matches!(self.state, State::Done | State::Dead)
    }
}

/// A person with money on a box.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BettorPlay {
    /// The person who bets.
    pub person: Person,
    /// Whether the bettor sits at the box.
    pub seated: bool,
    /// The required wager of each spot.
    pub main: [Cents; 3],
    /// The side wagers, by their place in [`SideBet::ALL`].
    pub side: [Cents; SIDE_BETS],
    /// The settled side wagers, one bit each.
    pub side_settled: u32,
    /// Insurance for each initial hand and each spot.
    pub insurance: [[Cents; 3]; 2],
    /// The settled insurance wagers, one bit each.
    pub insurance_settled: u8,
    /// The spots on which the blackjack is paid 1 to 1 at once.
    pub even_money: Spots,
    /// Has answered the offer that is being made.
    pub answered: bool,
    /// 2.20(f): what the bonus button showed.
    pub award: Option<Cents>,
    /// 2.15(o): the bonus system failed for this bettor.
    pub bonus_failed: bool,
    /// Whether a named person has verified the wager that waits for approval.
    pub approved: bool,
    /// 2.20(f)#2: the bonus button lies before this bettor.
    pub button: bool,
    /// 2.19(g)1-2, 2.20(g)1-3: how many of the checks before payment have been made.
    pub checks: u8,
}

pub(crate) const SIDE_BETS: usize = SideBet::ALL.len();

impl BettorPlay {
    /// Returns a bettor who has made the required wager and no other.
    pub fn new(person: Person, seated: bool, main: [Cents; 3]) -> BettorPlay {
        BettorPlay { person, seated, main, answered: true, ..BettorPlay::default() }
    }

    /// Returns the stake on this side wager.
    pub fn side(&self, bet: SideBet) -> Cents {
        self.side[bet as usize]
    }

    /// Returns whether this side wager has a stake that is not settled yet.
    pub fn side_open(&self, bet: SideBet) -> bool {
        self.side[bet as usize] > Cents::ZERO && self.side_settled & (1 << bet as u32) == 0
    }

    /// Returns whether this hand and spot has insurance that is not settled yet.
    pub fn insurance_open(&self, group: usize, spot: usize) -> bool {
        self.insurance[group][spot] > Cents::ZERO && self.insurance_settled & (1 << (group * 3 + spot)) == 0
    }

    /// Returns whether every wager is insured or paid even money; where some are not, both are still open to them:
    /// 2.18(d).
    pub fn is_covered(&self) -> bool {
        (0..3).all(|spot| {
            let insured = self.insurance[0][spot] > Cents::ZERO;
            self.main[spot] == Cents::ZERO || insured || self.even_money.has(spot)
        })
    }

    /// Returns whether any insurance is not settled yet.
    pub fn any_insurance_open(&self) -> bool {
        (0..2).any(|group| (0..3).any(|spot| self.insurance_open(group, spot)))
    }
}

/// How far the one switch of a Switch spot has come: 2A.7(g).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SwitchState {
    /// Not a Switch table, or declined.
    #[default]
    Closed,
    /// The player may switch.
    Offered,
    /// The second cards are exchanged.
    Switched,
    /// Switched, and the turn is over; by 2A.7(g)2 it may be taken back until a card comes.
    Kept,
    /// Switched and taken back: 2A.7(g)2.
    Revoked,
}

impl SwitchState {
    /// Returns the state of the switch after a decision, or the end of the turn, without one.
    pub fn left(self) -> SwitchState {
        match self {
            SwitchState::Switched | SwitchState::Kept => SwitchState::Kept,
            SwitchState::Offered | SwitchState::Closed | SwitchState::Revoked => SwitchState::Closed,
        }
    }
}

/// A box with wagers on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoxPlay {
    /// The box's number on the layout.
    pub id: BoxId,
    /// The box's bettors, in the order in which they came.
    pub bettors: Vec<BettorPlay>,
    /// Which of the bettors calls the decisions.
    pub caller: u8,
    /// The caller lets others wager there: 2.13(a)#2.
    pub consent: bool,
    /// The hands in the order of play, from the dealer's left.
    pub hands: Vec<HandPlay>,
    /// The number of the next hand that a split makes.
    pub next_number: u8,
    /// The cards of the side wagers that follow a series: the initial ones, then those drawn to the unsplit hand.
    pub series: Vec<Card>,
    /// Whether the series continues with the next card.
    pub series_open: bool,
    /// How far the switch has come.
    pub switch: SwitchState,
    /// The player has decided something on the first hand of a Switch spot: 2A.9(a).
    pub first_hand_played: bool,
    /// How far the box's turn has come.
    pub turn: Turn,
    /// The box's part in the round.
    pub part: Part,
    /// 2.6(j)3, 2.6(k)6#2: the optional card for two sevens.
    pub sevens_card: SevensCard,
    /// What is unusual about the cards and lights of the box.
    pub lies: Lies,
}

/// How far the turn of a box has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// Whether the turn has begun: 2.9(b)#4.
    pub begun: bool,
    /// Whether the total of the current hand has been announced.
    pub announced: bool,
    /// 2.11(f): the split of sevens is to be announced.
    pub splits_sevens: bool,
    /// A hand of the box ended during the turn and has money to settle now.
    pub dues: bool,
}

/// What part a box takes in the round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// The box plays.
    #[default]
    Plays,
    /// The box gets no more cards: 2.15(c)#2.
    RefusesCards,
    /// The box is let out of the hand: MA 15(a)#3.
    LetOut,
}

/// What is unusual about the cards and lights of a box.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lies {
    /// 2.19(b)#2: the light of the progressive wager is on.
    pub light_on: bool,
    /// 2.6A(c): the two initial cards lie face down.
    pub face_down: bool,
    /// 2.20(e)2: the cards lie under the bonus wager.
    pub tucked: bool,
    /// 2.7(a)#2: the cards of the paid blackjack are gone.
    pub removed: bool,
}

/// A card that the dealer missed and the player may still have: 2.15(g)#2, (i).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LateCard {
    /// No card was missed.
    #[default]
    None,
    /// The player is asked whether to take the card.
    Asked,
    /// The card is to be dealt after the other players' cards.
    Taken,
}

/// The card that is offered to two sevens after a dealer's blackjack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SevensCard {
    /// No card is offered.
    #[default]
    NotOffered,
    /// The player is asked.
    Offered,
    /// The player takes the card, which is to be dealt.
    Due,
    /// The card was dealt or declined.
    Over,
}

impl BoxPlay {
    /// Returns a box without wagers.
    pub fn new(id: BoxId) -> BoxPlay {
        BoxPlay { id, next_number: 1, series_open: true, ..BoxPlay::default() }
    }

    /// Makes the box ready for another round and keeps its memory for reuse.
    pub fn reset(&mut self, id: BoxId) {
        use std::mem::take;
        let (mut bettors, mut hands, mut series) =
            (take(&mut self.bettors), take(&mut self.hands), take(&mut self.series));
        bettors.clear();
        hands.clear();
        series.clear();
        *self = BoxPlay { bettors, hands, series, ..BoxPlay::new(id) };
    }

    /// Returns the index of the hand with this number.
    pub fn hand_at(&self, number: HandNumber) -> Option<usize> {
        self.hands.iter().position(|hand| hand.number == number)
    }

    /// Returns the hand for which a missed card is offered, or to be dealt late.
    pub fn late_hand(&self, late: LateCard) -> Option<&HandPlay> {
        self.hands.iter().find(|hand| hand.late_card == late)
    }

    /// Returns the number of hands that this initial hand has become.
    pub fn hands_of(&self, group: u8) -> u8 {
        self.hands.iter().filter(|hand| hand.group == group).count() as u8
    }

    /// Chooses the caller: the seated player; if nobody is seated, the bettor with the highest wager, the earliest
    /// of equals (Q28). 2.13(b).
    pub fn choose_caller(&mut self) {
        let seated = self.bettors.iter().position(|bettor| bettor.seated);
        let total = |bettor: &BettorPlay| bettor.main.iter().copied().sum::<Cents>();
        let highest = (0..self.bettors.len()).rev().max_by_key(|&at| total(&self.bettors[at]));
        self.caller = seated.or(highest).unwrap_or(0) as u8;
    }

    /// Returns the box's first two cards, once it has them.
    pub fn initial_two(&self) -> Option<[Card; 2]> {
        self.series.first_chunk().copied()
    }
}

/// The dealer's second card before it is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hole {
    /// There is none yet.
    #[default]
    NotDealt,
    /// Face down; `None` if nobody has seen it.
    Down(Option<Card>),
    /// The hole card lies face up among the dealer's cards.
    Turned,
}

/// What is known about a dealer's blackjack before the hole card is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Peeked {
    /// Nobody has looked.
    #[default]
    NotYet,
    /// The reader has ruled out a blackjack.
    NoBlackjack,
    /// The reader has found a blackjack.
    Blackjack,
}

/// A question to the co-bettors of a box before the caller's decision takes effect: 2.13(d)-(e).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoAsk {
    /// The caller of this box doubles this hand.
    Double(usize, HandNumber),
    /// The caller of this box splits this hand; the other is the new one.
    Split(usize, HandNumber, HandNumber),
}

/// Why a round ends without a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Void {
    /// The clause that ends the round.
    pub by: rules::Clause,
    /// Whether the void undoes what was settled in the round. A clause that declares a round void does; dead hands
    /// (2.15(j)1, Q31) and a round that the house ended (HOUSE-VOID) do not.
    pub reverses: bool,
}

/// A remedy of an irregularity that must happen before the round continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Remedy {
    /// No remedy is due.
    #[default]
    Nothing,
    /// 2.15(j): a supervisor is told of the reader's use.
    NotifyOfReader,
    /// 2.15(m): a supervisor is told that the up card is in the rack.
    NotifyOfUpCard,
    /// 2.15(m)#2.
    FindUpCard,
    /// 2.15(m)#3.
    PutBackUpCard,
}

impl Remedy {
    /// Returns the next step of the remedy.
    pub fn next(self) -> Remedy {
        match self {
            Remedy::NotifyOfUpCard => Remedy::FindUpCard,
            Remedy::FindUpCard => Remedy::PutBackUpCard,
            Remedy::Nothing | Remedy::NotifyOfReader | Remedy::PutBackUpCard => Remedy::Nothing,
        }
    }
}

/// How far a round has come on the way to its first turn. Where it stands after that, the script says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// Wagers are taken.
    #[default]
    Wagers,
    /// 2.22(f): streaks whose player made no wager are abandoned.
    Abandoned,
    /// 2.19(b)#2-3: the lights of the progressive wagers, and their count.
    Lights,
    /// 2.19(b)#4: the meter takes its share of the progressive wagers.
    Meter,
    /// 2.19(b)#4, 2.20(b)#3, 2.24(d).
    NoMoreBets,
    /// 2.6A(c): the burn before each round from the hand.
    HandBurn,
    /// 2.6(d)1.
    Determinant,
    /// The initial cards are dealt.
    Deal,
    /// All initial cards lie on the table.
    Play,
}

impl Phase {
    /// Returns the next phase.
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

/// What the dealer has said of the own hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Said {
    /// The dealer has announced nothing.
    #[default]
    Nothing,
    /// That the dealer's card follows: 2.6(h)#2.
    DealersCard,
    /// The dealer has announced the dealer's total.
    DealersTotal,
}

/// What irregularities have left behind in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mishaps {
    /// Whether an irregularity was reported during play, so that a finished turn may have to continue.
    pub reported: bool,
    /// 2.15(e): the dealer's own card is dealt after the players' second cards.
    pub own_card_late: bool,
    /// 2.15(c): a card drawn in error that is to be the next card.
    pub exposed: Option<Card>,
    /// 2A.15(a)#2, 26.15(a)#2, 36.14(a)#2: how many were found in this round.
    pub found_face_up: u8,
    /// Tens that were found in a deck that has none.
    pub tens_found: u8,
    /// MA 15(a): a card of this round was misdelivered.
    pub misdelivered: bool,
    /// 2.15(f): the first card of the reshuffled discards is to be burned.
    pub burn_due: bool,
    /// The remedy that must happen before the round continues.
    pub remedy: Remedy,
}

/// One round of play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The round's phase before its first turn.
    pub phase: Phase,
    /// The current step of the script.
    pub step: usize,
    /// Cards dealt, or boxes served, in this step.
    pub cursor: usize,
    /// The boxes with wagers, from the dealer's left.
    pub boxes: Vec<BoxPlay>,
    /// Any side wager is on the layout.
    pub any_side: bool,
    /// The dealer's cards that lie face up.
    pub dealer: Hand,
    /// The dealer's second card.
    pub hole: Hole,
    /// What the reader has shown.
    pub peeked: Peeked,
    /// What the dealer has announced.
    pub said: Said,
    /// Which of the dealer's hands is played: 2.18.
    pub spot: usize,
    /// A question to co-bettors that is still open.
    pub co: Option<CoAsk>,
    /// What irregularities have left behind.
    pub mishaps: Mishaps,
    /// The round is void, or all hands are dead: why, and whether settled wagers are undone.
    pub void: Option<Void>,
    /// How many settlements of a void round have been reversed.
    pub reversed: usize,
    /// Boxes of earlier rounds whose memory is reused.
    pub spare: Vec<BoxPlay>,
    /// Everything settled in this round, for reversal and for the record.
    pub settled: Vec<crate::event::Settlement>,
}

impl Round {
    /// Clears the round but keeps its memory.
    pub fn reset(&mut self) {
        let mut spare = std::mem::take(&mut self.spare);
        spare.append(&mut self.boxes);
        let boxes = std::mem::take(&mut self.boxes);
        let mut settled = std::mem::take(&mut self.settled);
        settled.clear();
        *self = Round { spare, boxes, settled, ..Round::default() };
    }

    /// Returns the index of this box among the boxes.
    pub fn box_at(&self, id: BoxId) -> Option<usize> {
        self.boxes.iter().position(|play| play.id == id)
    }

    /// Inserts a box in table order, from spare memory if there is some, and returns its index.
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

    /// Returns the dealer's up card, once the round is dealt.
    pub fn up(&self) -> Option<Card> {
        self.dealer.cards().first().copied()
    }
}
