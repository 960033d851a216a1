//! Requests to a table, in API terms, and their translation into commands. The rules engine decides whether they are
//! legal; this module checks only the role, and that the box is the player's own.

mod commands;

use super::live::{By, Live, Step};
use super::seats::Seat;
use super::shares::NotTaken;
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

/// A command at a table.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", tag = "do", deny_unknown_fields)]
pub enum Request {
    /// Places a wager with its side bets. One amount; two or three in multiple action.
    Wager {
        /// The number of the box.
        r#box: u8,
        /// An amount for each spot.
        #[schema(min_items = 1, max_items = 3)]
        amounts: Vec<Money>,
        /// Side bets, by key.
        #[serde(default)]
        side: BTreeMap<String, Money>,
        /// Stands behind the box instead of sitting at it.
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
    /// Lets others wager on the box too.
    Consent {
        /// The number of the box.
        r#box: u8,
    },
    /// Ready: when everyone who wagered is, the cards are dealt without waiting.
    Deal,
    /// Adds to the order of a fresh shoe: the hash of a nonce that is revealed when the wagers are closed.
    Share {
        /// SHA-256 in 64 hexadecimal digits.
        #[schema(min_length = 64, max_length = 64)]
        hash: String,
    },
    /// The nonce whose hash was given.
    Reveal {
        /// The random number behind a share, in hexadecimal.
        #[schema(min_length = 64, max_length = 64)]
        nonce: String,
    },
    /// Cuts the stack.
    Cut {
        /// The number of the box.
        r#box: u8,
        /// The number of cards above the cut.
        at: u16,
    },
    /// Declines the cut.
    DeclineCut {
        /// The number of the box.
        r#box: u8,
    },
    /// Asks for the batch from an idle table's shuffling device to be spread and shuffled again.
    AskReshuffle {
        /// The number of the box.
        r#box: u8,
    },
    /// Makes an attack bet.
    Attack {
        /// The number of the box.
        r#box: u8,
        /// The amount.
        amount: Money,
    },
    /// Insures a hand.
    Insure {
        /// The number of the box.
        r#box: u8,
        /// The number of the hand.
        #[serde(default = "first")]
        hand: u8,
        /// An amount for each spot.
        amounts: Vec<Money>,
        /// Only this hand: the offer is answered for it alone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        only: bool,
    },
    /// Takes even money on a blackjack.
    EvenMoney {
        /// The number of the box.
        r#box: u8,
    },
    /// Declines `attack`, `second-attack`, `third-attack` or `insurance`.
    Decline {
        /// The number of the box.
        r#box: u8,
        /// The offer's key.
        #[schema(min_length = 1)]
        offer: String,
    },
    /// Exchanges the second cards of both hands.
    Switch {
        /// The number of the box.
        r#box: u8,
    },
    /// Keeps both hands as they are.
    DeclineSwitch {
        /// The number of the box.
        r#box: u8,
    },
    /// Takes the switch back.
    Revoke {
        /// The number of the box.
        r#box: u8,
    },
    /// Stands on the hand.
    Stand {
        /// The number of the box.
        r#box: u8,
    },
    /// Asks for a card.
    Hit {
        /// The number of the box.
        r#box: u8,
    },
    /// Doubles the hand.
    Double {
        /// The number of the box.
        r#box: u8,
        /// One amount for each bet on the hand. Default: the amounts already bet.
        #[serde(default)]
        amounts: Vec<Money>,
        /// Asks for the card face down.
        #[serde(default)]
        face_down: bool,
    },
    /// Splits the pair.
    Split {
        /// The number of the box.
        r#box: u8,
    },
    /// Surrenders the hand.
    Surrender {
        /// The number of the box.
        r#box: u8,
    },
    /// Does not double with the caller of the box.
    NotDouble {
        /// The number of the box.
        r#box: u8,
    },
    /// Covers both hands of a split.
    Cover {
        /// The number of the box.
        r#box: u8,
    },
    /// Stays on one hand of a split.
    Follow {
        /// The number of the box.
        r#box: u8,
        /// The number of the hand.
        hand: u8,
    },
    /// Takes or declines a card for the sevens wager.
    SevensCard {
        /// The number of the box.
        r#box: u8,
        /// Whether the card is taken.
        take: bool,
    },
    /// Takes or declines a card that was missed.
    LateCard {
        /// The number of the box.
        r#box: u8,
        /// Whether the card is taken.
        take: bool,
    },
    /// Refuses an exposed card.
    RefuseCard {
        /// The number of the box.
        r#box: u8,
    },

    // Requests of the dealer, at a dealer's table.
    /// Performs a step of preparing the cards.
    Perform {
        /// The step of the procedure.
        #[schema(min_length = 1)]
        step: String,
        /// The place of the cut or of the cut card, for the steps that have one.
        #[serde(default)]
        number: Option<u16>,
    },
    /// Records the next card.
    Card {
        /// A card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
    },
    /// Corrects the last recorded card to this one. Possible until the next event.
    Correct {
        /// A card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
    },
    /// Records a card that was dealt face down.
    FaceDown,
    /// Records the card that decides which side of a double shoe deals.
    Determinant {
        /// A card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
        /// The side of the double shoe that the card was drawn from.
        #[schema(min_length = 1)]
        side: String,
    },
    /// Records the result of the card reader.
    Reader {
        /// Whether the reader shows a blackjack.
        blackjack: bool,
    },
    /// Closes the betting.
    CloseWagers,
    /// Records the amount that the bonus button shows.
    Award {
        /// The number of the box.
        r#box: u8,
        /// Which bettor of the box, by order of arrival.
        bettor: u8,
        /// The amount.
        amount: Money,
    },
    /// Shows the burned card to a player who asks.
    DiscloseBurn {
        /// A card: rank and suit, such as `As`.
        #[schema(min_length = 1)]
        card: String,
    },
    /// Takes over as the dealer between rounds; a card is burned.
    Relieve,
    /// Takes over as the dealer of a round in progress.
    TakeOver,
    /// Reports an irregularity.
    Report {
        /// The irregularity's key.
        #[schema(min_length = 1)]
        irregularity: String,
        /// A card: rank and suit, such as `As`.
        #[serde(default)]
        #[schema(min_length = 1)]
        card: Option<String>,
        /// The number of the box.
        #[serde(default)]
        r#box: Option<u8>,
    },
    /// The table is idle: the cards are spread until a player arrives.
    Idle,
    /// Calls the floor with a reason; all floor staff are notified immediately.
    CallFloor {
        /// The reason given, as free text.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[schema(max_length = 200)]
        reason: String,
    },
    /// The floor is at the table.
    EndCall,

    // Requests of the floor and the supervisor.
    /// Comes to a table that called.
    AnswerCall,
    /// Approves a payment.
    Approve {
        /// The item approved: `progressive`, `bonus` or `queens-of-hearts`.
        #[schema(min_length = 1)]
        what: String,
        /// The number of the box.
        r#box: u8,
        /// Which bettor of the box, by order of arrival.
        bettor: u8,
    },
    /// Orders a reshuffle after this round.
    Reshuffle,
    /// Orders a recut.
    Recut,
    /// Lets a player who sat out a round bet again.
    Admit {
        /// The number of a person.
        person: i64,
    },
    /// The round is void; the reason is recorded and shown with the name of who declares it.
    Void {
        /// The reason given, as free text.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[schema(max_length = 200)]
        reason: String,
    },
}

fn first() -> u8 {
    1
}

/// Who makes a request.
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

    /// Returns whether this request applies to one round, which it must name. The others concern a seat, the shoe, or
    /// the table's staff; a correction names the card that it replaces.
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

    /// Returns whether this request is handled alone, not in a chain with the requests before it.
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

    /// Returns the box of a player's request.
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

    /// Checks that this role may make this request here.
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

    /// Returns the commands for this request. They are performed in order, all or none.
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

    /// Performs the request on a copy of the table, all of it or nothing.
    pub fn carry_out(&self, live: &mut Live, asker: Asker, step: &mut Step) -> ApiResult<()> {
        if let Request::Correct { card } = self {
            self.permitted(asker.role, live.fixed.dealing)?;
            return Ok(live.correct(By::Person, card_of(card)?, step)?);
        }
        match self {
            // Handled by the table's actor, where the house can sign it.
            Request::Share { .. } => return Err(NotTaken::NotNow.into()),
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
