//! The requests of people to a table, in API terms, and their translation into commands of the rules engine.
//!
//! The rules engine decides whether the commands are legal. This module checks only the role of the person, and
//! that the box is the player's own.

mod commands;

use super::live::{By, Live, Step};
use super::seats::Seat;
use super::shares::ShareRefusal;
use crate::error::{ApiError, ApiResult};
use crate::house_file::Dealing;
use crate::role::Role;
use crate::wire::Money;
pub use commands::bettor_of;
use commands::{card_of, wager};
use rules::message;
use rules::script::Offer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use table::{Awaiting, BoxId, Command};

/// A player's or staff member's request to a table.
///
/// Staff are dealers, the floor and supervisors.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", tag = "do", deny_unknown_fields)]
pub enum Request {
    /// Places a bet and side bets on a box: one amount, or two or three in Multiple Action.
    Wager {
        /// The number of the box.
        r#box: u8,
        /// The amount of the bet: one, or one for each dealer hand in Multiple Action.
        #[schema(min_items = 1, max_items = 3)]
        amounts: Vec<Money>,
        /// The side bets to place, by key.
        #[serde(default)]
        side: BTreeMap<String, Money>,
        /// Whether the player bets from behind the box instead of sitting at it.
        #[serde(default)]
        behind: bool,
    },
    /// Withdraws the caller's bets from the box, before the first card.
    Withdraw {
        /// The number of the box.
        r#box: u8,
    },
    /// Comes to the table and sits down at a box.
    Sit {
        /// The number of the box.
        r#box: u8,
    },
    /// Lets other players bet on the caller's box too.
    Consent {
        /// The number of the box.
        r#box: u8,
    },
    /// Declares the caller ready: when every bettor is, the cards are dealt without waiting.
    Deal,
    /// Adds a share to the shuffle of a fresh shoe: the hash of a nonce that is revealed when betting closes.
    Share {
        /// The SHA-256 hash, in 64 hexadecimal digits.
        #[schema(min_length = 64, max_length = 64)]
        hash: String,
    },
    /// Reveals the nonce whose hash the player gave with the request `share`.
    Reveal {
        /// The nonce, in 64 hexadecimal digits.
        #[schema(min_length = 64, max_length = 64)]
        nonce: String,
    },
    /// Cuts the cards, when the cut is offered to the player's box.
    Cut {
        /// The number of the box.
        r#box: u8,
        /// The number of cards above the cut.
        at: u16,
    },
    /// Declines to cut the cards.
    DeclineCut {
        /// The number of the box.
        r#box: u8,
    },
    /// Asks for a stored batch, from the shuffling device of an idle table, to be spread and shuffled again.
    AskReshuffle {
        /// The number of the box.
        r#box: u8,
    },
    /// Places an attack bet when it is offered.
    Attack {
        /// The number of the box.
        r#box: u8,
        /// The amount of the attack bet.
        amount: Money,
    },
    /// Insures a hand against a dealer blackjack.
    Insure {
        /// The number of the box.
        r#box: u8,
        /// The number of the hand to insure.
        #[serde(default = "first")]
        hand: u8,
        /// The amounts of insurance: one, or one for each dealer hand in Multiple Action.
        amounts: Vec<Money>,
        /// Whether to decline insurance for the player's other hands on the box.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        only: bool,
    },
    /// Takes even money on a blackjack.
    EvenMoney {
        /// The number of the box.
        r#box: u8,
    },
    /// Declines an offer: `attack`, `second-attack`, `third-attack` or `insurance`.
    Decline {
        /// The number of the box.
        r#box: u8,
        /// The key of the declined offer.
        #[schema(min_length = 1)]
        offer: String,
    },
    /// Switches the second cards of the box's two hands.
    Switch {
        /// The number of the box.
        r#box: u8,
    },
    /// Declines to switch the second cards: both hands stay as they are.
    DeclineSwitch {
        /// The number of the box.
        r#box: u8,
    },
    /// Undoes the switch of the second cards, as long as the rules allow.
    Revoke {
        /// The number of the box.
        r#box: u8,
    },
    /// Stands on the hand whose turn it is.
    Stand {
        /// The number of the box.
        r#box: u8,
    },
    /// Asks for a card to the hand whose turn it is.
    Hit {
        /// The number of the box.
        r#box: u8,
    },
    /// Doubles the bet on the hand whose turn it is.
    Double {
        /// The number of the box.
        r#box: u8,
        /// The amounts to add to the bet: one, or one for each dealer hand in Multiple Action; by default the
        /// amounts already bet.
        #[serde(default)]
        amounts: Vec<Money>,
        /// Whether the player asks for the card to be dealt face down.
        #[serde(default)]
        face_down: bool,
    },
    /// Splits the pair whose turn it is.
    Split {
        /// The number of the box.
        r#box: u8,
    },
    /// Surrenders the hand whose turn it is.
    Surrender {
        /// The number of the box.
        r#box: u8,
    },
    /// Declines to double the caller's own bet when the box owner doubles.
    NotDouble {
        /// The number of the box.
        r#box: u8,
    },
    /// Bets on both hands of the box owner's split.
    Cover {
        /// The number of the box.
        r#box: u8,
    },
    /// Keeps the caller's bet on one hand of the box owner's split only.
    Follow {
        /// The number of the box.
        r#box: u8,
        /// The number of the hand on which the bet stays.
        hand: u8,
    },
    /// Takes or declines a card for the sevens bet.
    SevensCard {
        /// The number of the box.
        r#box: u8,
        /// Whether the card is taken.
        take: bool,
    },
    /// Takes or declines a card that the dealer should have dealt to the hand earlier.
    LateCard {
        /// The number of the box.
        r#box: u8,
        /// Whether the card is taken.
        take: bool,
    },
    /// Refuses a card that was exposed in error.
    RefuseCard {
        /// The number of the box.
        r#box: u8,
    },

    // Requests of the dealer, at a dealer's table.
    /// Performs a step of preparing the cards, such as a shuffle.
    Perform {
        /// The key of the step, such as `shuffle`.
        #[schema(min_length = 1)]
        step: String,
        /// The position of the cut, or the number of cards behind the cut card; absent for other steps.
        #[serde(default)]
        number: Option<u16>,
    },
    /// Records the next card drawn.
    Card {
        /// The drawn card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
    },
    /// Replaces the last recorded card with the right one, which is possible until the next event.
    Correct {
        /// The right card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
    },
    /// Records a card that was dealt face down.
    FaceDown,
    /// Records the determinant card, which decides the side of a double shoe that deals the round.
    Determinant {
        /// The determinant card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
        /// The side of the double shoe that the card was drawn from: `red` or `black`.
        #[schema(min_length = 1)]
        side: String,
    },
    /// Records what the hole-card reader shows.
    Reader {
        /// Whether the reader shows a blackjack.
        blackjack: bool,
    },
    /// Closes betting before the cards are dealt.
    CloseWagers,
    /// Records the award that the bonus button shows.
    Award {
        /// The number of the box.
        r#box: u8,
        /// The number of the bettor, by order of arrival at the box.
        bettor: u8,
        /// The amount of the award.
        amount: Money,
    },
    /// Records the burn card, which is shown to a player who asks.
    DiscloseBurn {
        /// The burned card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
    },
    /// Takes over as the dealer of the table between rounds, and burns a card.
    Relieve,
    /// Takes over as the dealer of a round in progress.
    TakeOver,
    /// Reports an irregularity; the table then applies the remedy of the regulation.
    Report {
        /// The key of the irregularity.
        #[schema(min_length = 1)]
        irregularity: String,
        /// The card that the irregularity concerns, such as `As`; absent unless the irregularity needs a card.
        #[serde(default)]
        #[schema(min_length = 1)]
        card: Option<String>,
        /// The number of the box that the irregularity concerns; absent unless the irregularity needs a box.
        #[serde(default)]
        r#box: Option<u8>,
    },
    /// Declares the table idle: the cards are spread until a player arrives.
    Idle,
    /// Calls the floor to the table, with a reason; all floor staff are notified immediately.
    CallFloor {
        /// The reason for the call, as free text.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[schema(max_length = 200)]
        reason: String,
    },
    /// Ends the floor call, because a floor supervisor is at the table.
    EndCall,

    // Requests of the floor and the supervisor.
    /// Answers a table's floor call: the floor supervisor is on the way.
    AnswerCall,
    /// Approves a payment that needs approval.
    Approve {
        /// The key of the payment: `progressive`, `bonus` or `queens-of-hearts`.
        #[schema(min_length = 1)]
        what: String,
        /// The number of the box.
        r#box: u8,
        /// The number of the bettor, by order of arrival at the box.
        bettor: u8,
    },
    /// Orders a reshuffle of the cards after the round in play.
    Reshuffle,
    /// Orders another cut of the cards.
    Recut,
    /// Lets a player who sat out a round bet again.
    Admit {
        /// The number by which views name the player.
        person: i64,
    },
    /// Declares the round void; the reason is recorded and shown with the name of the person who declares it.
    Void {
        /// The reason why the round is void, as free text.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[schema(max_length = 200)]
        reason: String,
    },
}

fn first() -> u8 {
    1
}

/// The person who makes a request: the seat, with the kind of chips, and the role.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    pub seat: Seat,
    pub role: Role,
}

impl Request {
    /// Returns the staff roles that may make this request, or `None` for a player's request.
    fn for_staff(&self) -> Option<&'static [Role]> {
        const DEALER: &[Role] = &[Role::Dealer];
        const FLOOR: &[Role] = &[Role::Floor, Role::Supervisor];
        const EITHER: &[Role] = &[Role::Dealer, Role::Floor, Role::Supervisor];
        match self {
            Request::Perform { .. }
            | Request::Card { .. }
            | Request::Correct { .. }
            | Request::FaceDown
            | Request::Determinant { .. }
            | Request::Reader { .. }
            | Request::CloseWagers
            | Request::Award { .. }
            | Request::DiscloseBurn { .. }
            | Request::Relieve
            | Request::TakeOver
            | Request::Report { .. }
            | Request::Idle
            | Request::CallFloor { .. } => Some(DEALER),
            Request::EndCall => Some(EITHER),
            Request::Approve { .. }
            | Request::AnswerCall
            | Request::Reshuffle
            | Request::Recut
            | Request::Admit { .. }
            | Request::Void { .. } => Some(FLOOR),
            _ => None,
        }
    }

    /// Returns whether this request must name the round that it is meant for.
    ///
    /// The other requests concern a seat, the shoe, the table's staff, or the last card, which may have ended its
    /// round.
    pub fn needs_round(&self) -> bool {
        !matches!(
            self,
            Request::Sit { .. }
                | Request::Consent { .. }
                | Request::Share { .. }
                | Request::Reveal { .. }
                | Request::AskReshuffle { .. }
                | Request::Perform { .. }
                | Request::Correct { .. }
                | Request::Relieve
                | Request::TakeOver
                | Request::Idle
                | Request::CallFloor { .. }
                | Request::EndCall
                | Request::AnswerCall
                | Request::Reshuffle
                | Request::Recut
                | Request::Admit { .. }
        )
    }

    /// Returns whether this request must be decided and stored apart from other requests.
    pub fn stands_alone(&self) -> bool {
        matches!(
            self,
            Request::Deal
                | Request::TakeOver
                | Request::CallFloor { .. }
                | Request::AnswerCall
                | Request::EndCall
        )
    }

    /// Returns the box that a player's request names, or `None` if it names no box.
    fn player_box(&self) -> Option<BoxId> {
        match *self {
            Request::Wager { r#box, .. }
            | Request::Withdraw { r#box }
            | Request::Sit { r#box }
            | Request::Consent { r#box }
            | Request::Cut { r#box, .. }
            | Request::DeclineCut { r#box }
            | Request::AskReshuffle { r#box }
            | Request::Attack { r#box, .. }
            | Request::Insure { r#box, .. }
            | Request::EvenMoney { r#box }
            | Request::Decline { r#box, .. }
            | Request::Switch { r#box }
            | Request::DeclineSwitch { r#box }
            | Request::Revoke { r#box }
            | Request::Stand { r#box }
            | Request::Hit { r#box }
            | Request::Double { r#box, .. }
            | Request::Split { r#box }
            | Request::Surrender { r#box }
            | Request::NotDouble { r#box }
            | Request::Cover { r#box }
            | Request::Follow { r#box, .. }
            | Request::SevensCard { r#box, .. }
            | Request::LateCard { r#box, .. }
            | Request::RefuseCard { r#box } => Some(BoxId(r#box)),
            _ => None,
        }
    }

    /// Checks that `role` may make this request at a table with this kind of dealing.
    pub fn permitted(&self, role: Role, dealing: Dealing) -> ApiResult<()> {
        match self.for_staff() {
            None if role == Role::Player => Ok(()),
            Some(roles) if roles.contains(&role) => match (self, dealing) {
                (
                    Request::Reshuffle
                    | Request::Void { .. }
                    | Request::Approve { .. }
                    | Request::Admit { .. }
                    | Request::AnswerCall
                    | Request::EndCall,
                    _,
                ) => Ok(()),
                (_, Dealing::Dealer) => Ok(()),
                (_, Dealing::Automatic) => {
                    Err(ApiError::refused(message!("automatic", "this table deals automatically")))
                }
            },
            _ => Err(ApiError::role()),
        }
    }

    /// Returns the commands that carry out this request for `asker`, who gets a seat at the table if necessary.
    ///
    /// The commands are performed in order; either all of them take effect, or none. Returns an error if the role
    /// or the box does not permit the request.
    pub fn commands(&self, live: &mut Live, asker: Asker) -> ApiResult<Vec<Command>> {
        self.permitted(asker.role, live.fixed.dealing)?;
        if asker.role.is_staff() {
            return self.staff_commands(live, asker).map(|command| vec![command]);
        }
        let person = live.seats.meet(asker.seat);
        let box_id = self.player_box().unwrap_or(BoxId(0));
        if let Request::Wager { amounts, side, behind, .. } = self {
            return wager(live, (box_id, person, asker.seat), amounts, (side, *behind));
        }
        if let Request::Withdraw { .. } = self {
            return Ok(vec![Command::Withdraw { box_id, person }]);
        }
        if let Request::Sit { .. } = self {
            return Ok(vec![Command::Sit { box_id, person }]);
        }
        let bettor = bettor_of(live, box_id, asker.seat.person)?;
        self.player_command(live, box_id, bettor).map(|command| vec![command])
    }

    /// Performs the request for `asker` on `live`, a copy of the table, and adds the result to `step`.
    ///
    /// Returns an error if the request is refused.
    pub fn carry_out(&self, live: &mut Live, asker: Asker, step: &mut Step) -> ApiResult<()> {
        if let Request::Correct { card } = self {
            self.permitted(asker.role, live.fixed.dealing)?;
            return Ok(live.correct(By::Person, card_of(card)?, step)?);
        }
        match self {
            // Handled by the table's actor, where the house can sign it.
            Request::Share { .. } => return Err(ShareRefusal::NotNow.into()),
            Request::Reveal { nonce } => {
                self.permitted(asker.role, live.fixed.dealing)?;
                return Ok(live.reveal(By::Person, asker.seat, nonce, step)?);
            }
            _ => {}
        }
        for command in self.commands(live, asker)? {
            live.perform(By::Person, command, step)?;
        }
        let Request::Insure { r#box, only: true, .. } = *self else { return Ok(()) };
        let (box_id, offer) = (BoxId(r#box), Offer::Insurance);
        let bettor = bettor_of(live, box_id, asker.seat.person)?;
        let offered = match live.table.awaiting() {
            Some(Awaiting::Offers(asked)) => asked == offer,
            Some(Awaiting::LateInsurance(asked)) => asked == box_id,
            _ => false,
        };
        if offered && live.table.is_asked(box_id, bettor) {
            live.perform(By::Person, Command::Decline { box_id, bettor, offer }, step)?;
        }
        Ok(())
    }
}
